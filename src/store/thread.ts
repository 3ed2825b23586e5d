/** What was said to the bot in one conversation, by whoever takes part in it, and what it answered. */

import { type SQL, sql } from 'drizzle-orm'
import { type Queries, rowsOf } from './database.ts'
import type { Place } from './people.ts'

export interface Spoken {
  readonly turnId: number
  readonly at: Date
  readonly name: string
  readonly question: string
  readonly reply: string
}

/**
 * The last turns of this conversation in this workspace, oldest first. Of a direct chat only the person's own; of others
 * who paused the bot, none. An answer that itself tells what was said here is left out: it would hold on what those who
 * said it have forgotten, or paused.
 */
export async function lastOfThread(queries: Queries, place: Place, limit: number): Promise<readonly Spoken[]> {
  const { workspace, conversation, context, author } = place
  const rows = await rowsOf(
    queries,
    sql`SELECT turn_id, asked_at, COALESCE(speaker, people.name, turns.person_id) AS name, question,
        CASE WHEN actions @> '[{"action": "read_thread"}]'::jsonb THEN '' ELSE reply END AS reply
      FROM turns LEFT JOIN people ON people.workspace_id = turns.workspace_id AND people.person_id = turns.person_id
      WHERE turns.workspace_id = ${workspace} AND conversation = ${conversation} AND context = ${context}
        AND (turns.person_id = ${author.id} OR (context <> 'direct' AND NOT COALESCE(people.is_paused, false)))
      ORDER BY turn_id DESC LIMIT ${limit}`,
  )
  return rows
    .map((row) => ({
      turnId: Number(row['turn_id']),
      at: new Date(String(row['asked_at'])),
      name: String(row['name']),
      question: String(row['question']),
      reply: String(row['reply']),
    }))
    .reverse()
}

/**
 * Before turns are erased: what others' turns quote of them goes, with the replies that were made of it. Whoever stores
 * such a turn holds what it rests on, so that this finds it or it finds nothing to rest on.
 */
export async function eraseRetold(transaction: Queries, workspace: string, which: SQL): Promise<void> {
  const gone = await rowsOf(transaction, sql`SELECT turn_id FROM turns WHERE ${which} ORDER BY turn_id FOR UPDATE`)
  if (gone.length === 0) return
  const told = sql`EXISTS (SELECT 1 FROM jsonb_path_query(entry, '$.turnIds[*]') AS id JOIN turns AS gone
    ON gone.workspace_id = ${workspace} AND gone.turn_id = id::bigint
    WHERE gone.person_id <> turns.person_id AND gone.turn_id IN (SELECT turn_id FROM turns WHERE ${which}))`
  await transaction.execute(sql`
    UPDATE turns SET reply = '', actions = (SELECT COALESCE(jsonb_agg(entry ORDER BY place), '[]'::jsonb)
      FROM jsonb_array_elements(actions) WITH ORDINALITY AS done(entry, place) WHERE NOT ${told})
    WHERE workspace_id = ${workspace} AND context <> 'direct' AND actions <> '[]'::jsonb
      AND conversation IN (SELECT conversation FROM turns WHERE ${which})
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(actions) AS entry WHERE ${told})`)
}
