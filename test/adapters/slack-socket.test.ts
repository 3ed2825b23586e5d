/** Events come in by two sockets, are stored before they are acknowledged, and are handled once. */

import { afterEach, describe, expect, test } from 'vitest'
import { PlatformError } from '../../src/adapter.ts'
import { openSlackSet, type SetOptions, type SlackSet } from './slack-set.ts'

let set: SlackSet
afterEach(() => set.close())
const open = async (options: SetOptions = {}) => {
  set = await openSlackSet(options)
  return set
}
const texts = () => set.bot.received.map(({ text }) => text)

test('a direct message is answered in its thread', async () => {
  const { slack } = await open()
  const post = slack.say('UANA', 'DANA', 'hello')
  const isAnswer = ({ user, shown }: { user: string; shown: string }) => user === 'UBOT' && shown === 'you said: hello'
  await slack.until('an answer', () => slack.posts('DANA', { thread: post.ts }).some(isAnswer))
  expect(set.bot.received[0]).toMatchObject({
    author: { id: 'slack:T1:UANA', timezone: 'Europe/Berlin' },
    conversation: 'slack:T1:DANA',
    context: 'direct',
  })
})

test.each([[false], [true]])('one mention is one turn, whichever of its two events comes first (%s)', async (first) => {
  const { slack, bot } = await open({
    before: (slack) => {
      slack.putMentionFirst(first)
    },
  })
  slack.say('UANA', 'CGENERAL', '<@UBOT> hi')
  await slack.until('both', () => slack.deliveries().filter(({ ackedAfter }) => ackedAfter !== undefined).length >= 2)
  await bot.idle()
  expect(new Set(bot.received.map(({ id }) => id)).size).toBe(1)
  expect(slack.posts('CGENERAL').filter(({ user }) => user === 'UBOT')).toHaveLength(1)
})

test('what others say in a channel, and what a stranger asks, is left alone', async () => {
  const { slack, bot } = await open()
  slack.say('UANA', 'CGENERAL', 'just talking')
  slack.say('USTRANGER', 'CSHARED', '<@UBOT> hello?')
  slack.say('UOTHERBOT', 'CGENERAL', '<@UBOT> warning')
  const last = slack.say('UANA', 'CGENERAL', '<@UBOT> you there?')
  await slack.until('the last', () => slack.posts('CGENERAL', { thread: last.ts }).some(({ user }) => user === 'UBOT'))
  await bot.idle()
  expect(new Set(texts())).toEqual(new Set(['you there?']))
})

test('whoever talks with it in a thread goes on without a mention; nobody else does', async () => {
  const { slack, bot } = await open()
  const root = slack.say('UANA', 'CGENERAL', '<@UBOT> hi')
  await slack.until('an answer', () => slack.posts('CGENERAL').some(({ user }) => user === 'UBOT'))
  slack.say('UBEA', 'CGENERAL', 'me too', { thread: root.ts })
  slack.say('UANA', 'CGENERAL', 'and more', { thread: root.ts })
  await slack.until('more', () => texts().includes('and more'))
  expect(texts()).not.toContain('me too')
  expect(new Set(bot.received.map(({ conversation }) => conversation)).size).toBe(1)
})

test('an event that could not be stored is not acknowledged, comes again, and is answered once', async () => {
  const { slack, bot } = await open({ fake: { deadline: 150 } })
  const receive = bot.receive
  let failures = 1
  bot.receive = async (message) => {
    if (failures-- > 0) throw new Error('the database is away')
    return receive(message)
  }
  slack.say('UANA', 'DANA', 'hello')
  await slack.until('a second delivery', () =>
    slack.deliveries().some(({ attempt, ackedAfter }) => attempt > 0 && ackedAfter !== undefined),
  )
  await bot.idle()
  expect(slack.deliveries()[0]?.missed).toBe(true)
  await slack.until('the answer', () => slack.posts('DANA').filter(({ user }) => user === 'UBOT').length === 1)
  expect(set.warned.join()).not.toContain('hello')
})

test('an event that comes four times is one turn', async () => {
  const { slack, bot } = await open({ fake: { deadline: 100 } })
  slack.loseAcks(3)
  slack.say('UANA', 'DANA', 'hello')
  await slack.until('four deliveries', () => slack.deliveries().length >= 4)
  await bot.idle()
  expect(new Set(bot.received.map(({ id }) => id)).size).toBe(1)
  expect(slack.posts('DANA').filter(({ user }) => user === 'UBOT')).toHaveLength(1)
})

test('messages that arrive in the wrong order are handed on in theirs', async () => {
  const { slack } = await open({ adapter: { orderMs: 100 } })
  slack.hold()
  for (const word of ['one', 'two', 'three']) slack.say('UANA', 'DANA', word)
  slack.release('reversed')
  await slack.until('all', () => set.bot.received.length === 3)
  expect(texts()).toEqual(['one', 'two', 'three'])
})

test('while a socket is renewed the other takes what comes, and both are there again', async () => {
  const { slack } = await open()
  slack.refresh('refresh_requested')
  for (let n = 0; n < 5; n += 1) slack.say('UANA', 'DANA', `message ${n}`)
  await slack.until('all', () => new Set(texts()).size === 5)
  await slack.connected(2)
})

test('cut sockets and an outage are survived', async () => {
  const { slack } = await open()
  slack.drop()
  await slack.connected(2)
  slack.outage()
  await slack.until('none is open', () => slack.sockets() === 0)
  slack.restore()
  await slack.connected(2)
  slack.say('UANA', 'DANA', 'back?')
  await slack.until('the message', () => texts().includes('back?'))
})

describe('what needs somebody', () => {
  const refused = async (options: SetOptions) => {
    await open({ ...options, isConnected: false })
    const error: unknown = await set.ran.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(PlatformError)
    return error instanceof Error ? error.message : ''
  }

  test('a bot token that is refused', async () => {
    expect(await refused({ before: (slack) => slack.revoke('bot') })).toMatch(
      /^Slack refused `SLACK_BOT_TOKEN` \(\w+\): install the app anew and copy the Bot User OAuth Token/,
    )
  })

  test('an app token that is refused', async () => {
    expect(await refused({ before: (slack) => slack.revoke('app') })).toMatch(
      /^Slack refused `SLACK_APP_TOKEN` \(\w+\): make a new app-level token with the scope `connections:write`/,
    )
  })

  test('an app token that is revoked later ends the run when a socket is renewed, and nothing crashes', async () => {
    const { slack, ran } = await open()
    slack.revoke('app')
    slack.refresh('refresh_requested')
    slack.drop()
    await expect(ran).rejects.toThrow(/^Slack refused `SLACK_APP_TOKEN`/)
  })
})
