/** What next messages said of replies: kept with the turn that said so, read back beside ratings. */

import { sql } from 'drizzle-orm'
import type { Rating } from '../adapter.ts'
import type { SignalKind } from '../schema.ts'
import { parsed, type Queries, rowsOf } from './database.ts'
import type { Place } from './people.ts'

/** A signal before it is kept: the turn whose reply it judges. */
export interface NewSignal {
  readonly turnId: number
  readonly kind: SignalKind
}

interface Said {
  readonly signals: readonly NewSignal[]
  readonly saidIn: number
  readonly saidAt: Date
}

/** Turns that are read back when nothing else is asked. */
const RECENT = 40

/** Adds what the turn `saidIn` said of others; one that was forgotten meanwhile, or has the same signal, is passed over. */
export async function addSignals(transaction: Queries, { workspace, author }: Place, said: Said): Promise<void> {
  for (const { turnId, kind } of said.signals) {
    await transaction.execute(sql`
      INSERT INTO signals (workspace_id, person_id, turn_id, kind, said_in, said_at)
      SELECT workspace_id, person_id, turn_id, ${kind}::text, ${said.saidIn}::bigint, ${said.saidAt.toISOString()}::timestamptz
      FROM turns WHERE workspace_id = ${workspace} AND person_id = ${author.id} AND turn_id = ${turnId}
      FOR KEY SHARE
      ON CONFLICT DO NOTHING`)
  }
}

/** The same of a turn whose words are others now. */
export async function replaceSignals(transaction: Queries, place: Place, said: Said): Promise<void> {
  await transaction.execute(sql`DELETE FROM signals
    WHERE workspace_id = ${place.workspace} AND person_id = ${place.author.id} AND said_in = ${said.saidIn}`)
  await addSignals(transaction, place, said)
}

/** A turn whose reply the person rated, corrected, asked for again or gave thanks for. */
export interface Signalled {
  readonly turnId: number
  readonly context: string
  readonly conversation: string
  readonly askedAt: Date
  readonly question: string
  readonly reply: string
  /** The style that was asked of the model. */
  readonly directive: string
  /** The person's own vote. */
  readonly rating: Rating['rating'] | null
  readonly signals: readonly {
    readonly signalId: number
    readonly kind: SignalKind
    /** The person's words that said so. */
    readonly said: string
    readonly saidAt: Date
  }[]
}

/**
 * The person's latest turns with a rating of their own or a signal since they last began anew, newest last; only replies
 * that a model wrote. `limit`: how many at most.
 */
export async function loadSignalled(
  queries: Queries,
  workspace: string,
  personId: string,
  { limit = RECENT }: { readonly limit?: number } = {},
): Promise<readonly Signalled[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT turns.turn_id, turns.context, turns.conversation, turns.asked_at, turns.question, turns.reply,
        turns.directive, ratings.rating, told.signals
      FROM turns
      LEFT JOIN ratings ON ratings.workspace_id = ${workspace} AND ratings.turn_id = turns.turn_id
        AND ratings.person_id = ${personId}
      LEFT JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('signalId', signal_id, 'kind', kind, 'saidAt', said_at,
          'said', said.question) ORDER BY signal_id) AS signals
        FROM signals JOIN turns AS said ON said.workspace_id = ${workspace} AND said.turn_id = said_in
        WHERE signals.workspace_id = ${workspace} AND signals.person_id = ${personId}
          AND signals.turn_id = turns.turn_id) AS told ON true
      WHERE turns.workspace_id = ${workspace} AND turns.person_id = ${personId}
        AND turns.model IS NOT NULL AND turns.speaker IS NULL
        AND turns.turn_id > COALESCE((SELECT reset_after FROM people
          WHERE workspace_id = ${workspace} AND person_id = ${personId}), 0)
        AND turns.turn_id IN (SELECT turn_id FROM ratings WHERE workspace_id = ${workspace} AND person_id = ${personId}
          UNION SELECT turn_id FROM signals WHERE workspace_id = ${workspace} AND person_id = ${personId})
      ORDER BY turns.turn_id DESC LIMIT ${limit}`,
  )
  return rows.map(signalledOf).reverse()
}

interface SignalRow {
  readonly signalId: number
  readonly kind: SignalKind
  readonly said: string
  readonly saidAt: string
}

function signalledOf(row: Record<string, unknown>): Signalled {
  const signals = parsed(row['signals'] ?? []) as readonly SignalRow[]
  const rating = row['rating']
  return {
    turnId: Number(row['turn_id']),
    context: String(row['context']),
    conversation: String(row['conversation']),
    askedAt: new Date(String(row['asked_at'])),
    question: String(row['question']),
    reply: String(row['reply']),
    directive: String(row['directive']),
    rating: rating === 'up' || rating === 'down' ? rating : null,
    signals: signals.map(({ saidAt, ...signal }) => ({ ...signal, saidAt: new Date(saidAt) })),
  }
}
