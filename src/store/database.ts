/** One Postgres behind one type: embedded in this process (`embedded.ts`), or a server that several share (`server.ts`). */

import { fileURLToPath } from 'node:url'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A database or a transaction on it. */
export type Queries = PgDatabase<PgQueryResultHKT>

export interface Database {
  readonly queries: Queries
  /** Processes that are connected now; a holder that is not among them is dead. */
  alive(): Promise<readonly string[]>
  /** Calls back with what some process notified the channel of; with nothing when something may have been missed. */
  listen(channel: string, heard: (payload: string) => void): Promise<void>
  /** What a server does by itself: lets scans read an index alone, where rows were written since the last time. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

/** The database can't be had; the message says what to do. */
export class DatabaseError extends Error {}

export const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL('../../drizzle', import.meta.url)) }

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

/** A list of whole numbers as one parameter, so that the statement is the same for any count of them. */
export function idArray(ids: readonly number[]): SQL {
  return sql`ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::bigint)`
}

/** Why it did not open, in a line. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'it does not open as one'
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return `${code}${cause.message || cause.name}`.split('\n')[0]!.slice(0, 160)
}
