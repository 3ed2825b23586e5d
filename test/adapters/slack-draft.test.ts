/** Replies on their way into Slack: shown while they grow, posted once whatever happens, seen by whom they are for. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Outbox } from '../../src/adapter.ts'
import { openSlackSet, type SlackSet } from './slack-set.ts'

let set: SlackSet
let root: { readonly ts: string }
beforeEach(async () => {
  set = await openSlackSet({ isHolding: true })
  root = set.slack.say('UANA', 'CGENERAL', '<@UBOT> hi')
})
afterEach(() => set.close())

const KEY = 'slack:T1:CGENERAL:1.1'
const ours = (channel = 'CGENERAL') => set.slack.posts(channel).filter(({ user }) => user === 'UBOT')
const shown = () => ours().map(({ shown }) => shown)
const count = (method: string) => set.slack.requests(method).length
const target = (channel = 'CGENERAL') => ({ team: 'T1', channel, user: 'UANA', thread: root.ts })
const say = (text: string) => ({ text, isPrivate: false })

/** What the database keeps of a reply's posts, for the test to look at and to hand to the next process. */
function keep(posts: Outbox['posts'] = []) {
  const kept = new Map(posts.map(({ part, id }) => [part, id]))
  const outbox: Outbox = {
    posts,
    begin: async (part) => void kept.set(part, kept.get(part) ?? null),
    posted: async (part, id) => void kept.set(part, id),
  }
  return { outbox, posts: () => [...kept].map(([part, id]) => ({ part, id })) }
}
const open = (posts: Outbox['posts'] = [], channel = 'CGENERAL') => {
  const kept = keep(posts)
  return { draft: set.platform.open([target(channel)], KEY, kept.outbox), ...kept }
}

test('a reply grows in one post and ends as the final text', async () => {
  const { draft, posts } = open()
  draft.update('Hel')
  await set.slack.until('the beginning', () => shown()[0] === 'Hel')
  draft.update('Hello **wor')
  await set.slack.until('more', () => shown()[0]?.startsWith('Hello') === true)
  const ids = await draft.finish(say('Hello **world**'))
  expect(shown()).toEqual(['Hello *world*'])
  expect(ids).toEqual([`slack:T1:CGENERAL:${ours()[0]?.ts}`])
  expect(posts()).toEqual([{ part: 0, id: ids[0] }])
})

test('a reply that starts anew replaces what was shown', async () => {
  const { draft } = open()
  draft.update('a b')
  await set.slack.until('the beginning', () => shown()[0] === 'a b')
  draft.update('c')
  await draft.finish(say('c'))
  expect(shown()).toEqual(['c'])
})

test('a reply that shows its end already is not sent again', async () => {
  const { draft } = open()
  draft.update('whole')
  await set.slack.until('all', () => shown()[0] === 'whole')
  const before = count('chat.update')
  await draft.finish(say('whole'))
  expect([count('chat.update'), count('chat.postMessage'), shown()]).toEqual([before, 1, ['whole']])
})

test('a long reply is posted in parts, in order, none of them lost', async () => {
  const text = Array.from({ length: 900 }, (_, n) => `word number ${n}`).join(' ')
  const { draft } = open()
  const ids = await draft.finish({ ...say(text), isRatable: true })
  expect(ids.length).toBeGreaterThan(2)
  expect(shown().join(' ').replace(/\s+/g, ' ')).toContain('word number 899')
  for (const request of set.slack.requests('chat.postMessage')) {
    expect(String(request.args['text']).length).toBeLessThanOrEqual(3_800)
    expect(JSON.stringify(request.args['blocks'] ?? '').length).toBeLessThan(12_000)
  }
  const buttons = ours().map(({ blocks }) => JSON.stringify(blocks ?? []).includes('feedback_buttons'))
  expect(buttons).toEqual(ids.map((_, n) => n === ids.length - 1))
})

test.each([[''], ['  \n'], ['\u200b']])('a blank reply %j posts nothing', async (text) => {
  const { draft } = open()
  draft.update(text)
  expect(await draft.finish(say(text))).toEqual([])
  expect(count('chat.postMessage')).toBe(0)
})

test('what a reply says notifies nobody', async () => {
  const { draft } = open()
  await draft.finish({ ...say('<!channel> <@UBEA> @here &lt;!everyone&gt; user@example.com'), isRatable: true })
  for (const post of ours()) expect(set.slack.pings(post)).toEqual({ users: [], groups: [], broadcasts: [] })
})

