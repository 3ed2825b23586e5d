/** A person in a workspace: what is known of them, and what is needed to answer them. */

import { and, eq, sql } from 'drizzle-orm'
import type { IncomingMessage } from '../adapter.ts'
import type { Exchange } from '../llm/budget.ts'
import { UNKNOWN } from '../preference/contexts.ts'
import type { Partly } from '../preference/dimensions.ts'
import type { Learned } from '../preference/learn.ts'
import { estimates, people, workspaces } from '../schema.ts'
import type { WorkspaceTuning } from '../workspace.ts'
import { parsed, type Queries, rowsOf } from './database.ts'

/** The context that stands for all contexts of a person. */
export const OVERALL = '*'

/** Whose, and where: every statement on what is known of somebody asks for these. */
export type Place = Pick<IncomingMessage, 'workspace' | 'context' | 'conversation' | 'author'>

/** Whose alone. */
export type Whose = Pick<Place, 'workspace'> & { readonly author: { readonly id: string } }

/** One earlier turn of this person in this conversation. */
export interface Earlier extends Exchange {
  readonly turnId: number
}

/** One line of the profile. */
export interface KnownLine {
  readonly lineId: number
  readonly text: string
  readonly turnIds: readonly number[]
}

export interface Known {
  readonly tuning: WorkspaceTuning
  readonly pins: Partly<string>
  readonly resets: number
  /** Turns up to this one were before the last reset. */
  readonly resetAfter: number
  readonly learned: Learned
  /** They are answered, but nothing is learned or stored. */
  readonly isPaused: boolean
  /** Their own prompt, else the workspace's; null: the one in prompts/ stands. */
  readonly persona: string | null
  /** What is true of them and may be said here, best supported first. */
  readonly profile: readonly KnownLine[]
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
      'persona', (SELECT text FROM personas WHERE workspace_id = ${workspace} AND person_id = ${person}
        ORDER BY version DESC LIMIT 1),
      'own', ${estimate(context)}, 'overall', ${estimate(OVERALL)},
      'profile', (SELECT jsonb_agg(jsonb_build_object('lineId', line_id, 'text', text, 'turnIds', to_jsonb(turn_ids))
          ORDER BY cardinality(turn_ids) DESC, learned_at DESC, line_id DESC)
        FROM profile_lines WHERE workspace_id = ${workspace} AND person_id = ${person} AND valid_until IS NULL
          AND ${restsHere(place)}),
      'history', (SELECT jsonb_agg(jsonb_build_object('turnId', turn_id, 'user', question, 'assistant', CASE WHEN model IS NULL THEN '' ELSE reply END) ORDER BY turn_id)
        FROM (SELECT turn_id, question, reply, model FROM turns WHERE workspace_id = ${workspace}
          AND conversation = ${conversation} AND person_id = ${person} ORDER BY turn_id DESC LIMIT ${historyTurns}) AS latest)) AS known`,
  )
  return knownOf(rows[0]?.['known'])
}

/** What was said in a direct chat only is said again only there. */
export function restsHere({ workspace, conversation }: Place) {
  return sql`EXISTS (SELECT 1 FROM turns WHERE turns.workspace_id = ${workspace} AND turn_id = ANY (turn_ids)
    AND (turns.context <> 'direct' OR turns.conversation = ${conversation}))`
}

interface KnownRow {
  readonly tuning: WorkspaceTuning | null
  readonly person: {
    readonly pins: Partly<string>
    readonly resets: number
    readonly reset_after: number
    readonly is_paused: boolean
  } | null
  readonly persona: string | null
  readonly profile: readonly KnownLine[] | null
  readonly own: { readonly followed: Learned['own']; readonly held: Learned['held'] } | null
  readonly overall: { readonly followed: Learned['overall'] } | null
  readonly history: readonly Earlier[] | null
}

function knownOf(value: unknown): Known {
  const row = parsed(value) as KnownRow
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
    isPaused: row.person?.is_paused ?? false,
    persona: row.persona ?? row.tuning?.persona ?? null,
    profile: row.profile ?? [],
    history: row.history ?? [],
  }
}

export interface Held {
  readonly resets: number
  readonly isPaused: boolean
}

/** Makes sure that the person has a row and holds it until the transaction ends: one lesson at a time. */
export async function holdPerson(transaction: Queries, { workspace, author }: Place): Promise<Held> {
  const [row] = await transaction
    .insert(people)
    .values({ workspaceId: workspace, personId: author.id, name: author.name })
    .onConflictDoUpdate({ target: [people.workspaceId, people.personId], set: { name: author.name } })
    .returning({ resets: people.resets, isPaused: people.isPaused })
  return row ?? { resets: 0, isPaused: false }
}

/** What is known in one context, as it stands; the person must be held when it is going to be changed. */
export async function loadLearned(
  queries: Queries,
  { workspace, author, context }: Whose & Pick<Place, 'context'>,
): Promise<Learned> {
  const rows = await queries
    .select()
    .from(estimates)
    .where(and(eq(estimates.workspaceId, workspace), eq(estimates.personId, author.id)))
  const own = rows.find((row) => row.context === context)
  const overall = rows.find((row) => row.context === OVERALL)
  return { own: own?.followed ?? UNKNOWN, overall: overall?.followed ?? UNKNOWN, held: own?.held ?? {} }
}

export async function saveLearned(
  transaction: Queries,
  { workspace, author, context }: Whose & Pick<Place, 'context'>,
  learned: Learned,
): Promise<void> {
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

/** Whether anything is learned and stored of them from now on. */
export async function savePaused(transaction: Queries, place: Place, isPaused: boolean): Promise<void> {
  await transaction
    .update(people)
    .set({ isPaused })
    .where(and(eq(people.workspaceId, place.workspace), eq(people.personId, place.author.id)))
}

/** Has turns under way look whether what they rest on is still there. Makes no row for somebody who has none. */
export async function beginAnew(transaction: Queries, { workspace, author }: Whose) {
  await transaction
    .update(people)
    .set({ resets: sql`${people.resets} + 1` })
    .where(and(eq(people.workspaceId, workspace), eq(people.personId, author.id)))
}

/** Forgets estimates, pins, signals, versions of the persona, and the log behind them; turns stay. A turn under way teaches nothing any more. */
export async function resetPerson(transaction: Queries, place: Place): Promise<void> {
  const { workspace } = place
  const person = place.author.id
  await holdPerson(transaction, place)
  await transaction.execute(sql`DELETE FROM estimates WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`DELETE FROM observations WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`DELETE FROM signals WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`DELETE FROM personas WHERE workspace_id = ${workspace} AND person_id = ${person}`)
  await transaction.execute(sql`
    UPDATE people SET pins = '{}', is_persona_auto = true, resets = resets + 1, reset_after = COALESCE(
      (SELECT max(turn_id) FROM turns WHERE workspace_id = ${workspace} AND person_id = ${person}), 0)
    WHERE workspace_id = ${workspace} AND person_id = ${person}`)
}

export async function saveTuning(transaction: Queries, workspace: string, tuning: WorkspaceTuning): Promise<void> {
  await transaction
    .insert(workspaces)
    .values({ workspaceId: workspace, tuning })
    .onConflictDoUpdate({ target: workspaces.workspaceId, set: { tuning } })
}

export async function loadTuning(queries: Queries, workspace: string): Promise<WorkspaceTuning> {
  const [row] = await queries
    .select({ tuning: workspaces.tuning })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspace))
  return row?.tuning ?? {}
}
