/** Forgetting part of what a person said: the turns and lines that a test finds, and every copy of them. */

import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Json } from '../adapter.ts'
import type { Settings } from '../preference/settings.ts'
import { profileLines, turns } from '../schema.ts'
import { clearAround } from './backlog.ts'
import { type Queries, rowsOf } from './database.ts'
import type { Asking } from './erase.ts'
import { beginAnew, type Whose } from './people.ts'
import { eraseVersions, loadVersions } from './personas.ts'
import { editLines, type Line, loadLines } from './profile.ts'
import { eraseRetold } from './thread.ts'
import { unlearn } from './unlearn.ts'

/** Turns that are read at once. */
const PAGE = 500

export type Test = (text: string) => boolean

/** What a test found, oldest first. */
export interface Found {
  readonly turns: readonly { readonly turnId: number; readonly askedAt: Date; readonly question: string }[]
  readonly lines: readonly Line[]
  /** Numbers of the versions of their persona whose text it found. */
  readonly versions: readonly number[]
  /** Later turns that quote what was found, with what is left of their quotations and of what they did. */
  readonly quoting: readonly Quoting[]
}

type Quoting = Pick<typeof turns.$inferSelect, 'turnId' | 'recalled' | 'actions'>

/** Turns whose question or reply, and lines whose text, pass the test. */
export async function findSaid(queries: Queries, whose: Whose, test: Test): Promise<Found> {
  const isFound: IsFound = ({ question, reply, notice }) => test(`${question}\n${reply}\n${notice}`)
  const versions = await loadVersions(queries, whose)
  return {
    ...(await search(queries, whose, isFound, test)),
    lines: (await loadLines(queries, whose)).filter(({ text }) => test(text)),
    versions: versions.filter(({ text }) => test(text)).map(({ version }) => version),
  }
}

/** These turns, and what quotes them. */
export async function findTurns(queries: Queries, whose: Whose, turnIds: readonly number[]): Promise<Found> {
  const after = Math.min(...turnIds) - 1
  const found = await search(
    queries,
    whose,
    ({ turnId }) => turnIds.includes(turnId),
    () => false,
    after,
  )
  return { ...found, lines: [], versions: [] }
}

type IsFound = (turn: Pick<typeof turns.$inferSelect, 'turnId' | 'question' | 'reply' | 'notice'>) => boolean

async function search(queries: Queries, whose: Whose, isFound: IsFound, test: Test, after = 0) {
  const found: Found['turns'][number][] = []
  const quoting: Found['quoting'][number][] = []
  for await (const turn of turnsOf(queries, whose, after)) {
    const { turnId, askedAt, question, recalled, actions } = turn
    if (isFound(turn)) found.push({ turnId, askedAt, question })
    else if (recalled.length + actions.length > 0) quoting.push({ turnId, recalled, actions })
  }
  const gone = new Set(found.map(({ turnId }) => turnId))
  const isCopy = (text: string) => test(text) || found.some(({ question }) => question.includes(text.replace(/…$/, '')))
  const left = quoting.flatMap(({ turnId, recalled, actions }) => {
    const kept = recalled.filter(({ text }) => !isCopy(text))
    const done = actions.filter((action) => !(test(textsIn(action)) || restsOnAny(action, gone)))
    const isLess = kept.length < recalled.length || done.length < actions.length
    return isLess ? [{ turnId, recalled: kept, actions: done }] : []
  })
  return { turns: found, quoting: left }
}

/** All texts in a value. */
function textsIn(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(textsIn).join('\n')
}

/** Whether its result tells of one of these turns. */
function restsOnAny(action: Json, turnIds: ReadonlySet<number>): boolean {
  const isObject = typeof action === 'object' && action !== null && 'turnIds' in action
  return isObject && Array.isArray(action.turnIds) && action.turnIds.some((id) => turnIds.has(Number(id)))
}

/**
 * Erases what the test finds: the turns with their replies, vectors, ratings and letters, what they taught, the lines, and
 * quotations of them. A line that rests on other turns, too, stays with those. A turn under way that was told any of it
 * stores nothing. Returns what was found.
 */
