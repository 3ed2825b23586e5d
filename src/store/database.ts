/** One Postgres behind one type: embedded in this process, or a server that several processes share. */

import { accessSync, constants, existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator'
import { drizzle as drizzleServer } from 'drizzle-orm/postgres-js'
import { migrate as migrateServer } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { FolderBusy, lockFolder } from './folder-lock.ts'
import { preparedEmbedded, preparedServer } from './prepared.ts'

/** A database or a transaction on it. */
export type Queries = PgDatabase<PgQueryResultHKT>

export interface Database {
  readonly queries: Queries
  /** Processes that are connected now; a holder that is not among them is dead. */
  alive(): Promise<readonly string[]>
  /** Calls back with what some process notified the channel of; with nothing when something may have been missed. */
  listen(channel: string, heard: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

/** The database can't be had; the message says what to do. */
export class DatabaseError extends Error {}

const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL('../../drizzle', import.meta.url)) }
/** Any number, as long as nothing else on the server takes it. */
const MIGRATION_LOCK = 4_128_883
const CONNECTIONS = 10

/** Embedded Postgres in a folder, locked against a second process; migrated. `image`: what a new folder begins with. */
export async function openEmbedded(folder: string, me: string, image?: Blob): Promise<Database> {
  const unlock = await lockFolder(folder).catch((error: unknown) => {
    if (error instanceof FolderBusy) throw new DatabaseError(error.message)
    throw new DatabaseError(unwritable(folder, error))
  })
  try {
    refuseForeign(folder)
    if (!existsSync(join(folder, 'PG_VERSION'))) await makeWhole(folder, image)
    const client = await PGlite.create(embedded(folder))
    await migrateEmbedded(drizzleEmbedded(client), MIGRATIONS)
    return {
      queries: drizzleEmbedded({ client: preparedEmbedded(client) as PGlite }),
      alive: async () => [me],
      listen: async () => {},
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw new DatabaseError(unwritable(folder, error))
  }
}

/** A new database is made beside its folder and moved there when it is whole: a kill leaves none that is half made. */
async function makeWhole(folder: string, image?: Blob): Promise<void> {
  const beside = `${folder}.new`
  rmSync(beside, { recursive: true, force: true })
  const client = await PGlite.create({ ...embedded(beside), ...(image && { loadDataDir: image }) })
  await client.close()
  rmdirSync(folder)
  renameSync(beside, folder)
}

function embedded(dataDir: string) {
  // A small cache: the operating system's own serves reads, and memory stays under 300 MB.
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']
  return { dataDir, extensions: { vector }, startParams }
}

/** A Postgres server with pgvector; migrated, one process at a time. */
export async function openServer(url: string, me: string): Promise<Database> {
  const options = { onnotice: () => {}, connection: { application_name: me }, connect_timeout: 10 }
  const migrator = postgres(url, { ...options, max: 1 })
  try {
    await migrator`SELECT pg_advisory_lock(${MIGRATION_LOCK})`
    await migrateServer(drizzleServer(migrator), MIGRATIONS)
  } catch (error) {
    throw new DatabaseError(unreachable(error))
  } finally {
    await migrator.end({ timeout: 1 })
  }
  const client = postgres(url, { ...options, max: CONNECTIONS })
  return {
    queries: drizzleServer(preparedServer(client)),
    alive: async () => {
      const sessions = await client`SELECT DISTINCT application_name AS name FROM pg_stat_activity`
      return sessions.map((session) => String(session['name']))
    },
    listen: async (channel, heard) => void (await client.listen(channel, heard, () => heard(''))),
    close: () => client.end({ timeout: 1 }),
  }
}

/** The rows of a statement written by hand, whichever driver runs it. */
export async function rowsOf(queries: Queries, statement: SQL): Promise<readonly Record<string, unknown>[]> {
  const result: unknown = await queries.execute(statement)
  if (Array.isArray(result)) return result
  return (result as { rows: Record<string, unknown>[] }).rows
}

/** A JSON value of such a row: one driver parses it, the other does not. */
export function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

/** A list of texts as one parameter. */
export function textArray(texts: readonly string[]): SQL {
  return sql`ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`
}

/** A database among other files would be a surprise; one that can't be written fails without a word why. */
function refuseForeign(folder: string): void {
  const files = readdirSync(folder)
  if (files.length > 0 && !files.includes('PG_VERSION')) throw new Error('there are other files in it')
  for (const file of ['.', ...files]) accessSync(join(folder, file), constants.R_OK | constants.W_OK)
}

function unwritable(folder: string, error: unknown): string {
  return `Expected \`DATA_DIR\` to be a folder that I can write to and that holds my database, got \`${folder}\` (${reason(error)}).`
}

function unreachable(error: unknown): string {
  const text = reason(error)
  const hint = /vector/.test(text)
    ? 'Install pgvector on that server, or use an image that has it.'
    : 'Check the address, the password and that the server runs.'
  return `Expected \`DATABASE_URL\` to be a Postgres server with pgvector that I can use, got an error (${text}). ${hint}`
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'it does not open as one'
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return `${code}${cause.message || cause.name}`.split('\n')[0]!.slice(0, 160)
}
