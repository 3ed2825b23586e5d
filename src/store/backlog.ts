/** The statements about vectors of turns: which are lacking, what they are made of, and storing them. */

import { type SQL, sql } from 'drizzle-orm'
import { MEANING_SCALE } from '../schema.ts'
import { idArray, parsed, type Queries, rowsOf } from './database.ts'

export interface TurnKey {
  readonly workspace: string
  readonly turnId: number
}

interface Neighbour {
  readonly turnId: number
  readonly question: string
  readonly embedder: string | null
}

/** A turn between the turns of the same person before and after it in the same conversation. */
export interface TurnBetween extends TurnKey {
  readonly question: string
  readonly embedder: string | null
  readonly previous: Neighbour | null
  readonly next: Neighbour | null
}

export interface Vectors {
  readonly turn: TurnBetween
  /** Null where there is nothing to embed: the turn then counts as done. */
  readonly own: readonly number[] | null
  readonly around: readonly number[] | null
}

/** As much of a question as can matter to an embedder. */
const READ_CHARACTERS = 4000
/** Turns further apart than this many hours belong to different talks. */
const SAME_TALK_HOURS = 6

/** Turns that have no vectors yet, newest first, the first `skip` of them left out. Read from the index `turns_backlog`. */
export async function newTurns(
  queries: Queries,
  embedder: string,
  { count, skip, without }: { readonly count: number; readonly skip: number; readonly without: readonly number[] },
): Promise<readonly TurnKey[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT workspace_id, turn_id FROM turns
      WHERE meaning IS NULL AND embedder IS DISTINCT FROM ${embedder} AND turn_id <> ALL (${idArray(without)})
      ORDER BY turn_id DESC OFFSET ${skip} LIMIT ${count}`,
  )
  return rows.map(keyOf)
}

/** Up to `count` turns behind `before`, by workspace and newest first, and whether another embedder made their vectors. */
export async function turnsBehind(
  queries: Queries,
  embedder: string,
  before: TurnKey | null,
  count: number,
): Promise<readonly (TurnKey & { readonly isStale: boolean })[]> {
  const behind = before === null ? sql`true` : sql`(workspace_id, turn_id) < (${before.workspace}, ${before.turnId})`
  const rows = await rowsOf(
    queries,
    sql`SELECT workspace_id, turn_id, embedder <> ${embedder} AS stale FROM turns WHERE ${behind}
      ORDER BY workspace_id DESC, turn_id DESC LIMIT ${count}`,
  )
  return rows.map((row) => ({ ...keyOf(row), isStale: row['stale'] === true }))
}

/** What the vectors of these turns are made of, in the order of the keys; turns that are gone are left out. */
export async function turnsBetween(queries: Queries, keys: readonly TurnKey[]): Promise<readonly TurnBetween[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT t.workspace_id, t.turn_id, left(t.question, ${READ_CHARACTERS}) AS question, t.embedder,
        ${neighbour('<', 'DESC')} AS previous, ${neighbour('>', 'ASC')} AS next
      FROM ${keyTable(keys)} JOIN turns t ON t.workspace_id = key.workspace AND t.turn_id = key."turnId"
      ORDER BY key.place`,
  )
  return rows.map((row) => ({
    ...keyOf(row),
    question: String(row['question']),
    embedder: row['embedder'] === null ? null : String(row['embedder']),
    previous: neighbourOf(row['previous']),
    next: neighbourOf(row['next']),
  }))
}

/**
 * Stores vectors and returns the turns that got them: those whose embedder is still the one that was read, and whose
 * neighbours are still there, so that nothing is kept of a turn that was erased meanwhile. Rows are locked in one
 * order, and before they are looked at.
 */
