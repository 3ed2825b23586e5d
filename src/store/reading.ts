/** How far what each person said has been read for their profile. */

import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { people, turns } from '../schema.ts'
import { type Queries, rowsOf } from './database.ts'
import { editLines, type Line } from './profile.ts'

export interface Reader {
  readonly workspace: string
  readonly person: string
  readonly name: string
}

export interface Unread {
  readonly turns: readonly { readonly turnId: number; readonly askedAt: Date; readonly question: string }[]
  /** How often the person had begun anew by then. */
  readonly resets: number
}

/** People with turns that are not read yet, in one workspace or in all. */
export async function readersDue(queries: Queries, workspace: string | null): Promise<readonly Reader[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT workspace_id, person_id, name FROM people WHERE NOT is_paused AND (${workspace}::text IS NULL OR workspace_id = ${workspace}) AND EXISTS (SELECT 1 FROM turns
      WHERE turns.workspace_id = people.workspace_id AND turns.person_id = people.person_id AND turn_id > summarised_up_to AND speaker IS NULL)
      ORDER BY workspace_id, person_id`,
  )
  return rows.map((row) => ({
    workspace: String(row['workspace_id']),
    person: String(row['person_id']),
    name: String(row['name']),
  }))
}

/** The next turns in the person's own words, oldest first. */
export async function nextUnread(queries: Queries, reader: Reader, limit: number): Promise<Unread> {
  const { turnId, askedAt, question } = turns
  const [known] = await queries
    .select({ resets: people.resets, upTo: people.summarisedUpTo, isPaused: people.isPaused })
    .from(people)
    .where(whose(reader))
  if (known === undefined || known.isPaused) return { turns: [], resets: 0 }
  const mine = and(eq(turns.workspaceId, reader.workspace), eq(turns.personId, reader.person), isNull(turns.speaker))
  const next = await queries
    .select({ turnId, askedAt, question })
    .from(turns)
    .where(and(mine, gt(turnId, known.upTo)))
    .orderBy(asc(turnId))
    .limit(limit)
  return { turns: next, resets: known.resets }
}

/** Keeps what was read. False, and nothing is kept, when the person paused, began anew or forgot something meanwhile. */
export function saveRead(
  queries: Queries,
  reader: Reader,
  { resets }: Unread,
  { upTo, edit }: { readonly upTo: number; readonly edit: (lines: readonly Line[]) => readonly Line[] },
): Promise<boolean> {
  return queries.transaction(async (transaction) => {
    const held = await transaction
      .update(people)
      .set({ summarisedUpTo: upTo })
      .where(and(whose(reader), eq(people.resets, resets), eq(people.isPaused, false)))
      .returning({ name: people.name })
    if (held.length === 0) return false
    await editLines(transaction, { workspace: reader.workspace, author: { id: reader.person } }, edit)
    return true
  })
}

function whose({ workspace, person }: Reader) {
  return and(eq(people.workspaceId, workspace), eq(people.personId, person))
}
