import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rowsOf } from '../../src/store/database.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'

let opened: TestDatabase
let database: Database
beforeAll(async () => {
  opened = await openTestDatabase()
  database = opened.database
})
afterAll(() => opened.close())

test('a statement runs again with other values, types and nulls', async () => {
  const { queries } = database
  const ask = (n: number | null, text: string, list: unknown) =>
    rowsOf(queries, sql`SELECT ${n}::int + 1 AS n, ${text}::text AS text, ${JSON.stringify(list)}::jsonb -> 0 AS first`)
  expect(await ask(1, "it's", [{ a: 1 }])).toMatchObject([{ n: 2, text: "it's" }])
  expect(await ask(null, '', [])).toMatchObject([{ n: null, text: '', first: null }])
  expect(await ask(41, 'ü\n"', ['x'])).toMatchObject([{ n: 42, text: 'ü\n"' }])
})

test('a statement that fails, or can not be planned, leaves the next ones alone', async () => {
  const { queries } = database
  for (let i = 0; i < 3; i++) {
    await expect(rowsOf(queries, sql`SELECT 1 / ${0}::int AS n`)).rejects.toThrow()
    await expect(rowsOf(queries, sql`SELECT no_such_column`)).rejects.toThrow()
    expect(await rowsOf(queries, sql`SELECT 1 / ${1}::int AS n`)).toEqual([{ n: 1 }])
  }
})

test('a transaction keeps all or nothing, with statements that are known and new ones', async () => {
  const { queries } = database
  const add = (id: string) => sql`INSERT INTO workspaces (workspace_id, tuning) VALUES (${id}, '{}')`
  const names = async () =>
    (await rowsOf(queries, sql`SELECT workspace_id FROM workspaces ORDER BY 1`)).map((row) => row['workspace_id'])
  const failing = queries.transaction(async (transaction) => {
    await transaction.execute(add('lost'))
    await transaction.execute(sql`SELECT 1 / 0`)
  })
  await expect(failing).rejects.toThrow()
  await queries.transaction(async (transaction) => {
    await Promise.all([transaction.execute(add('a')), transaction.execute(add('b'))])
  })
  expect(await names()).toEqual(expect.arrayContaining(['a', 'b']))
  expect(await names()).not.toContain('lost')
})

test('statements of more different texts than are kept all run, the first ones again, too', async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 230; i++) {
      expect(await rowsOf(database.queries, sql`SELECT ${i}::int AS ${sql.identifier(`n${i}`)}`)).toEqual([
        { [`n${i}`]: i },
      ])
    }
  }
})

test.skipIf(process.env['DATABASE_URL'])('a transaction that is over runs nothing more', async () => {
  let late: (() => Promise<unknown>) | undefined
  await database.queries.transaction(async (transaction) => {
    late = () => rowsOf(transaction, sql`SELECT 1`)
  })
  await expect(late?.()).rejects.toThrow()
})
