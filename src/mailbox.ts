/**
 * Accepted messages, in order per conversation. One `lanes` row per conversation is its lock and its alarm clock; jobs
 * are read in order behind it. A lane is held by a process, not for a time: it comes free when its holder has died.
 */

import { sql } from 'drizzle-orm'
import type { IncomingMessage, Rating } from './adapter.ts'
import { type Database, idArray, parsed, type Queries, rowsOf, textArray } from './store/database.ts'

export type Letter =
  | {
      readonly kind: 'message'
      readonly message: IncomingMessage
      /** What a command answered whose effects are stored; only its reply is still to be posted. */
      readonly reply?: string
    }
  | { readonly kind: 'rating'; readonly message: Rating }

/** A conversation that this process holds, and what waits in it, oldest first. */
export interface Claim {
  readonly workspace: string
  readonly conversation: string
  readonly epoch: number
  /** How often in a row it was taken without anything being finished; this time included. */
  readonly attempts: number
  /** How often in a row it failed and was put off. */
  readonly failures: number
  readonly letters: readonly (Letter & { readonly jobId: number; readonly home: string | null })[]
}

/** Somebody else took the conversation over: whatever this process did of it must not be stored. */
export class ClaimLost extends Error {}

/** A letter is no longer what it was when it was taken: its conversation is to be taken anew. */
export class LettersChanged extends Error {}

/** How many waiting messages are looked at in one go. */
const READ_AHEAD = 16
/** Heard by every process when a letter came in, with the name of the one that it came to. */
export const CHANNEL = 'attune_mail'

export interface Mailbox {
  /** Stores a letter; false when its id is known. `home`: only this process can answer it while it lives. */
  accept(letter: Letter, home: string | null): Promise<boolean>
  /** Takes up to `count` conversations in which something is due, on these platforms. */
  claim(platforms: readonly string[], count: number): Promise<readonly Claim[]>
  /** Gives a conversation back as if it had not been taken. */
  giveBack(claim: Claim): Promise<void>
  /** Gives it back after a failure, to be tried again later. */
  putOff(claim: Claim, delayMs: number): Promise<void>
  /** Frees what dead processes hold, and what this one holds without being at work on it: a failed giving back. */
  sweep(atWork: readonly Claim[]): Promise<void>
  /** Whether anything waits or is being answered that this process may answer. */
  isEmpty(platforms: readonly string[]): Promise<boolean>
}

export function createMailbox(database: Database, me: string): Mailbox {
  const { queries } = database
  return {
    accept: (letter, home) => accept(queries, me, letter, home),
    claim: (platforms, count) => claim(queries, me, platforms, count),
    giveBack: (taken) => release(queries, me, taken, sql`due_at = due_at, attempts = attempts - 1`),
    putOff: (taken, delayMs) =>
      release(queries, me, taken, sql`failures = failures + 1, due_at = now() + ${delayMs} * interval '1 millisecond'`),
    sweep: async (atWork) => sweep(queries, me, await database.alive(), atWork),
    async isEmpty(platforms) {
      const waiting = await rowsOf(
        queries,
        sql`SELECT 1 FROM lanes JOIN jobs USING (workspace_id, conversation)
          WHERE platform = ANY (${textArray(platforms)}) AND due_at < 'infinity' AND state = 'ready'
            AND (jobs.home IS NULL OR jobs.home = ${me}) LIMIT 1`,
      )
      return waiting.length === 0
    },
  }
}

async function sweep(queries: Queries, me: string, alive: readonly string[], atWork: readonly Claim[]): Promise<void> {
  const living = textArray(alive)
  await queries.execute(sql`UPDATE jobs SET home = NULL WHERE state = 'ready' AND home <> ALL (${living})`)
  await queries.execute(sql`
    UPDATE lanes SET holder = CASE WHEN holder = ANY (${living}) THEN holder END, home = CASE WHEN home = ANY (${living}) THEN home END
    WHERE due_at < 'infinity' AND (holder <> ALL (${living}) OR home <> ALL (${living}))`)
  const held = JSON.stringify(atWork.map(({ workspace, conversation }) => [workspace, conversation]))
  await queries.execute(sql`
    UPDATE lanes SET holder = NULL WHERE holder = ${me} AND jsonb_build_array(workspace_id, conversation)
      NOT IN (SELECT jsonb_array_elements(${held}::jsonb))`)
}

async function accept(queries: Queries, me: string, letter: Letter, home: string | null): Promise<boolean> {
  const { id, workspace, conversation } = letter.message
  const platform = id.slice(0, id.indexOf(':'))
  const rows = await rowsOf(
    queries,
    sql`WITH job AS (
      INSERT INTO jobs (workspace_id, conversation, message_id, payload, home)
      VALUES (${workspace}, ${conversation}, ${id}, ${JSON.stringify(letter)}::jsonb, ${home}::text)
      ON CONFLICT DO NOTHING RETURNING job_id),
    lane AS (
      INSERT INTO lanes AS known (workspace_id, conversation, platform, home, due_at)
      SELECT ${workspace}, ${conversation}, ${platform}, ${home}::text, now() FROM job
      ON CONFLICT (workspace_id, conversation)
      DO UPDATE SET due_at = LEAST(known.due_at, excluded.due_at),
        home = CASE WHEN known.due_at = 'infinity' THEN excluded.home ELSE known.home END RETURNING 1)
    SELECT pg_notify(${CHANNEL}, ${me}) FROM lane`,
  )
  return rows.length > 0
}

