/** What turns taught is taken out of the log, or read anew, and everything after them is told again. */

import { and, asc, eq, gt, gte, inArray } from 'drizzle-orm'
import type { Evidence } from '../preference/analyser.ts'
import { type Followed, UNKNOWN } from '../preference/contexts.ts'
import type { Partly } from '../preference/dimensions.ts'
import { type Learned, type Lesson, learn, tell } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { observations } from '../schema.ts'
import type { Queries } from './database.ts'
import { type Corrected, restoredAgain, rewrite } from './observations.ts'
import { loadLearned, saveLearned, type Whose } from './people.ts'

type Log = readonly (typeof observations.$inferSelect)[]

/** Turns, their ratings and undos alike; later lines are told again under the settings in force. The person must be held. */
export async function unlearn(
  transaction: Queries,
  whose: Whose,
  turnIds: readonly number[],
  settings: Settings,
): Promise<void> {
  if (turnIds.length === 0) return
  const mine = and(eq(observations.workspaceId, whose.workspace), eq(observations.personId, whose.author.id))
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
  await rewrite(transaction, whose.workspace, corrected)
  for (const [context, learned] of known) await saveLearned(transaction, { ...whose, context }, learned)
}

/** What is known without the turns, of each context in which one of them taught something. */
function toldAgain(log: Log, gone: ReadonlySet<number>, settings: Settings) {
  const telling = createTelling(settings)
  for (const line of log) {
    if (!gone.has(line.turnId)) telling.tell(line)
    else if (line.before !== null) telling.begin(line.context, line.before)
  }
  return telling.told()
}

/**
 * Puts other evidence in the place of what a turn taught, and tells everything after it again. Returns its lesson; null
 * where the log knows nothing of the turn, such as after a reset. The person must be held.
 */
export async function relearn(
  transaction: Queries,
  whose: Whose,
  turnId: number,
  evidence: Partly<Evidence>,
  settings: Settings,
): Promise<Lesson | null> {
  const mine = and(eq(observations.workspaceId, whose.workspace), eq(observations.personId, whose.author.id))
  const ofTurn = and(mine, eq(observations.turnId, turnId), eq(observations.kind, 'turn'))
  const [old] = await transaction.select().from(observations).where(ofTurn)
  if (old === undefined) return null
  const later = await transaction
    .select()
    .from(observations)
    .where(and(mine, gt(observations.observationId, old.observationId)))
    .orderBy(asc(observations.observationId))
  const before =
    old.before ?? knownBefore(later, await loadLearned(transaction, { ...whose, context: old.context }), old)
  const isTaught = Object.keys(evidence).length > 0
  const read = { ...old, evidence, before: isTaught ? before : null }
  await transaction.update(observations).set({ evidence, before: read.before }).where(ofTurn)
  const telling = createTelling(settings)
  telling.begin(old.context, before)
  for (const line of [read, ...later]) telling.tell(line)
  const { corrected, known } = telling.told()
  await rewrite(transaction, whose.workspace, corrected)
  for (const [context, learned] of known) await saveLearned(transaction, { ...whose, context }, learned)
  return learn(before, evidence, settings, 'turn')
}

/** What was known before a turn that taught nothing: the same as before the next one that taught something, or as now. */
function knownBefore(later: Log, now: Learned, { context }: Pick<Log[number], 'context'>): Learned {
  const own = later.find((line) => line.context === context && line.before !== null)?.before ?? now
  const overall = later.find(({ before }) => before !== null)?.before?.overall ?? now.overall
  return { ...own, overall }
}

/** Tells lines of the log again, from the first one before which something else was known than is now. */
function createTelling(settings: Settings) {
  let overall: Followed | null = null
  const here = new Map<string, Learned>()
  const corrected: Corrected[] = []
  const turns = new Map<number, Learned>()
  return {
    begin(context: string, before: Learned): void {
      overall ??= before.overall
      if (!here.has(context)) here.set(context, before)
    },
    tell({ observationId, ...line }: Log[number]): void {
      if (overall === null) return
      const own = here.get(line.context)
      const known: Learned | null = line.before && { ...(own ?? line.before), overall }
      if (known && line.kind === 'turn') turns.set(line.turnId, known)
      const restored = restoredAgain(line, turns.get(line.turnId))
      if (known) corrected.push({ id: observationId, before: known, restored })
      const elsewhere = { own: UNKNOWN, held: line.before?.held ?? {} }
      const told = tell({ ...(own ?? elsewhere), overall }, line.context, { ...line, restored }, settings)
      overall = told.overall
      if (own !== undefined) here.set(line.context, told)
    },
    told() {
      const known = [...here].map(
        ([context, learned]) => [context, { ...learned, overall: overall ?? UNKNOWN }] as const,
      )
      return { corrected, known }
    },
  }
}
