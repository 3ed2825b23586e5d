import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTraces } from '../../src/memory/trace.ts'
import { type Database, rowsOf } from '../../src/store/database.ts'
import { newDatabase } from '../database.ts'

let place: Awaited<ReturnType<typeof newDatabase>>
let database: Database
beforeAll(async () => {
  place = await newDatabase()
  database = await place.open('attune:trace')
})
afterAll(async () => {
  await database.close()
  await place.remove()
})

/** The trace that the database makes of it. */
async function traceOf(id: number, at: string, conversation: string, question: string): Promise<Uint8Array> {
  const [row] = await rowsOf(
    database.queries,
    sql`SELECT encode(attune_trace(${id}::bigint, ${at}::timestamptz, ${conversation}, ${question}), 'base64') AS trace`,
  )
  return Buffer.from(String(row?.['trace']), 'base64')
}

async function hashesOf(words: readonly string[]): Promise<readonly number[]> {
  const rows = await Promise.all(words.map((word) => rowsOf(database.queries, sql`SELECT hashtext(${word}) AS hash`)))
  return rows.map(([row]) => Number(row?.['hash']))
}

test('what the database makes of turns is read as they were said', async () => {
  const many = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ')
  const traces = await Promise.all([
    traceOf(1, '2026-03-01T09:00:30Z', 'terminal:w:direct:ana', 'The cats of my sister sleep. Where are the cats?'),
    traceOf(2 ** 40, '1969-12-31T23:00:00Z', 'terminal:w:direct:ana', ''),
    traceOf(3, '2026-03-01T09:01:00Z', 'terminal:w:#team', many),
  ])
  const hashes = await hashesOf(['cat', 'sleep', 'dog', 'sister', 'word0'])
  const { ids, at, conversations, matches, lengths, asks } = readTraces(Buffer.concat(traces), hashes)
  expect(ids).toEqual([1, 2 ** 40, 3])
  expect(at).toEqual([Date.UTC(2026, 2, 1, 9, 0) / 60_000, -60, Date.UTC(2026, 2, 1, 9, 1) / 60_000])
  expect(conversations[0]).toBe(conversations[1])
  expect(conversations[2]).not.toBe(conversations[0])
  expect(matches).toEqual([0b01011, 0, 0b10000])
  expect(lengths).toEqual([3, 0, 128])
  expect(asks).toEqual([1, 0, 0])
})

test('nothing is read from nothing', () => {
  const { ids, matches } = readTraces(new Uint8Array(), [1, 2])
  expect([ids, matches]).toEqual([[], []])
})