async function claim(
  queries: Queries,
  me: string,
  platforms: readonly string[],
  count: number,
): Promise<readonly Claim[]> {
  const rows = await rowsOf(
    queries,
    sql`WITH due AS (
      SELECT workspace_id, conversation FROM lanes
      WHERE platform = ANY (${textArray(platforms)}) AND due_at <= now() AND holder IS NULL AND (home IS NULL OR home = ${me})
      ORDER BY due_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
    UPDATE lanes SET holder = ${me}, epoch = epoch + 1, attempts = attempts + 1
    FROM due WHERE lanes.workspace_id = due.workspace_id AND lanes.conversation = due.conversation
    RETURNING lanes.workspace_id, lanes.conversation, epoch, attempts, failures,
      (SELECT jsonb_agg(jsonb_build_object('jobId', job_id, 'payload', payload, 'home', home) ORDER BY job_id)
        FROM (SELECT job_id, payload, home FROM jobs WHERE jobs.workspace_id = lanes.workspace_id
          AND jobs.conversation = lanes.conversation AND state = 'ready' ORDER BY job_id LIMIT ${READ_AHEAD}) AS first) AS letters`,
  )
  return rows.map(claimOf)
}

interface Waiting {
  readonly jobId: number
  readonly payload: Letter
  readonly home: string | null
}

/** A message that was accepted in the same instant may be missing: then it is due again when the lane is released. */
function claimOf(row: Readonly<Record<string, unknown>>): Claim {
  const waiting = parsed(row['letters']) as readonly Waiting[] | null
  return {
    workspace: String(row['workspace_id']),
    conversation: String(row['conversation']),
    epoch: Number(row['epoch']),
    attempts: Number(row['attempts']),
    failures: Number(row['failures']),
    letters: (waiting ?? []).map(({ jobId, payload, home }) => ({ ...letterOf(payload), jobId, home })),
  }
}

/** What was stored as JSON, with its time as a time again. */
function letterOf(letter: Letter): Letter {
  const sentAt = new Date(letter.message.sentAt)
  return letter.kind === 'rating'
    ? { ...letter, message: { ...letter.message, sentAt } }
    : { ...letter, message: { ...letter.message, sentAt } }
}

/**
 * Part of the transaction that stores what came of the letters: holds the lane against everybody else until it ends.
 * @throws ClaimLost when another process took the conversation over
 */
export async function holdClaim(transaction: Queries, me: string, claim: Claim): Promise<void> {
  const held = await rowsOf(
    transaction,
    sql`SELECT 1 FROM lanes WHERE workspace_id = ${claim.workspace} AND conversation = ${claim.conversation}
      AND epoch = ${claim.epoch} AND holder = ${me} FOR UPDATE`,
  )
  if (held.length === 0) throw new ClaimLost(`${claim.conversation} was taken over`)
}

/**
 * Part of that transaction, after the lane: holds the letters. False when all of them are gone.
 * @throws LettersChanged when the words of one are others now, or some are gone
 */
export async function holdLetters(transaction: Queries, claim: Claim, jobIds: readonly number[]): Promise<boolean> {
  const rows = await rowsOf(
    transaction,
    sql`SELECT job_id, payload -> 'message' ->> 'text' AS text FROM jobs WHERE workspace_id = ${claim.workspace}
      AND job_id = ANY (${idArray(jobIds)}) AND state = 'ready' ORDER BY job_id FOR UPDATE`,
  )
  if (rows.length === 0) return false
  const texts = new Map(rows.map((row) => [Number(row['job_id']), row['text'] ?? undefined]))
  const isSame = ({ jobId, message }: Claim['letters'][number]) =>
    texts.has(jobId) && texts.get(jobId) === ('text' in message ? message.text : undefined)
  const held = claim.letters.filter(({ jobId }) => jobIds.includes(jobId))
  if (!held.every(isSame)) throw new LettersChanged(`a letter of ${claim.conversation} was changed`)
  return true
}

/** The last part of that transaction: the letters are done, the words in them go, and what waits behind them is due. */
export async function finishClaim(
  transaction: Queries,
  claim: Claim,
  jobIds: readonly number[],
  state: 'done' | 'dead' = 'done',
): Promise<void> {
  const { workspace, conversation } = claim
  await transaction.execute(sql`
    WITH finished AS (
      UPDATE jobs SET state = ${state}, payload = NULL WHERE workspace_id = ${workspace}
        AND job_id = ANY (${idArray(jobIds)}) RETURNING job_id, message_id),
    posted AS (DELETE FROM posts WHERE workspace_id = ${workspace}
      AND message_id IN (SELECT message_id FROM finished)),
    next AS (SELECT home FROM jobs WHERE workspace_id = ${workspace} AND conversation = ${conversation}
      AND state = 'ready' AND job_id NOT IN (SELECT job_id FROM finished) ORDER BY job_id LIMIT 1)
    UPDATE lanes SET holder = NULL, attempts = 0, failures = 0, home = (SELECT home FROM next),
      due_at = CASE WHEN EXISTS (SELECT 1 FROM next) THEN now() ELSE 'infinity' END
    WHERE workspace_id = ${workspace} AND conversation = ${conversation}`)
}

async function release(
  queries: Queries,
  me: string,
  { workspace, conversation, epoch }: Claim,
  change: ReturnType<typeof sql>,
) {
  await queries.execute(sql`
    UPDATE lanes SET holder = NULL, ${change} WHERE workspace_id = ${workspace} AND conversation = ${conversation}
      AND epoch = ${epoch} AND holder = ${me}`)
}
