/** The log of what was learned from a person, and learning it again without one of its lines. */

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { dimensions } from '../preference/dimensions.ts'
import { type Entry, type Learned, restoredFrom, tell } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { observations } from '../schema.ts'
import type { Queries } from './database.ts'
import { type Place, saveLearned } from './people.ts'

/** Adds one line. */
export async function addObservation(
  transaction: Queries,
  place: Place,
  turnId: number,
  entry: Omit<Entry, 'context'>,
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
  const corrected: Corrected[] = []
  const turns = new Map<number, Learned>()
  for (const { observationId, ...line } of later) {
    const known =
      line.before && (line.context === removed.context ? learned : { ...line.before, overall: learned.overall })
    if (known && line.kind === 'turn') turns.set(line.turnId, known)
    const restored = restoredAgain(line, turns.get(line.turnId))
    if (known) corrected.push({ id: observationId, before: known, restored })
    learned = tell(learned, removed.context, { ...line, restored }, settings)
  }
  await rewrite(transaction, place.workspace, corrected)
  await saveLearned(transaction, { ...place, context: removed.context }, learned)
  return true
}

/** A line after the one that was taken out, with what it rests on put right. */
export interface Corrected extends Pick<Entry, 'before' | 'restored'> {
  readonly id: number
}

/** What an undo puts back is what was known before the turn it is about, without the line that was taken out. */
export function restoredAgain({ restored }: Entry, beforeTurn: Learned | undefined): Entry['restored'] {
  if (restored === null || beforeTurn === undefined) return restored
  return restoredFrom(
    beforeTurn,
    dimensions.filter((dimension) => dimension in restored.own),
  )
}

export async function rewrite(transaction: Queries, workspace: string, lines: readonly Corrected[]): Promise<void> {
  if (lines.length === 0) return
  await transaction.execute(sql`
    UPDATE observations SET before = line.before, restored = line.restored
    FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line(id bigint, before jsonb, restored jsonb)
    WHERE workspace_id = ${workspace} AND observation_id = line.id`)
}
