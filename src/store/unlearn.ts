/** Takes what several turns taught out of the log, and tells everything after them again without it. */

import { and, asc, eq, gte, inArray } from 'drizzle-orm'
import { type Followed, UNKNOWN } from '../preference/contexts.ts'
import { type Learned, tell } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { observations } from '../schema.ts'
import type { Queries } from './database.ts'
import { type Corrected, restoredAgain, rewrite } from './observations.ts'
import { type Place, saveLearned } from './people.ts'

type Log = readonly (typeof observations.$inferSelect)[]

/** Turns, their ratings and undos alike; later lines are told again under the settings in force. The person must be held. */
export async function unlearn(
  transaction: Queries,
  place: Place,
  turnIds: readonly number[],
  settings: Settings,
): Promise<void> {
  if (turnIds.length === 0) return
  const mine = and(eq(observations.workspaceId, place.workspace), eq(observations.personId, place.author.id))
  const gone = and(mine, inArray(observations.turnId, [...turnIds]))
  const [first] = await transaction
    .select({ id: observations.observationId })
    .from(observations)
    .where(gone)
    .orderBy(asc(observations.observationId))
    .limit(1)
  if (first === undefined) return
  const log = await transaction
    .select()
    .from(observations)
    .where(and(mine, gte(observations.observationId, first.id)))
    .orderBy(asc(observations.observationId))
  await transaction.delete(observations).where(gone)
  const { corrected, known } = toldAgain(log, new Set(turnIds), settings)
  await rewrite(transaction, place.workspace, corrected)
  for (const [context, learned] of known) await saveLearned(transaction, { ...place, context }, learned)
}

/** `known`: what is known without the turns, of each context in which one of them taught something. */
function toldAgain(log: Log, gone: ReadonlySet<number>, settings: Settings) {
  let overall: Followed | null = null
  const here = new Map<string, Learned>()
  const corrected: Corrected[] = []
  const turns = new Map<number, Learned>()
  for (const { observationId, ...line } of log) {
    const own = here.get(line.context)
    if (gone.has(line.turnId)) {
      if (line.before === null) continue
      overall ??= line.before.overall
      if (own === undefined) here.set(line.context, line.before)
      continue
    }
    if (overall === null) continue
    const known: Learned | null = line.before && { ...(own ?? line.before), overall }
    if (known && line.kind === 'turn') turns.set(line.turnId, known)
    const restored = restoredAgain(line, turns.get(line.turnId))
    if (known) corrected.push({ id: observationId, before: known, restored })
    const elsewhere = { own: UNKNOWN, held: line.before?.held ?? {} }
    const told = tell({ ...(own ?? elsewhere), overall }, line.context, { ...line, restored }, settings)
    overall = told.overall
    if (own !== undefined) here.set(line.context, told)
  }
  const known = [...here].map(([context, learned]) => [context, { ...learned, overall: overall ?? UNKNOWN }] as const)
  return { corrected, known }
}