export async function storeVectors(
  queries: Queries,
  embedder: string,
  vectors: readonly Vectors[],
): Promise<readonly TurnKey[]> {
  const made = vectors.map(({ turn, own, around }) => ({
    workspace: turn.workspace,
    turnId: turn.turnId,
    was: turn.embedder,
    sources: [turn.turnId, turn.previous?.turnId, turn.next?.turnId].filter((id) => id !== undefined),
    meaning: own && JSON.stringify(middleOf(own, around ?? own)),
  }))
  const keys = made.flatMap(({ workspace, sources }) => sources.map((turnId) => ({ workspace, turnId })))
  return queries.transaction(async (transaction) => {
    const held = await rowsOf(
      transaction,
      sql`SELECT workspace_id, turn_id FROM turns
        WHERE (workspace_id, turn_id) IN (SELECT key.workspace, key."turnId" FROM ${keyTable(keys)})
        ORDER BY workspace_id, turn_id FOR NO KEY UPDATE`,
    )
    const there = new Set(held.map((row) => Number(row['turn_id'])))
    const storable = made.filter(({ sources }) => sources.every((id) => there.has(id)))
    const rows = await rowsOf(
      transaction,
      sql`UPDATE turns SET meaning = made.meaning::halfvec, embedder = ${embedder}
        FROM jsonb_to_recordset(${JSON.stringify(storable)}::jsonb)
          AS made(workspace text, "turnId" bigint, was text, meaning text)
        WHERE workspace_id = made.workspace AND turn_id = made."turnId" AND embedder IS NOT DISTINCT FROM made.was
        RETURNING workspace_id, turn_id`,
    )
    return rows.map(keyOf)
  })
}

/**
 * To be called in the transaction that erases turns, before it does: forgets the vectors of their neighbours, which
 * hold something of their words. They are made again as if they were new.
 */
export async function clearAround(transaction: Queries, which: SQL): Promise<void> {
  const beside = (side: '<' | '>', order: 'ASC' | 'DESC') => sql`(SELECT turn_id FROM turns AS n
    WHERE n.workspace_id = t.workspace_id AND n.conversation = t.conversation AND n.person_id = t.person_id
      AND n.turn_id ${sql.raw(side)} t.turn_id ORDER BY n.turn_id ${sql.raw(order)} LIMIT 1)`
  await transaction.execute(sql`
    UPDATE turns SET meaning = NULL, embedder = NULL WHERE embedder IS NOT NULL AND (workspace_id, turn_id) IN (
      SELECT t.workspace_id, near.turn_id FROM (SELECT * FROM turns WHERE ${which}) AS t,
        LATERAL (${beside('<', 'DESC')} UNION ALL ${beside('>', 'ASC')}) AS near)`)
}

function neighbour(side: '<' | '>', order: 'ASC' | 'DESC'): SQL {
  return sql`(SELECT jsonb_build_object('turnId', n.turn_id, 'embedder', n.embedder,
      'question', left(n.question, ${READ_CHARACTERS}), 'isNear',
      abs(extract(epoch FROM n.asked_at - t.asked_at)) <= ${SAME_TALK_HOURS * 3600})
    FROM turns n WHERE n.workspace_id = t.workspace_id AND n.person_id = t.person_id
      AND n.conversation = t.conversation AND n.turn_id ${sql.raw(side)} t.turn_id
    ORDER BY n.turn_id ${sql.raw(order)} LIMIT 1)`
}

/** The turn next to it, unless it belongs to another talk. */
function neighbourOf(value: unknown): Neighbour | null {
  const found = parsed(value) as (Neighbour & { isNear: boolean }) | null
  return found?.isNear ? { turnId: found.turnId, question: found.question, embedder: found.embedder } : null
}

function keyOf(row: Readonly<Record<string, unknown>>): TurnKey {
  return { workspace: String(row['workspace_id']), turnId: Number(row['turn_id']) }
}

function keyTable(keys: readonly TurnKey[]): SQL {
  const numbered = keys.map(({ workspace, turnId }, place) => ({ workspace, turnId, place }))
  return sql`jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) AS key(workspace text, "turnId" bigint, place int)`
}

/** As it is kept, of two vectors of length 1: its product with a third is the mean of the two cosines, to scale. */
export function middleOf(own: readonly number[], around: readonly number[]): number[] {
  return own.map((number, i) => Math.round((MEANING_SCALE * (number + around[i]!)) / 2))
}
