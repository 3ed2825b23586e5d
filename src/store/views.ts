/** What commands read of one person in one workspace, or of the workspace's settings. */

import { and, count, desc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Partly } from '../preference/dimensions.ts'
import type { Learned } from '../preference/learn.ts'
import type { Change, Shown } from '../preference/person.ts'
import { estimates, observations, people, turns, workspaces } from '../schema.ts'
import type { WorkspaceTuning } from '../workspace.ts'
import type { Queries } from './database.ts'
import { OVERALL, type Place } from './people.ts'

/** A turn in which a change was noticed that still stands. */
export interface NoticedChange {
  readonly turnId: number
  readonly context: string
  readonly askedAt: Date
  readonly changes: readonly Change[]
  readonly shown: Partly<Shown>
  readonly before: Learned
}

/** The settings as they stand; nobody else changes them until the transaction ends. */
export async function holdTuning(transaction: Queries, workspace: string): Promise<WorkspaceTuning> {
  await transaction.insert(workspaces).values({ workspaceId: workspace }).onConflictDoNothing()
  const [row] = await transaction
    .select({ tuning: workspaces.tuning })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspace))
    .for('update')
  return row?.tuning ?? {}
}

/** What the last turns in this context showed of the person since they began anew, oldest first. */
export async function recentlyShown(queries: Queries, place: Place, limit: number): Promise<readonly Partly<Shown>[]> {
  const rows = await queries
    .select({ shown: turns.shown })
    .from(turns)
    .where(and(mine(place), eq(turns.context, place.context)))
    .orderBy(desc(turns.turnId))
    .limit(limit)
  return rows.map(({ shown }) => shown).reverse()
}

/** Changes in this context from `since` on that were not undone, newest first. */
export function changesSince(queries: Queries, place: Place, since: Date, limit: number) {
  return noticedChanges(queries, place, and(eq(turns.context, place.context), gte(turns.askedAt, since)), limit)
}

/** The newest change in any context that was not undone. */
export async function lastChange(queries: Queries, place: Place): Promise<NoticedChange | undefined> {
  const [last] = await noticedChanges(queries, place, undefined, 1)
  return last
}

/** The last reply to this person in this conversation, and what their message taught. */
export async function lastReply(queries: Queries, place: Place) {
  const [row] = await queries
    .select({ turn: turns, evidence: observations.evidence })
    .from(turns)
    .leftJoin(
      observations,
      and(
        eq(observations.workspaceId, turns.workspaceId),
        eq(observations.turnId, turns.turnId),
        eq(observations.personId, turns.personId),
        eq(observations.kind, 'turn'),
      ),
    )
    .where(and(whose(place), eq(turns.conversation, place.conversation)))
    .orderBy(desc(turns.turnId))
    .limit(1)
  return row
}

/** Turns of this person, by id. */
export async function saidIn(queries: Queries, place: Place, turnIds: readonly number[]) {
  const { turnId, askedAt, question } = turns
  return await queries
    .select({ turnId, askedAt, question })
    .from(turns)
    .where(and(whose(place), inArray(turnId, [...turnIds])))
}

/** How much a reset would forget, apart from pins. */
export async function countLearned(queries: Queries, { workspace, author }: Place) {
  const [known] = await queries
    .select({ contexts: count() })
    .from(estimates)
    .where(and(eq(estimates.workspaceId, workspace), eq(estimates.personId, author.id), ne(estimates.context, OVERALL)))
  const [log] = await queries
    .select({ observations: count() })
    .from(observations)
    .where(and(eq(observations.workspaceId, workspace), eq(observations.personId, author.id)))
  return { contexts: known?.contexts ?? 0, observations: log?.observations ?? 0 }
}

async function noticedChanges(queries: Queries, place: Place, which: SQL | undefined, limit: number) {
  const noticed = alias(observations, 'noticed')
  const undone = alias(observations, 'undone')
  const ofTurn = (log: typeof noticed | typeof undone, kind: 'turn' | 'undo') =>
    and(
      eq(log.workspaceId, turns.workspaceId),
      eq(log.turnId, turns.turnId),
      eq(log.personId, turns.personId),
      eq(log.kind, kind),
    )
  const { turnId, context, askedAt, changes, shown } = turns
  const rows = await queries
    .select({ turnId, context, askedAt, changes, shown, before: noticed.before })
    .from(turns)
    .innerJoin(noticed, and(ofTurn(noticed, 'turn'), isNotNull(noticed.before)))
    .leftJoin(undone, ofTurn(undone, 'undo'))
    .where(and(mine(place), isNull(undone.observationId), or(has('confirmed'), has('shift')), which))
    .orderBy(desc(turns.turnId))
    .limit(limit)
  return rows.flatMap(({ before, ...row }): NoticedChange[] => (before === null ? [] : [{ ...row, before }]))
}

function has(kind: Change['kind']): SQL {
  return sql`${turns.changes} @> ${JSON.stringify([{ kind }])}::jsonb`
}

function whose({ workspace, author }: Place): SQL | undefined {
  return and(eq(turns.workspaceId, workspace), eq(turns.personId, author.id))
}

/** This person's turns since they last began anew. */
function mine(place: Place): SQL | undefined {
  const resetAfter = sql`(SELECT ${people.resetAfter} FROM ${people}
    WHERE ${people.workspaceId} = ${place.workspace} AND ${people.personId} = ${place.author.id})`
  return and(whose(place), gt(turns.turnId, sql`COALESCE(${resetAfter}, 0)`))
}
