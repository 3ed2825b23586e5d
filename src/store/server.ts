/** A Postgres server that several processes share. */

import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { type Database, DatabaseError, MIGRATIONS, reason } from './database.ts'

/** Any number, as long as nothing else on the server takes it. */
const MIGRATION_LOCK = 4_128_883
const CONNECTIONS = 10

/** A Postgres server with pgvector; migrated, one process at a time. */
export async function openServer(url: string, me: string): Promise<Database> {
  const options = {
    onnotice: () => {},
    connection: { application_name: me, plan_cache_mode: 'force_generic_plan' },
    connect_timeout: 10,
  }
  const migrator = postgres(url, { ...options, max: 1 })
  try {
    await migrator`SELECT pg_advisory_lock(${MIGRATION_LOCK})`
    await migrate(drizzle(migrator), MIGRATIONS)
  } catch (error) {
    throw new DatabaseError(unreachable(error))
  } finally {
    await migrator.end({ timeout: 1 })
  }
  const client = postgres(url, { ...options, max: CONNECTIONS })
  return {
    queries: drizzle(prepared(client)),
    alive: async () => {
      const sessions = await client`SELECT DISTINCT application_name AS name FROM pg_stat_activity`
      return sessions.map((session) => String(session['name']))
    },
    listen: async (channel, heard) => void (await client.listen(channel, heard, () => heard(''))),
    vacuum: async () => {},
    close: () => client.end({ timeout: 1 }),
  }
}

/** Every statement is planned once and then only run: planning takes longer than most of them run. */
function prepared(client: Sql): Sql {
  const begin = client.begin.bind(client) as (work: (transaction: TransactionSql) => unknown) => Promise<unknown>
  return Object.assign(preparing(client), {
    begin: (work: (transaction: TransactionSql) => unknown) => begin((transaction) => work(preparing(transaction))),
  }) as Sql
}

function preparing<T extends Sql | TransactionSql>(client: T): T {
  const unsafe = client.unsafe.bind(client)
  const prepared: typeof unsafe = (text, parameters, options) => unsafe(text, parameters, { ...options, prepare: true })
  return Object.assign(client, { unsafe: prepared })
}

function unreachable(error: unknown): string {
  const text = reason(error)
  const hint = /vec/.test(text)
    ? 'Install pgvector 0.7 or newer on that server, or use an image that has it.'
    : 'Check the address, the password and that the server runs.'
  return `Expected \`DATABASE_URL\` to be a Postgres server with pgvector that I can use, got an error (${text}). ${hint}`
}
