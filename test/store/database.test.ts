import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { createMailbox } from '../../src/mailbox.ts'
import * as mail from '../../src/schema/mail.ts'
import * as schema from '../../src/schema.ts'
import { type Database, DatabaseError, rowsOf, textArray } from '../../src/store/database.ts'
import { openServer } from '../../src/store/server.ts'
import { newDatabase } from '../database.ts'

const server = process.env['DATABASE_URL']

async function tablesOf({ queries }: Database): Promise<readonly unknown[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`,
  )
  return rows.map((row) => row['table_name'])
}

async function migrationsOf({ queries }: Database): Promise<unknown> {
  const [row] = await rowsOf(queries, sql`SELECT count(*)::int AS count FROM drizzle.__drizzle_migrations`)
  return row?.['count']
}

const TABLES = Object.values({ ...schema, ...mail })
  .filter((part) => is(part, PgTable))
  .map((table) => getTableName(table))
  .toSorted()

describe('a database', () => {
  test('that is opened a second time is migrated no further and keeps what it holds', async () => {
    const place = await newDatabase()
    const first = await place.open('attune:first')
    expect(await tablesOf(first)).toEqual(TABLES)
    const migrations = await migrationsOf(first)
    await first.queries.execute(sql`INSERT INTO workspaces (workspace_id) VALUES ('W')`)
    await first.close()
    const second = await place.open('attune:second')
    expect(await tablesOf(second)).toEqual(TABLES)
    expect(await migrationsOf(second)).toBe(migrations)
    expect(await rowsOf(second.queries, sql`SELECT * FROM workspaces`)).toEqual([
      { workspace_id: 'W', tuning: {}, left_at: null },
    ])
    expect(await second.alive()).toContain('attune:second')
    await second.close()
    await place.remove()
  })

  test('takes lists of texts with whatever is in them, and no statement in them', async () => {
    const place = await newDatabase()
    const database = await place.open('attune:texts')
    const texts = ['', "it's", '"quoted", {x}', '\\', "'); DROP TABLE turns; --", '日本 🙂', 'a,b']
    const list = async (given: readonly string[]) =>
      (await rowsOf(database.queries, sql`SELECT ${textArray(given)} AS texts`))[0]?.['texts']
    expect(await list(texts)).toEqual(texts)
    expect(await list([])).toEqual([])
    await database.close()
    await place.remove()
  })

  test('forgets a transaction that fails', async () => {
    const place = await newDatabase()
    const database = await place.open('attune:fails')
    const failing = database.queries.transaction(async (transaction) => {
      await transaction.execute(sql`INSERT INTO workspaces (workspace_id) VALUES ('W')`)
      throw new Error('half way')
    })
    await expect(failing).rejects.toThrow('half way')
    expect(await rowsOf(database.queries, sql`SELECT * FROM workspaces`)).toEqual([])
    await database.close()
    await place.remove()
  })
})

describe.skipIf(!server)('a server (only where DATABASE_URL is set)', () => {
  test('that is new to four processes at once is migrated once', async () => {
    const place = await newDatabase()
    const names = [1, 2, 3, 4].map((number) => `attune:start-${number}`)
    const databases = await Promise.all(names.map(place.open))
    const [first] = databases
    if (first === undefined) throw new Error('None was opened')
    expect(await tablesOf(first)).toEqual(TABLES)
    const entries = await rowsOf(first.queries, sql`SELECT hash FROM drizzle.__drizzle_migrations`)
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(entries.length)
    await Promise.all(databases.map((database) => database.alive()))
    expect(await first.alive()).toEqual(expect.arrayContaining(names))
    const letters = await Promise.all(databases.map((database, i) => createMailbox(database, names[i]!).isEmpty(['x'])))
    expect(letters).toEqual([true, true, true, true])
    await Promise.all(databases.map((database) => database.close()))
    await place.remove()
  })

  test('that does not know the user, the database or the password is told in a sentence without the password', async () => {
    for (const change of [{ pathname: '/attune_nowhere' }, { username: 'attune_nobody', password: 'hunter2' }]) {
      const url: URL = Object.assign(new URL(server ?? ''), change)
      const failed = await openServer(url.href, 'attune:test').catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(DatabaseError)
      expect(String(failed)).toMatch(
        /^Error: Expected `DATABASE_URL` to be a Postgres server with pgvector that I can use, got an error \([0-9A-Z]{5}: .*(attune_nowhere|attune_nobody).*\)\. Check the address, the password and that the server runs\.$/,
      )
      expect(String(failed)).not.toContain('hunter2')
    }
  })
})

describe('an address', () => {
  test.each([
    ['postgres://user:hunter2@127.0.0.1:1/attune', 'ECONNREFUSED'],
    ['postgres://user:hunter2@attune.invalid/attune', 'ENOTFOUND|EAI_AGAIN'],
  ])('%s at which nothing answers is told in a sentence without the password', async (url, code) => {
    const failed = await openServer(url, 'attune:test').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(DatabaseError)
    expect(String(failed)).toMatch(
      new RegExp(
        `^Error: Expected \`DATABASE_URL\` to be a Postgres server with pgvector that I can use, got an error \\((${code}): .*\\)\\. Check the address`,
      ),
    )
    expect(String(failed)).not.toContain('hunter2')
  })
})
