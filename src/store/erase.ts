/** What is kept of a person: one table of tables, by which it is exported and erased. */

import { type SQL, sql } from 'drizzle-orm'
import type { IncomingMessage } from '../adapter.ts'
import { parsed, type Queries, rowsOf } from './database.ts'
import { eraseRetold } from './thread.ts'

/** A message of the person's: who they are, and up to when what they wrote is meant. */
export type Asking = Pick<IncomingMessage, 'id' | 'workspace' | 'context' | 'conversation' | 'author'>

interface Kept {
  readonly table: string
  /** Which of its rows are the person's. */
  readonly of: (asking: Asking) => SQL
  /** Columns that are made of the others; they are erased, but say nothing to a reader of an export. */
  readonly derived: readonly string[]
  /** Whoever stores a turn locks its lane, its letters and its person first, and so does whoever erases. */
  readonly isLocked: boolean
}

const own = ({ workspace, author }: Asking) => sql`workspace_id = ${workspace} AND person_id = ${author.id}`

export const KEPT: readonly Kept[] = [
  { table: 'lanes', of: lanesOf, derived: [], isLocked: true },
  { table: 'posts', of: postsOf, derived: [], isLocked: false },
  { table: 'jobs', of: jobsOf, derived: [], isLocked: true },
  { table: 'people', of: own, derived: [], isLocked: true },
  { table: 'estimates', of: own, derived: [], isLocked: false },
  { table: 'observations', of: own, derived: [], isLocked: false },
  { table: 'profile_lines', of: own, derived: [], isLocked: false },
  { table: 'personas', of: own, derived: [], isLocked: false },
  { table: 'signals', of: own, derived: [], isLocked: false },
  { table: 'ratings', of: own, derived: [], isLocked: false },
  { table: 'turns', of: own, derived: ['meaning', 'trace', 'is_direct', 'talk'], isLocked: false },
]

export type Export = Readonly<Record<string, readonly unknown[]>>

/** Every row that is kept of the person, by table; whole but for what is derived. */
export async function exportAll(queries: Queries, asking: Asking): Promise<Export> {
  const tables: [string, readonly unknown[]][] = []
  for (const { table, of, derived } of KEPT) {
    const columns = derived.reduce((row, column) => sql`${row} - ${column}::text`, sql`to_jsonb(kept)`)
    const name = sql.identifier(table)
    const rows = await rowsOf(queries, sql`SELECT ${columns} AS row FROM ${name} AS kept WHERE ${of(asking)}`)
    tables.push([table, rows.map(({ row }) => parsed(row))])
  }
  return Object.fromEntries(tables)
}

/** How many rows there are, by table. */
export async function countAll(queries: Queries, asking: Asking): Promise<Readonly<Record<string, number>>> {
  const counts: [string, number][] = []
  for (const { table, of } of KEPT) {
    const [row] = await rowsOf(queries, sql`SELECT count(*) AS n FROM ${sql.identifier(table)} WHERE ${of(asking)}`)
    counts.push([table, Number(row?.['n'])])
  }
  return Object.fromEntries(counts)
}

/** Erases every row. A turn under way finds its letter gone and stores nothing; what was sent later is answered anew. */
export async function eraseAll(transaction: Queries, asking: Asking): Promise<void> {
  for (const { table, of } of KEPT.filter(({ isLocked }) => isLocked)) {
    await transaction.execute(sql`SELECT 1 FROM ${sql.identifier(table)} WHERE ${of(asking)} FOR UPDATE`)
  }
  await eraseRetold(transaction, asking.workspace, own(asking))
  // Letters and lanes are told by the turns, which therefore go last.
  for (const { table, of } of KEPT) {
    const spared = table === 'lanes' ? sql` AND ${isIdle(asking)}` : sql``
    await transaction.execute(sql`DELETE FROM ${sql.identifier(table)} WHERE ${of(asking)}${spared}`)
  }
}

/** The person's direct chats with the bot; those where everybody speaks are nobody's. */
function directChats({ workspace, author, context, conversation }: Asking): SQL {
  const here = context === 'direct' ? conversation : null
  return sql`(SELECT conversation FROM turns WHERE workspace_id = ${workspace} AND person_id = ${author.id}
    AND context = 'direct' UNION SELECT ${here}::text)`
}

function lanesOf(asking: Asking): SQL {
  return sql`workspace_id = ${asking.workspace} AND conversation IN ${directChats(asking)}`
}

/** Letters of the person's turns, of their direct chats, and those that wait; up to the one that asks. */
function jobsOf(asking: Asking): SQL {
  const { workspace, author, id } = asking
  return sql`workspace_id = ${workspace} AND job_id <= COALESCE(
      (SELECT job_id FROM jobs WHERE workspace_id = ${workspace} AND message_id = ${id}), ${Number.MAX_SAFE_INTEGER}::bigint)
    AND (payload -> 'message' -> 'author' ->> 'id' = ${author.id} OR conversation IN ${directChats(asking)}
      OR message_id IN (SELECT unnest(message_ids) FROM turns WHERE workspace_id = ${workspace} AND person_id = ${author.id}))`
}

/** Posts of replies on their way out. */
function postsOf(asking: Asking): SQL {
  return sql`workspace_id = ${asking.workspace}
    AND message_id IN (SELECT message_id FROM jobs WHERE ${jobsOf(asking)})`
}

/** Nothing was sent there later, and nobody but who asks is at work there. */
function isIdle({ workspace, id, conversation }: Asking): SQL {
  return sql`(holder IS NULL OR conversation = ${conversation}) AND NOT EXISTS (SELECT 1 FROM jobs AS later
    WHERE later.workspace_id = ${workspace} AND later.conversation = lanes.conversation AND later.state = 'ready'
      AND later.message_id <> ${id} AND later.job_id > COALESCE(
        (SELECT job_id FROM jobs WHERE workspace_id = ${workspace} AND message_id = ${id}), 0))`
}
