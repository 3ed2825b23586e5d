/** The work of a night: once per workspace, in its own night, by whichever process is first. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Llm } from '../src/llm/chat.ts'
import { nightOf, workNights } from '../src/nightly.ts'
import { loadAnalyser } from '../src/preference/analyser.ts'
import { loadPrompts } from '../src/prompts.ts'
import { rowsOf } from '../src/store/database.ts'
import { saveTuning } from '../src/store/people.ts'
import { loadLines } from '../src/store/profile.ts'
import { openServer } from '../src/store/server.ts'
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
  expect(nightOf(new Date(at), { timezone })).toBe(night)
})

test.each([
  // 02:30 is skipped: the night begins when clocks show 03:30, which is as long after the day before.
  ['2026-03-29T00:59:00Z', 'Europe/Berlin', '02:30', '2026-03-28'],
  ['2026-03-29T01:29:00Z', 'Europe/Berlin', '02:30', '2026-03-28'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '02:30', '2026-03-29'],
  ['2026-03-29T23:00:00Z', 'Europe/Berlin', '02:30', '2026-03-29'],
  ['2026-03-30T00:30:00Z', 'Europe/Berlin', '02:30', '2026-03-30'],
  // 02:30 comes twice: the first begins the night, the second and the hour between belong to it.
  ['2026-10-25T00:29:00Z', 'Europe/Berlin', '02:30', '2026-10-24'],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '02:30', '2026-10-25'],
  ['2026-10-25T01:15:00Z', 'Europe/Berlin', '02:30', '2026-10-25'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '02:30', '2026-10-25'],
  ['2026-03-08T07:29:00Z', 'America/New_York', '02:30', '2026-03-07'],
  ['2026-03-08T07:30:00Z', 'America/New_York', '02:30', '2026-03-08'],
  ['2026-11-01T05:30:00Z', 'America/New_York', '01:30', '2026-11-01'],
  ['2026-11-01T06:15:00Z', 'America/New_York', '01:30', '2026-11-01'],
  // Midnight itself is skipped in Beirut, and comes twice in the Azores.
  ['2026-03-28T22:00:00Z', 'Asia/Beirut', '00:00', '2026-03-29'],
  ['2026-10-25T00:00:00Z', 'Atlantic/Azores', '00:00', '2026-10-25'],
  ['2026-10-25T00:59:00Z', 'Atlantic/Azores', '00:00', '2026-10-25'],
  ['2026-03-02T22:59:00Z', 'UTC', '23:00', '2026-03-01'],
  ['2026-03-02T23:00:00Z', 'UTC', '23:00', '2026-03-02'],
])('at %s in %s, where nights begin at %s, it is the night of %s', (at, timezone, night, date) => {
  expect(nightOf(new Date(at), { timezone, night })).toBe(date)
})

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'Atlantic/Azores'])(
  'every half hour around the changes of clocks in %s belongs to a night, and no night comes back',
  (timezone) => {
    const days = ['2026-03-07', '2026-03-28', '2026-04-03', '2026-10-03', '2026-10-24', '2026-10-31']
    for (const night of ['00:00', '02:00', '02:30', '23:59']) {
      for (const day of days) {
        const nights = Array.from({ length: 3 * 48 }, (_, half) =>
          nightOf(new Date(Date.parse(day) + half * 1_800_000), { timezone, night }),
        )
        const begun = [...new Set(nights)]
        expect(nights).toEqual(nights.toSorted())
        // None is left out: each is the day after the one before.
        for (const [i, date] of begun.slice(1).entries())
          expect(Date.parse(date) - Date.parse(begun[i] ?? ''), `${night} ${date}`).toBe(86_400_000)
        expect(begun.length).toBeGreaterThanOrEqual(3)
      }
    }
  },
)

const analyse = loadAnalyser()
let count = 0
function night(now: string, lines: (ids: readonly number[]) => unknown = () => [], database = db.database) {
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
  const told: { workspace: string; slot: string }[] = []
  const parts = {
    database,
    llm,
    prompts: loadPrompts(),
    analyse,
    me: 'attune:test',
    log: {
      debug: ignore,
      info: (line: object) => void told.push(line as (typeof told)[number]),
      warn: ignore,
      error: ignore,
    },
    quiet: async () => {},
    signal: new AbortController().signal,
  }
  const worked = (workspace: string) => told.filter((line) => line.workspace === workspace).map(({ slot }) => slot)
  return { work: () => workNights(parts, new Date(now)), asked: () => asked, worked }
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

  test('begins at the time and in the zone of its workspace, once on days when clocks change', async () => {
    const workspace = `night${++count}`
    const speaker = createSpeaker(db.database, { workspace, isAdmin: true })
    await speaker.command('/tune timezone Europe/Berlin')
    await speaker.command('/tune night 02:30')
    const slots: string[] = []
    // Each half hour around both changes, looked at by two processes at once.
    for (const start of ['2026-03-28T23:00:00Z', '2026-10-24T23:00:00Z']) {
      for (let half = 0; half < 10; half++) {
        const now = new Date(Date.parse(start) + half * 1_800_000).toISOString()
        const looks = [night(now), night(now)]
        await Promise.all(looks.map(({ work }) => work()))
        slots.push(...looks.flatMap(({ worked }) => worked(workspace)))
      }
    }
    expect(slots).toEqual(['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25'])
  })

  // An embedded database has one process; on a server each has connections of its own.
  test.runIf(process.env['DATABASE_URL'])('is worked by one of several processes', async () => {
    const workspace = `night${++count}`
    await createSpeaker(db.database, { workspace }).say({ question: 'I have a tortoise called Quimby.' })
    const url = db.env['DATABASE_URL'] ?? ''
    const processes = await Promise.all([1, 2, 3, 4].map((n) => openServer(url, `attune:night${n}`)))
    for (const at of ['2026-03-02T04:00:00Z', '2026-03-02T04:05:00Z', '2026-03-03T04:00:00Z']) {
      const looks = processes.map((database) => night(at, () => [], database))
      await Promise.all(looks.map(({ work }) => work()))
      expect(looks.flatMap(({ worked }) => worked(workspace))).toHaveLength(at.includes(':05') ? 0 : 1)
    }
    await Promise.all(processes.map((database) => database.close()))
  })

  test('is not worked again when its hour is moved to later the same day, and one that was slept through is made up for', async () => {
    const workspace = `night${++count}`
    const speaker = createSpeaker(db.database, { workspace, isAdmin: true })
    await speaker.command('/tune night 04:00')
    const first = night('2026-03-02T04:00:00Z')
    await first.work()
    expect(first.worked(workspace)).toEqual(['2026-03-02'])
    await speaker.command('/tune night 23:00')
    for (const at of ['2026-03-02T12:00:00Z', '2026-03-02T23:00:00Z']) {
      const look = night(at)
      await look.work()
      expect(look.worked(workspace)).toEqual([])
    }
    const next = night('2026-03-03T23:00:00Z')
    await next.work()
    expect(next.worked(workspace)).toEqual(['2026-03-03'])
    // The bot was down for some nights: the last of them is made up for.
    const late = night('2026-03-07T12:00:00Z')
    await late.work()
    expect(late.worked(workspace)).toEqual(['2026-03-06'])
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