describe('after a crash', () => {
  test('a post that is known is changed, and no second one is made', async () => {
    const before = open()
    before.draft.update('half')
    await set.slack.until('the beginning', () => shown()[0] === 'half')
    const { draft } = open(before.posts())
    const ids = await draft.finish(say('whole'))
    expect(shown()).toEqual(['whole'])
    expect(ids).toEqual(before.posts().map(({ id }) => id))
  })

  test('a post of which nobody knows is found by its mark', async () => {
    set.slack.fail('chat.postMessage', { cut: 'after' })
    const before = open()
    await expect(before.draft.finish(say('hello'))).rejects.toThrow()
    expect(before.posts()).toEqual([{ part: 0, id: null }])
    const { draft } = open(before.posts())
    const ids = await draft.finish(say('hello'))
    expect(shown()).toEqual(['hello'])
    expect(ids).toEqual([`slack:T1:CGENERAL:${ours()[0]?.ts}`])
  })

  test('a post that was begun and is not there is made', async () => {
    const { draft } = open([{ part: 0, id: null }])
    await draft.finish(say('hello'))
    expect(shown()).toEqual(['hello'])
  })

  test('parts left over from a longer reply are taken away', async () => {
    const before = open()
    await before.draft.finish(say(`${'a'.repeat(3_700)}\n\n${'b'.repeat(3_700)}`))
    expect(ours()).toHaveLength(2)
    await open(before.posts()).draft.finish(say('short'))
    expect(shown()).toEqual(['short'])
  })

  test('a post that somebody deleted is made anew', async () => {
    const before = open()
    await before.draft.finish(say('first'))
    set.slack.remove(ours()[0]!)
    await open(before.posts()).draft.finish(say('second'))
    expect(shown()).toEqual(['second'])
  })
})

describe('a draft whose beginning got lost', () => {
  test('is one post in the end', async () => {
    set.slack.fail('chat.postMessage', { cut: 'after' })
    const { draft } = open()
    draft.update('Hel')
    await set.slack.until('a warning', () => set.warned.length > 0)
    await draft.finish(say('Hello'))
    expect(shown()).toEqual(['Hello'])
    expect(set.warned.join()).not.toMatch(/Hel/)
  })
})

describe('limits', () => {
  test('Slack’s wish to wait is obeyed, and the reply comes', async () => {
    set.slack.fail('chat.postMessage', { retryAfter: 1 })
    const started = performance.now()
    await open().draft.finish(say('hello'))
    expect(performance.now() - started).toBeGreaterThan(950)
    expect([count('chat.postMessage'), shown()]).toEqual([2, ['hello']])
  })

  test('a server that fails gets no second post from here: the reply is tried again later', async () => {
    set.slack.fail('chat.postMessage', { status: 503 })
    await expect(open().draft.finish(say('hello'))).rejects.toThrow()
    expect(count('chat.postMessage')).toBe(1)
  })

  test('where nobody can post, the reply is given up with a line in the log', async () => {
    set.slack.fail('chat.postMessage', { error: 'is_archived' })
    expect(await open().draft.finish(say('hello'))).toEqual([])
    expect(set.warned.join()).toContain('is_archived')
  })
})

describe('a private reply', () => {
  test('in a channel is seen by its reader alone', async () => {
    await open().draft.finish({ text: 'secret', isPrivate: true })
    expect(ours()).toEqual([])
    expect(set.slack.ephemerals('UANA', 'CGENERAL').map(({ shown }) => shown)).toEqual(['secret'])
    expect(set.slack.ephemerals('UBEA', 'CGENERAL')).toEqual([])
  })

  test('to somebody who is not in the channel any more comes as a direct message', async () => {
    set.slack.fail('chat.postEphemeral', { error: 'user_not_in_channel' })
    await open().draft.finish({ text: 'secret', isPrivate: true })
    expect(ours('DANA').map(({ shown }) => shown)).toEqual(['secret'])
  })

  test('in a direct chat is an ordinary post', async () => {
    root = set.slack.say('UANA', 'DANA', 'hi')
    await open([], 'DANA').draft.finish({ text: 'between us', isPrivate: true })
    expect(ours('DANA').map(({ shown }) => shown)).toEqual(['between us'])
  })
})

test('while it thinks it says so, and a reply that will not come takes that back', async () => {
  const { draft } = open()
  await set.slack.until('the status', () => set.slack.status('CGENERAL', root.ts) === 'is thinking…')
  draft.abandon()
  await set.slack.until('no status', () => !set.slack.status('CGENERAL', root.ts))
  expect(ours()).toEqual([])
})

test('own posts are taken away by their ids, and those that are gone already are no fault', async () => {
  const ids = await open().draft.finish(say('hello'))
  await set.platform.remove?.([...ids, ...ids, 'slack:T1:CGENERAL:command:5:part:0'])
  expect(ours()).toEqual([])
})
