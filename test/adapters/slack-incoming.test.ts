/** Payloads of Slack's through the translators. */

import { describe, expect, test } from 'vitest'
import { filesOf, readText } from '../../adapters/slack/files.ts'
import {
  changed,
  conversationOf,
  deleted,
  ratingOf,
  type Self,
  toCommand,
  toMessage,
  toReactionRating,
  writtenBy,
} from '../../adapters/slack/incoming.ts'
import { isBefore } from '../../adapters/slack/order.ts'
import type { MessageEvent, ReactionEvent } from '../../adapters/slack/payloads.ts'
import { authorOf, personOf } from '../../adapters/slack/people.ts'
import { mentionsOf, nameOf, readable } from '../../adapters/slack/words.ts'

const SELF: Self = { team: 'T1', user: 'UBOT', bot: 'BBOT' }
const ANA = { id: 'slack:T1:UANA', name: 'Ana', isAdmin: false, timezone: 'Europe/Berlin' }
const NAMES = {
  person: (id: string) => ({ U2: 'Bea', UANA: 'Ana' })[id] ?? null,
  channel: (id: string) => ({ C3: 'general' })[id] ?? null,
}

/** As Slack delivers a message in a channel, with fields that are not read. */
const message = (changes: Partial<MessageEvent> = {}) =>
  ({
    client_msg_id: '9d2c7a0e-6c56-4d0b-8d35-3c1f7c1f6a10',
    type: 'message',
    user: 'UANA',
    ts: '1764875000.000200',
    text: '<@UBOT> what is a b-tree?',
    team: 'T1',
    channel: 'CGENERAL',
    event_ts: '1764875000.000200',
    channel_type: 'channel',
    ...changes,
  }) as MessageEvent

const translated = (event: MessageEvent) => {
  const written = writtenBy(event, SELF)
  return written === null ? null : toMessage(written, SELF, ANA, NAMES)
}

describe('a message', () => {
  test('that mentions the bot in a channel begins a conversation in its own thread', () => {
    expect(translated(message())).toEqual({
      id: 'slack:T1:CGENERAL:1764875000.000200',
      workspace: 'slack:T1',
      conversation: 'slack:T1:CGENERAL:1764875000.000200',
      context: 'slack:T1:CGENERAL',
      author: ANA,
      text: 'what is a b-tree?',
      sentAt: new Date(1764875000000),
      destination: { team: 'T1', channel: 'CGENERAL', user: 'UANA', thread: '1764875000.000200' },
    })
  })

  test('is the same one as a mention, whichever of the two comes', () => {
    const mention = message({ type: 'app_mention' })
    expect(translated(mention)).toEqual(translated(message()))
  })

  test('in a thread continues the conversation of the thread', () => {
    const inThread = translated(message({ thread_ts: '1764874000.000100' }))
    expect(inThread?.conversation).toBe('slack:T1:CGENERAL:1764874000.000100')
    expect(inThread?.destination).toMatchObject({ thread: '1764874000.000100' })
  })

  test('in a direct chat continues the one conversation there, and is answered in its own thread', () => {
    const first = translated(message({ channel: 'DANA', channel_type: 'im', text: 'hello' }))
    const second = translated(message({ channel: 'DANA', channel_type: 'im', thread_ts: '1764874000.000100' }))
    expect(first).toMatchObject({ conversation: 'slack:T1:DANA', context: 'direct' })
    expect(first?.destination).toMatchObject({ thread: '1764875000.000200' })
    expect(second).toMatchObject({ conversation: 'slack:T1:DANA', destination: { thread: '1764874000.000100' } })
  })

  test.each([[undefined], ['file_share'], ['thread_broadcast'], ['me_message']])(
    'of the subtype %s is a person’s',
    (subtype) => expect(writtenBy(message(subtype === undefined ? {} : { subtype }), SELF)).not.toBeNull(),
  )

  test.each([['channel_join'], ['message_changed'], ['message_deleted'], ['bot_message'], ['channel_topic']])(
    'of the subtype %s is none',
    (subtype) => expect(writtenBy(message({ subtype }), SELF)).toBeNull(),
  )

  test('of another bot, or of the bot itself, is not taken', () => {
    expect(writtenBy(message({ bot_id: 'BOTHER', text: '<@UBOT> warning' }), SELF)).toBeNull()
    expect(writtenBy(message({ user: 'UBOT' }), SELF)).toBeNull()
  })
})