export async function eraseSaid(transaction: Queries, asking: Asking, test: Test, settings: Settings): Promise<Found> {
  await eraseWaiting(transaction, asking, test)
  await beginAnew(transaction, asking)
  const found = await findSaid(transaction, asking, test)
  await eraseFound(transaction, asking, found, settings)
  return found
}

/** Erases turns of a person, as if they had asked for it in words that only these hold. */
export async function eraseTurnsOf(
  transaction: Queries,
  whose: Whose,
  turnIds: readonly number[],
  settings: Settings,
): Promise<void> {
  await beginAnew(transaction, whose)
  await eraseFound(transaction, whose, await findTurns(transaction, whose, turnIds), settings)
}

async function eraseFound(transaction: Queries, whose: Whose, found: Found, settings: Settings): Promise<void> {
  const turnIds = found.turns.map(({ turnId }) => turnId)
  await unlearn(transaction, whose, turnIds, settings)
  await eraseTurns(transaction, whose.workspace, turnIds)
  await eraseVersions(transaction, whose, found.versions)
  const isGone = new Set(found.lines.map(({ lineId }) => lineId))
  await editLines(transaction, whose, (lines) =>
    withoutTurns(lines, turnIds).filter(({ lineId }) => !isGone.has(lineId)),
  )
  await saveQuoting(transaction, whose, found.quoting)
}

export async function saveQuoting(
  transaction: Queries,
  { workspace }: Whose,
  quoting: Found['quoting'],
): Promise<void> {
  for (const { turnId, recalled, actions } of quoting) {
    await transaction
      .update(turns)
      .set({ recalled, actions })
      .where(and(eq(turns.workspaceId, workspace), eq(turns.turnId, turnId)))
  }
}

/** The lines with these turns no longer among those that they rest on; one that rests on nothing goes. */
export function withoutTurns(lines: readonly Line[], turnIds: readonly number[]): readonly Line[] {
  const gone = new Set(turnIds)
  return lines.flatMap((line) => {
    const left = line.turnIds.filter((id) => !gone.has(id))
    if (left.length === line.turnIds.length) return [line]
    return left.length === 0 ? [] : [{ ...line, turnIds: left }]
  })
}

/** Letters sent before that are not answered yet. Their turns, when under way, find them gone and store nothing. */
async function eraseWaiting(transaction: Queries, { workspace, author, id }: Asking, test: Test): Promise<void> {
  const waiting = await rowsOf(
    transaction,
    sql`SELECT job_id, payload -> 'message' ->> 'text' AS text FROM jobs
      WHERE workspace_id = ${workspace} AND state = 'ready' AND payload -> 'message' -> 'author' ->> 'id' = ${author.id}
        AND job_id < COALESCE((SELECT job_id FROM jobs WHERE workspace_id = ${workspace} AND message_id = ${id}),
          ${Number.MAX_SAFE_INTEGER}::bigint)
      ORDER BY job_id FOR UPDATE`,
  )
  const gone = waiting.filter(({ text }) => test(String(text ?? ''))).map((row) => Number(row['job_id']))
  if (gone.length === 0) return
  await transaction.execute(sql`
    WITH gone AS (DELETE FROM jobs WHERE workspace_id = ${workspace} AND job_id IN ${gone} RETURNING message_id)
    DELETE FROM posts WHERE workspace_id = ${workspace} AND message_id IN (SELECT message_id FROM gone)`)
}

async function eraseTurns(transaction: Queries, workspace: string, turnIds: readonly number[]): Promise<void> {
  for (let from = 0; from < turnIds.length; from += PAGE) {
    const which = sql`workspace_id = ${workspace} AND turn_id IN ${turnIds.slice(from, from + PAGE)}`
    await eraseTurnsWhere(transaction, workspace, which)
  }
}

