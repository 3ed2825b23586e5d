/** The log of what was learned from a person, and learning it again without one of its lines. */

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type Entry, type Learned, tell } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { observations } from '../schema.ts'
import type { Queries } from './database.ts'
import { type Place, saveLearned } from './people.ts'

/** Adds one line. `before` is what was known before it, or null where nothing was learned. */
export async function addObservation(
  transaction: Queries,
  place: Place,
  turnId: number,
  entry: Omit<Entry, 'context'> & { readonly before: Learned | null },
): Promise<void> {
  await transaction.insert(observations).values({
    workspaceId: place.workspace,
    personId: place.author.id,
    context: place.context,
    turnId,
    ...entry,
  })
}

/**
 * Takes one line out of the log and tells everything after it again, under the settings in force.
 * False when there is no such line. The person must be held.
 */
export async function removeObservation(
  transaction: Queries,
  place: Place,
  turnId: number,
  kind: Entry['kind'],
  settings: Settings,
): Promise<boolean> {
  const mine = and(eq(observations.workspaceId, place.workspace), eq(observations.personId, place.author.id))
  const [removed] = await transaction
    .delete(observations)
    .where(and(mine, eq(observations.turnId, turnId), eq(observations.kind, kind)))
    .returning()
  if (removed === undefined) return false
  if (removed.before === null) return true
  const later = await transaction
    .select()
    .from(observations)
    .where(and(mine, gt(observations.observationId, removed.observationId)))
    .orderBy(asc(observations.observationId))
  let learned = removed.before
  const corrected: { id: number; before: Learned }[] = []
  for (const { observationId, before, ...entry } of later) {
    const here = entry.context === removed.context
    if (before) corrected.push({ id: observationId, before: here ? learned : { ...before, overall: learned.overall } })
    learned = tell(learned, removed.context, entry, settings)
  }
  await rewriteBefore(transaction, place.workspace, corrected)
  await saveLearned(transaction, { ...place, context: removed.context }, learned)
  return true
}

async function rewriteBefore(
  transaction: Queries,
  workspace: string,
  lines: readonly { readonly id: number; readonly before: Learned }[],
): Promise<void> {
  if (lines.length === 0) return
  await transaction.execute(sql`
    UPDATE observations SET before = line.before
    FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line(id bigint, before jsonb)
    WHERE workspace_id = ${workspace} AND observation_id = line.id`)
}