describe('words', () => {
  test.each([
    ['<@UBOT> hi', 'hi'],
    ['hey <@UBOT>, hi', 'hey , hi'],
    ['&gt; quoted', '> quoted'],
    ['say &lt;@U123&gt;', 'say <@U123>'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<@U2> said ask <#C3>', '@Bea said ask #general'],
    ['<@U2|bea> in <#C4|random>', '@Bea in #random'],
    ['<@U9> <!here> <!subteam^S1|@ops> <!date^1|today>', '@somebody @here @ops today'],
    ['<https://a.example/x?a=1&amp;b=2>', 'https://a.example/x?a=1&b=2'],
    ['<https://a.example|a.example>', 'https://a.example'],
    ['<https://a.example|the &lt;page&gt;>', 'the <page> (https://a.example)'],
    ['<mailto:user@example.com|user@example.com>', 'user@example.com'],
    ['\u200fשלום', '\u200fשלום'],
    ['abc\u202egnp.exe', 'abcgnp.exe'],
    ['a < b and b > a', 'a < b and b > a'],
  ])('%j reads %j', (raw, words) => expect(readable(raw, 'UBOT', NAMES)).toBe(words))

  test('a typed mention is none', () => expect(mentionsOf('&lt;@UBOT&gt; <@U2|bea> <@U2>')).toEqual(['U2']))
  test('a name keeps no marks that turn it round', () => expect(nameOf(' abc\u202egnp\n exe ')).toBe('abcgnp exe'))
})

describe('changes', () => {
  const edit = (text: string, before: string, more: Partial<MessageEvent> = {}) =>
    message({
      subtype: 'message_changed',
      ts: '1764875009.000900',
      event_ts: '1764875009.000900',
      message: { user: 'UANA', ts: '1764875000.000200', text, ...more },
      previous_message: { user: 'UANA', ts: '1764875000.000200', text: before },
    })

  test('are a person’s new words under the id of the message', () => {
    const written = changed(edit('<@UBOT> new', '<@UBOT> old'), SELF)
    expect(written).toMatchObject({ user: 'UANA', isMention: true })
    expect(toMessage(written!, SELF, ANA, NAMES)).toMatchObject({
      id: 'slack:T1:CGENERAL:1764875000.000200',
      text: 'new',
    })
  })

  test('that only unfold a link are none', () => expect(changed(edit('<https://x>', '<https://x>'), SELF)).toBeNull())
  test('of the bot’s own posts are none', () =>
    expect(changed(edit('b', 'a', { user: 'UBOT', bot_id: 'BBOT' }), SELF)).toBeNull())

  test('a deletion names the message that is gone', () => {
    const event = message({
      subtype: 'message_deleted',
      deleted_ts: '1764875000.000200',
      previous_message: { user: 'UANA', ts: '1764875000.000200', text: 'x' },
    })
    const id = 'slack:T1:CGENERAL:1764875000.000200'
    expect(deleted(event, SELF)).toEqual({ id: `${id}:deleted`, workspace: 'slack:T1', messages: [id] })
    expect(deleted({ ...event, previous_message: { user: 'UBOT', bot_id: 'BBOT', ts: '1' } }, SELF)).toBeNull()
  })

  test('a deleted message that others had answered is a deletion, too', () => {
    const event = edit('This message was deleted.', 'x', { subtype: 'tombstone', user: 'USLACKBOT' })
    expect(deleted(event, SELF)?.messages).toEqual(['slack:T1:CGENERAL:1764875000.000200'])
  })
})

describe('reactions', () => {
  const reaction = (name: string, more: Partial<ReactionEvent> = {}): ReactionEvent => ({
    type: 'reaction_added',
    user: 'UANA',
    reaction: name,
    item: { type: 'message', channel: 'CGENERAL', ts: '1764875001.000100' },
    item_user: 'UBOT',
    event_ts: '1764875010.000100',
    ...more,
  })

  test.each([
    ['+1', 'up'],
    ['thumbsup', 'up'],
    ['+1::skin-tone-4', 'up'],
    ['-1', 'down'],
    ['thumbsdown::skin-tone-2', 'down'],
    ['fire', null],
  ])('%s says %s', (name, rating) => expect(ratingOf(reaction(name), SELF)).toBe(rating))

  test('on the post of somebody else say nothing; without an author the post is looked up', () => {
    expect(ratingOf(reaction('+1', { item_user: 'UBEA' }), SELF)).toBeNull()
    const { item_user: _, ...withoutAuthor } = reaction('+1')
    expect(ratingOf(withoutAuthor, SELF)).toBe('up')
  })

  test('name the post, and are given or taken back', () => {
    const given = toReactionRating(reaction('+1'), 'up', SELF, ANA)
    expect(given).toMatchObject({ change: 'give', rating: 'up', post: 'slack:T1:CGENERAL:1764875001.000100' })
    const taken = toReactionRating(reaction('+1', { type: 'reaction_removed' }), 'up', SELF, ANA)
    expect(taken?.change).toBe('take')
    expect(taken?.id).not.toBe(given?.id)
  })
})

test('a slash command is a message that begins with its name and is answered where it was given', () => {
  const body = {
    command: '/persona',
    text: 'forget &lt;b&gt;',
    team_id: 'T1',
    channel_id: 'CGENERAL',
    user_id: 'UANA',
    trigger_id: '1.2.abc',
    response_url: 'https://hooks.slack.com/commands/T1/1/x',
  }
  expect(toCommand(body, SELF, ANA, new Date(5))).toMatchObject({
    id: 'slack:T1:CGENERAL:command:1.2.abc',
    context: 'slack:T1:CGENERAL',
    text: '/persona forget <b>',
    sentAt: new Date(5),
    destination: { channel: 'CGENERAL', user: 'UANA', thread: null, answer: body.response_url },
  })
})

describe('people', () => {
  const user = { id: 'UANA', team_id: 'T1', name: 'ana', tz: 'Europe/Berlin', profile: { display_name: 'Ana' } }

  test.each([
    [{}, { isAdmin: false, isMember: true, isStranger: false }],
    [{ is_admin: true }, { isAdmin: true }],
    [{ is_owner: true }, { isAdmin: true }],
    [{ is_primary_owner: true }, { isAdmin: true }],
    [
      { is_admin: true, is_restricted: true },
      { isAdmin: false, isMember: false, isStranger: false },
    ],
    [{ is_admin: true, is_ultra_restricted: true }, { isAdmin: false }],
    [
      { is_admin: true, is_stranger: true },
      { isAdmin: false, isStranger: true },
    ],
    [
      { is_admin: true, team_id: 'T2' },
      { isAdmin: false, isStranger: true },
    ],
    [
      { is_owner: true, is_bot: true },
      { isAdmin: false, isStranger: true },
    ],
    [{ is_owner: true, deleted: true }, { isAdmin: false }],
  ])('with %j are %j', (flags, expected) =>
    expect(personOf('UANA', { ...user, ...flags }, 'T1')).toMatchObject(expected),
  )

  test('are named as they wish, in their own zone', () => {
    expect(authorOf(personOf('UANA', user, 'T1'), 'T1')).toEqual(ANA)
    expect(personOf('UX', {}, 'T1').name).toBe('UX')
  })
})

describe('files', () => {
  const file = {
    name: 'a.csv',
    size: 10,
    mimetype: 'text/csv',
    url_private: 'https://files.slack.com/files-pri/T1-F1/a.csv',
  }
  const reading = { token: 'xoxb-secret', apiUrl: null, signal: new AbortController().signal }

  test('that Slack tells enough of come along', () => {
    expect(filesOf([file, { ...file, mode: 'tombstone' }, { ...file, mimetype: 'image/png', name: 'b.png' }])).toEqual([
      { name: 'a.csv', size: 10, isText: true, source: { url: file.url_private } },
      { name: 'b.png', size: 10, isText: false, source: { url: file.url_private } },
    ])
  })

  test.each([
    ['https://evil.example/a.csv'],
    ['https://files.slack.com.evil.example/a'],
    ['http://files.slack.com/a'],
    [5],
  ])('at %s are not asked for, so that the token goes nowhere else', async (url) => {
    const asked = readText({ name: 'a.csv', size: 1, isText: true, source: { url } }, reading)
    await expect(asked).rejects.toThrow('The file a.csv is not kept by Slack')
  })
})

test('times are compared as Slack writes them', () => {
  expect(isBefore('1764875000.000199', '1764875000.000200')).toBe(true)
  expect(isBefore('999999999.000001', '1764875000.000200')).toBe(true)
  expect(isBefore('1764875000.000200', '1764875000.000200')).toBe(false)
})

test('the conversation of a thread is the same for its first message and all that follow', () => {
  const first = writtenBy(message({ ts: '5.1', event_ts: '5.1' }), SELF)
  const next = writtenBy(message({ ts: '6.1', thread_ts: '5.1' }), SELF)
  expect(conversationOf(first!, SELF)).toBe(conversationOf(next!, SELF))
})
