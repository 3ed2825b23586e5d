/** A person in a workspace: what is known of them, and what is needed to answer them. */

import { and, eq, sql } from 'drizzle-orm'
import type { IncomingMessage } from '../adapter.ts'
import type { Exchange } from '../llm/budget.ts'
import { UNKNOWN } from '../preference/contexts.ts'
import type { Partly } from '../preference/dimensions.ts'
import type { Learned } from '../preference/learn.ts'
import { estimates, people, workspaces } from '../schema.ts'
import type { WorkspaceTuning } from '../workspace.ts'
import { type Queries, rowsOf } from './database.ts'

/** The context that stands for all contexts of a person. */
export const OVERALL = '*'

/** Whose, and where: every statement on what is known of somebody asks for these. */
export type Place = Pick<IncomingMessage, 'workspace' | 'context' | 'conversation' | 'author'>

/** One earlier turn of this person in this conversation. */
export interface Earlier extends Exchange {
  readonly turnId: number
}

export interface Known {
  readonly tuning: WorkspaceTuning
  readonly pins: Partly<string>
  readonly resets: number
  /** Turns up to this one were before the last reset. */
  readonly resetAfter: number
  readonly learned: Learned
  /** The last turns of this person in this conversation, oldest first. */
  readonly history: readonly Earlier[]
}

/** Everything that is known, in one statement; somebody new is known by nothing. */
export async function loadKnown(queries: Queries, place: Place, historyTurns: number): Promise<Known> {
  const { workspace, context, conversation } = place
  const person = place.author.id
  const estimate = (of: string) => sql`(SELECT jsonb_build_object('followed', followed, 'held', held) FROM estimates
    WHERE workspace_id = ${workspace} AND person_id = ${person} AND context = ${of})`
  const rows = await rowsOf(
    queries,
    sql`SELECT jsonb_build_object(
      'tuning', (SELECT tuning FROM workspaces WHERE workspace_id = ${workspace}),
      'person', (SELECT to_jsonb(people) FROM people WHERE workspace_id = ${workspace} AND person_id = ${person}),
      'own', ${estimate(context)}, 'overall', ${estimate(OVERALL)},
      'history', (SELECT jsonb_agg(jsonb_build_object('turnId', turn_id, 'user', question, 'assistant', reply) ORDER BY turn_id)
        FROM (SELECT turn_id, question, reply FROM turns WHERE workspace_id = ${workspace}
          AND conversation = ${conversation} AND person_id = ${person} ORDER BY turn_id DESC LIMIT ${historyTurns}) AS latest)) AS known`,
  )
  return knownOf(rows[0]?.['known'])
}

interface KnownRow {
  readonly tuning: WorkspaceTuning | null
  readonly person: { readonly pins: Partly<string>; readonly resets: number; readonly reset_after: number } | null
  readonly own: { readonly followed: Learned['own']; readonly held: Learned['held'] } | null
  readonly overall: { readonly followed: Learned['overall'] } | null
  readonly history: readonly Earlier[] | null
}

function knownOf(value: unknown): Known {
  const row = (typeof value === 'string' ? JSON.parse(value) : value) as KnownRow
  return {
    tuning: row.tuning ?? {},
    pins: row.person?.pins ?? {},
    resets: row.person?.resets ?? 0,
    resetAfter: row.person?.reset_after ?? 0,
    learned: {
      own: row.own?.followed ?? UNKNOWN,
      overall: row.overall?.followed ?? UNKNOWN,
      held: row.own?.held ?? {},
    },
    history: row.history ?? [],
  }
}

/** Makes sure that the person has a row and holds it until the transaction ends: one lesson at a time. */
export async function holdPerson(transaction: Queries, { workspace, author }: Place): Promise<{ resets: number }> {
  const [row] = await transaction
    .insert(people)
    .values({ workspaceId: workspace, personId: author.id, name: author.name })
    .onConflictDoUpdate({ target: [people.workspaceId, people.personId], set: { name: author.name } })
    .returning({ resets: people.resets })
  return { resets: row?.resets ?? 0 }
}

/** What is known in one context, as it stands; the person must be held when it is going to be changed. */
export async function loadLearned(queries: Queries, { workspace, author, context }: Place): Promise<Learned> {
  const rows = await queries
    .select()
    .from(estimates)
    .where(and(eq(estimates.workspaceId, workspace), eq(estimates.personId, author.id)))
  const own = rows.find((row) => row.context === context)
  const overall = rows.find((row) => row.context === OVERALL)
  return { own: own?.followed ?? UNKNOWN, overall: overall?.followed ?? UNKNOWN, held: own?.held ?? {} }
}

export async function saveLearned(transaction: Queries, { workspace, author, context }: Place, learned: Learned) {
  const key = { workspaceId: workspace, personId: author.id }
  await transaction
    .insert(estimates)
    .values([
      { ...key, context, followed: learned.own, held: learned.held },
      { ...key, context: OVERALL, followed: learned.overall, held: {} },
    ])
    .onConflictDoUpdate({
      target: [estimates.workspaceId, estimates.personId, estimates.context],
      set: { followed: sql`excluded.followed`, held: sql`excluded.held` },
    })
}

export async function savePins(transaction: Queries, place: Place, pins: Partly<string>): Promise<void> {
  await holdPerson(transaction, place)
  await transaction
    .update(people)
    .set({ pins })
    .where(and(eq(people.workspaceId, place.workspace), eq(people.personId, place.author.id)))
}

/** Forgets estimates, pins and the log behind them; turns stay. A turn under way teaches nothing any more. */
export async function resetPerson(transaction: Queries, place: Place): Promise<void> {
  const { workspace } = place
  const person = place.author.id
  await holdPerson(transaction, place)
  await transaction.execute(sql`DELETE FROM estimates WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`DELETE FROM observations WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`
    UPDATE people SET pins = '{}', resets = resets + 1, reset_after = COALESCE(
      (SELECT max(turn_id) FROM turns WHERE workspace_id = ${workspace} AND person_id = ${person}), 0)
    WHERE workspace_id = ${workspace} AND person_id = ${person}`)
}

export async function saveTuning(transaction: Queries, workspace: string, tuning: WorkspaceTuning): Promise<void> {
  await transaction
    .insert(workspaces)
    .values({ workspaceId: workspace, tuning })
    .onConflictDoUpdate({ target: workspaces.workspaceId, set: { tuning } })
}
