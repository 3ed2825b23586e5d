/** The work of a night: once per workspace, in its own night, by whichever process is first. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Llm } from '../src/llm/chat.ts'
import { nightOf, workNights } from '../src/nightly.ts'
import { loadPrompts } from '../src/prompts.ts'
import { rowsOf } from '../src/store/database.ts'
import { saveTuning } from '../src/store/people.ts'
import { loadLines } from '../src/store/profile.ts'
import { markLeft } from '../src/store/tenure.ts'
import { createSpeaker } from './commands/speaker.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test.each([
  ['2026-03-02T03:59:59Z', 'UTC', '2026-03-01'],
  ['2026-03-02T04:00:00Z', 'UTC', '2026-03-02'],
  ['2026-03-02T23:00:00Z', 'UTC', '2026-03-02'],
  ['2026-03-02T08:59:00Z', 'America/New_York', '2026-03-01'],
  ['2026-03-02T09:00:00Z', 'America/New_York', '2026-03-02'],
  ['2026-03-01T18:31:00Z', 'Asia/Kolkata', '2026-03-01'],
  ['2026-03-01T22:31:00Z', 'Asia/Kolkata', '2026-03-02'],
  // Clocks go forward at two, so that the night is an hour shorter; back at three, an hour longer.
  ['2026-03-29T01:59:00Z', 'Europe/Berlin', '2026-03-28'],
  ['2026-03-29T02:00:00Z', 'Europe/Berlin', '2026-03-29'],
  ['2026-10-25T02:59:00Z', 'Europe/Berlin', '2026-10-24'],
  ['2026-10-25T03:00:00Z', 'Europe/Berlin', '2026-10-25'],
])('at %s in %s it is the night of %s', (at, timezone, night) => {
  expect(nightOf(new Date(at), timezone)).toBe(night)
})

test('every hour of a year belongs to a night, and no night comes back', () => {
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    const start = Date.UTC(2026, 0, 1)
    const nights = Array.from({ length: 365 * 24 }, (_, hour) => nightOf(new Date(start + hour * 3_600_000), timezone))
    expect(nights).toEqual(nights.toSorted())
    expect(new Set(nights).size).toBe(366)
  }
})

let count = 0
function night(now: string, lines: (ids: readonly number[]) => unknown = () => []) {
  let asked = 0
  const llm: Llm = {
    model: 'scripted',
    contextTokens: 4096,
    async chat(messages) {
      asked++
      const ids = [...messages[0]!.content.matchAll(/^\[(\d+)\]/gm)].map(([, id]) => Number(id))
      return { text: JSON.stringify({ lines: lines(ids) }), ms: 1, promptTokens: 1, tokens: 1, retried: false }
    },
  }
  const ignore = () => {}
  const parts = {
    database: db.database,
    llm,
    prompts: loadPrompts(),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    quiet: async () => {},
    signal: new AbortController().signal,
  }
  return { work: () => workNights(parts, new Date(now)), asked: () => asked }
}

describe('a night', () => {
  test('reads for profiles once, however many processes look and however often', async () => {
    const speaker = await createSpeaker(db.database, { workspace: `night${++count}` })
    await speaker.say({ question: 'I have a tortoise called Quimby.' })
    const first = night('2026-03-02T05:00:00Z', (ids) => [{ text: 'I have a tortoise called Quimby.', turns: ids }])
    const second = night('2026-03-02T05:00:00Z')
    await Promise.all([first.work(), second.work()])
    await first.work()
    expect(first.asked() + second.asked()).toBe(1)
    await speaker.say({ question: 'I have a cat called Miro.' })
    await night('2026-03-02T23:00:00Z').work()
    const next = night('2026-03-03T04:00:00Z')
    await next.work()
    expect(next.asked()).toBe(1)
    const runs = await rowsOf(
      db.database.queries,
      sql`SELECT slot FROM cron_runs WHERE workspace_id = ${speaker.place.workspace}`,
    )
    expect(runs).toEqual([{ slot: '2026-03-03' }])
    expect(await loadLines(db.database.queries, speaker.place)).toHaveLength(first.asked())
  })

  test('that failed for one person is made up for the next night', async () => {
    const speaker = await createSpeaker(db.database, { workspace: `night${++count}` })
    await speaker.say({ question: 'I have a tortoise called Quimby.' })
    const failing = night('2026-03-05T05:00:00Z', () => 'nonsense')
    await failing.work()
    expect(await loadLines(db.database.queries, speaker.place)).toEqual([])
    await night('2026-03-06T05:00:00Z', (ids) => [{ text: 'I have a tortoise called Quimby.', turns: ids }]).work()
    expect(await loadLines(db.database.queries, speaker.place)).toHaveLength(1)
  })
})

describe('a workspace that the bot left', () => {
  const rowsIn = async (workspace: string) => {
    const tables = await rowsOf(
      db.database.queries,
      sql`SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id'`,
    )
    const counts = tables.map(
      ({ table_name: table }) =>
        sql`SELECT count(*)::int AS n FROM ${sql.identifier(String(table))} WHERE workspace_id = ${workspace}`,
    )
    const rows = await rowsOf(
      db.database.queries,
      sql`SELECT sum(n)::int AS n FROM (${sql.join(counts, sql` UNION ALL `)}) AS c`,
    )
    return Number(rows[0]?.['n'])
  }

  test('is kept for its days of grace and then erased whole, and no other', async () => {
    const { queries } = db.database
    const workspace = `night${++count}`
    const speaker = await createSpeaker(db.database, { workspace })
    await speaker.say({ question: 'I have a tortoise called Quimby.' })
    const other = await createSpeaker(db.database, { workspace: `night${++count}` })
    await other.say({ question: 'I have a cat.' })
    const others = await rowsIn(other.place.workspace)
    await markLeft(queries, workspace, new Date('2026-04-01T12:00:00Z'))
    await markLeft(queries, workspace, new Date('2026-04-05T12:00:00Z'))
    const early = night('2026-04-08T05:00:00Z')
    await early.work()
    expect(await rowsIn(workspace)).toBeGreaterThan(3)
    await night('2026-04-09T05:00:00Z').work()
    expect(await rowsIn(workspace)).toBe(0)
    expect(await rowsIn(other.place.workspace)).toBeGreaterThanOrEqual(others)
  })

  test('and that it is in again is kept', async () => {
    const workspace = `night${++count}`
    const speaker = await createSpeaker(db.database, { workspace })
    await speaker.say({ question: 'I have a tortoise called Quimby.' })
    await saveTuning(db.database.queries, workspace, { grace: 0 })
    await markLeft(db.database.queries, workspace, new Date('2026-05-01T12:00:00Z'))
    await markLeft(db.database.queries, workspace, null)
    await night('2026-05-09T05:00:00Z').work()
    expect(await rowsIn(workspace)).toBeGreaterThan(3)
    await markLeft(db.database.queries, workspace, new Date('2026-05-09T12:00:00Z'))
    await night('2026-05-10T05:00:00Z').work()
    expect(await rowsIn(workspace)).toBe(0)
  })
})
