/** Slack with the real bot over a real database: what people do there, and what comes of it. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSlack } from '../../adapters/slack.ts'
import type { Platform } from '../../src/adapter.ts'
import { rowsOf } from '../../src/store/database.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { type FakeSlack, startSlack } from '../fakes/slack.ts'
import { openWalk, type Walk } from '../walk.ts'
import { FAST } from './slack-set.ts'

let db: TestDatabase
let slack: FakeSlack
let platform: Platform
let walk: Walk
let ran: Promise<void>
const stop = new AbortController()
const warned: string[] = []

beforeAll(async () => {
  db = await openTestDatabase('attune:walk')
  slack = await startSlack()
  platform = createSlack({
    botToken: slack.botToken,
    appToken: slack.appToken,
    apiUrl: slack.apiUrl,
    warn: (facts, text) => warned.push(`${text} ${JSON.stringify(facts)}`),
    ...FAST,
  })
  walk = openWalk(db.database, (messages) => `You wrote: ${messages.at(-1)?.content}`, { platforms: [platform] })
  ran = platform.run(walk.bot, stop.signal)
  await slack.connected(2)
})

afterAll(async () => {
  await walk.bot.idle()
  await walk.stop()
  stop.abort()
  await ran
  await slack.close()
  await db.close()
})

const answers = (channel: string) => slack.posts(channel).filter(({ user }) => user === 'UBOT')
const answer = (channel: string, words: string) =>
  slack.until(`an answer with "${words}"`, () => answers(channel).find(({ shown }) => shown.includes(words)))
const whispers = (user: string, channel: string) => slack.ephemerals(user, channel).map(({ shown }) => shown)

test('a mention is answered by the model, once, in its thread', async () => {
  const post = slack.say('UANA', 'CGENERAL', '<@UBOT> what is a b-tree?')
  const found = await answer('CGENERAL', 'what is a b-tree?')
  await walk.bot.idle()
  expect(found.thread).toBe(post.ts)
  expect(answers('CGENERAL')).toHaveLength(1)
})

describe('commands', () => {
  test('are acknowledged when they are stored, and answered to their reader alone', async () => {
    const command = slack.slash('UBEA', 'CGENERAL', '/persona')
    await command.acked
    await slack.until('the answer', () => whispers('UBEA', 'CGENERAL').length > 0)
    expect(whispers('UANA', 'CGENERAL')).toEqual([])
    expect(slack.deliveries().some(({ missed }) => missed)).toBe(false)
  })

  test.each([['UANA'], ['UGUEST'], ['UULTRA']])('%s may not tune the workspace', async (user) => {
    const channel = user === 'UANA' ? 'CGENERAL' : `D${user.slice(1)}`
    const before = whispers(user, channel).length
    await slack.slash(user, channel, '/tune', 'lambda 0.3').acked
    await slack.until('the answer', () => whispers(user, channel).length > before)
    expect(whispers(user, channel).at(-1)).toMatch(/admin/)
  })

  test.each([['UADMIN'], ['UOWNER'], ['UPRIMARY']])('%s may', async (user) => {
    const before = whispers(user, 'CGENERAL').length
    await slack.slash(user, 'CGENERAL', '/tune', 'lambda 0.3').acked
    await slack.until('the answer', () => whispers(user, 'CGENERAL').length > before)
    expect(whispers(user, 'CGENERAL').at(-1)).toMatch(/0\.3/)
  })
})

test('a thumb on a reply rates it, by whoever was answered; taken away it counts no more', async () => {
  const rated = () => walk.logged.filter((line) => JSON.stringify(line).includes('reaction_'))
  slack.say('UANA', 'CGENERAL', '<@UBOT> rate me')
  const post = await answer('CGENERAL', 'rate me')
  await walk.bot.idle()
  slack.react('UANA', post, '+1')
  await vi.waitFor(() => expect(JSON.stringify(rated())).toContain('"rated":"up"'), 5000)
  slack.unreact('UANA', post, '+1')
  await vi.waitFor(() => expect(JSON.stringify(rated())).toContain('"rated":null'), 5000)
})

test('a message that is edited before it is answered is answered as it reads then', async () => {
  const post = slack.say('UBEA', 'DBEA', 'first words')
  await answer('DBEA', 'first words')
  slack.edit(post, 'other words')
  await slack.until('the edit', () => slack.deliveries().at(-1)?.ackedAfter !== undefined)
  slack.unfurl(post, [{ title: 'a page' }])
  await walk.bot.idle()
  expect(answers('DBEA')).toHaveLength(1)
})

test('a message that is deleted is forgotten', async () => {
  const post = slack.say('UBEA', 'DBEA', 'my cat is called Tortellini')
  await answer('DBEA', 'Tortellini')
  await walk.bot.idle()
  slack.remove(post)
  await slack.until('the deletion', () => slack.deliveries().every(({ ackedAfter }) => ackedAfter !== undefined))
  await walk.bot.idle()
  const rows = await rowsOf(db.database.queries, sql`SELECT question FROM turns WHERE question <> ''`)
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('Tortellini')
})

test('what was said is in no warning', () => {
  expect(warned.join()).not.toMatch(/b-tree|Tortellini|words|xox|xapp/)
})