async function eraseTurnsWhere(transaction: Queries, workspace: string, which: SQL): Promise<void> {
  const ids = sql`(SELECT turn_id FROM turns WHERE ${which})`
  const ofTurns = sql`workspace_id = ${workspace} AND turn_id IN ${ids}`
  await transaction.execute(sql`DELETE FROM ratings WHERE ${ofTurns}`)
  await transaction.execute(sql`DELETE FROM observations WHERE ${ofTurns}`)
  await transaction.execute(
    sql`DELETE FROM signals WHERE ${ofTurns} OR (workspace_id = ${workspace} AND said_in IN ${ids})`,
  )
  await transaction.execute(sql`
    UPDATE personas SET turn_ids = ARRAY(SELECT id FROM unnest(turn_ids) AS id WHERE id NOT IN ${ids})
    WHERE workspace_id = ${workspace} AND turn_ids && ARRAY${ids}`)
  await transaction.execute(sql`DELETE FROM jobs WHERE workspace_id = ${workspace}
    AND message_id IN (SELECT unnest(message_ids) FROM turns WHERE ${which})`)
  await clearAround(transaction, which)
  await eraseRetold(transaction, workspace, which)
  await transaction.execute(sql`DELETE FROM turns WHERE ${which}`)
}

/**
 * Erases the turns of a workspace that were asked before a time, with everything that is a copy of them or rests on
 * nothing else; how people like to be answered stays. Returns how many turns.
 */
export function eraseBefore(queries: Queries, workspace: string, time: Date): Promise<number> {
  const before = time.toISOString()
  return queries.transaction(async (transaction) => {
    const which = sql`workspace_id = ${workspace} AND asked_at < ${before}::timestamptz`
    const [counted] = await rowsOf(transaction, sql`SELECT count(*) AS n FROM turns WHERE ${which}`)
    await eraseTurnsWhere(transaction, workspace, which)
    await transaction.execute(sql`
      UPDATE turns SET recalled = (SELECT COALESCE(jsonb_agg(entry ORDER BY place), '[]'::jsonb)
        FROM jsonb_array_elements(recalled) WITH ORDINALITY AS quoted(entry, place)
        WHERE (entry ->> 'at')::timestamptz >= ${before}::timestamptz)
      WHERE workspace_id = ${workspace} AND EXISTS (SELECT 1 FROM jsonb_array_elements(recalled) AS entry
        WHERE (entry ->> 'at')::timestamptz < ${before}::timestamptz)`)
    const tells = (path: SQL) => sql`EXISTS (SELECT 1 FROM jsonb_path_query(${path}) AS id WHERE NOT EXISTS
      (SELECT 1 FROM turns AS told WHERE told.workspace_id = ${workspace} AND told.turn_id = id::bigint))`
    await transaction.execute(sql`
      UPDATE turns SET actions = (SELECT COALESCE(jsonb_agg(entry ORDER BY place), '[]'::jsonb)
        FROM jsonb_array_elements(actions) WITH ORDINALITY AS done(entry, place)
        WHERE NOT ${tells(sql`entry, '$.turnIds[*]'`)})
      WHERE workspace_id = ${workspace} AND ${tells(sql`actions, '$[*].turnIds[*]'`)}`)
    const left = sql`ARRAY(SELECT turn_id FROM turns WHERE workspace_id = ${workspace} AND turn_id = ANY (turn_ids) ORDER BY 1)`
    await transaction.execute(sql`UPDATE profile_lines SET turn_ids = ${left}
      WHERE workspace_id = ${workspace} AND cardinality(${left}) < cardinality(turn_ids)`)
    await transaction
      .delete(profileLines)
      .where(and(eq(profileLines.workspaceId, workspace), sql`cardinality(${profileLines.turnIds}) = 0`))
    await transaction.execute(sql`DELETE FROM jobs
      WHERE workspace_id = ${workspace} AND state <> 'ready' AND accepted_at < ${before}::timestamptz`)
    return Number(counted?.['n'])
  })
}

/** All turns of a person, page by page, as a life's worth doesn't fit in memory. */
async function* turnsOf(queries: Queries, { workspace, author }: Whose, from: number) {
  const { turnId, askedAt, question, reply, notice, recalled, actions } = turns
  let after = from
  while (true) {
    const page = await queries
      .select({ turnId, askedAt, question, reply, notice, recalled, actions })
      .from(turns)
      .where(and(eq(turns.workspaceId, workspace), eq(turns.personId, author.id), gt(turnId, after)))
      .orderBy(asc(turnId))
      .limit(PAGE)
    yield* page
    after = page.at(-1)?.turnId ?? after
    if (page.length < PAGE) return
  }
}
