/** Accepted letters that are changed or taken away before they are answered. */

import { sql } from 'drizzle-orm'
import type { Edit } from '../adapter.ts'
import { type Queries, rowsOf, textArray } from './database.ts'
import { takePosts } from './outbox.ts'

/** Heard by every process when messages were changed or removed: what was said of them is to be stopped. */
export const CHANGES = 'attune_changes'
/** The workspace and its messages, as JSON. */
export type Changed = readonly [string, readonly string[]]
/** A notification takes 8000 bytes. */
const TOLD_AT_ONCE = 25

/** Writes down that this was delivered; false when it was before. */
export async function isNews(
  transaction: Queries,
  { workspace, id, conversation }: { readonly workspace: string; readonly id: string; readonly conversation: string },
): Promise<boolean> {
  const rows = await rowsOf(
    transaction,
    sql`INSERT INTO jobs (workspace_id, conversation, message_id, state) VALUES (${workspace}, ${conversation}, ${id}, 'done')
      ON CONFLICT DO NOTHING RETURNING job_id`,
  )
  return rows.length > 0
}

/**
 * Puts the new words in place of the old ones where they still wait. `changed`: the answer to the old ones has to stop;
 * `late`: a later edit is known, or nothing changes; `answered`: it waits no more.
 */
export async function editLetter(transaction: Queries, edit: Edit): Promise<'changed' | 'late' | 'answered'> {
  const { workspace, message, text } = edit
  const sentAt = edit.sentAt.toISOString()
  const [known] = await rowsOf(
    transaction,
    sql`SELECT state, payload ->> 'reply' AS reply, payload -> 'message' ->> 'text' AS text,
        COALESCE(edited_at > ${sentAt}::timestamptz, false) AS late
      FROM jobs WHERE workspace_id = ${workspace} AND message_id = ${message} FOR UPDATE`,
  )
  if (known?.['late'] === true) return 'late'
  if (known === undefined) return 'answered'
  const isWaiting = known['state'] === 'ready' && known['reply'] === null
  const payload = isWaiting ? sql`jsonb_set(payload, '{message,text}', to_jsonb(${text}::text))` : sql`payload`
  await transaction.execute(sql`UPDATE jobs SET edited_at = ${sentAt}::timestamptz, payload = ${payload}
    WHERE workspace_id = ${workspace} AND message_id = ${message}`)
  if (!isWaiting) return 'answered'
  if (known['text'] === text) return 'late'
  await tellChanged(transaction, workspace, [message])
  return 'changed'
}

/** What is still to come of these messages is not accepted. */
export async function buryLetters(transaction: Queries, workspace: string, messages: readonly string[]): Promise<void> {
  await transaction.execute(sql`INSERT INTO jobs (workspace_id, conversation, message_id, state)
    SELECT ${workspace}, '', id, 'done' FROM unnest(${textArray(messages)}) AS id ORDER BY id ON CONFLICT DO NOTHING`)
}

/** Whatever of these messages waits is done without an answer. Returns the posts of replies that were begun. */
export async function removeLetters(
  transaction: Queries,
  workspace: string,
  messages: readonly string[],
): Promise<readonly string[]> {
  const ids = textArray(messages)
  await transaction.execute(sql`UPDATE jobs SET state = 'done', payload = NULL WHERE (workspace_id, job_id) IN (
    SELECT workspace_id, job_id FROM jobs WHERE workspace_id = ${workspace} AND message_id = ANY (${ids})
      AND state = 'ready' ORDER BY job_id FOR UPDATE)`)
  await tellChanged(transaction, workspace, messages)
  return takePosts(transaction, workspace, messages)
}

async function tellChanged(transaction: Queries, workspace: string, messages: readonly string[]): Promise<void> {
  for (let from = 0; from < messages.length; from += TOLD_AT_ONCE) {
    const told: Changed = [workspace, messages.slice(from, from + TOLD_AT_ONCE)]
    await transaction.execute(sql`SELECT pg_notify(${CHANGES}, ${JSON.stringify(told)})`)
  }
}

/** Has only the posting of this reply left to be done of a letter; false when the letter is gone. */
export async function keepReply(transaction: Queries, workspace: string, jobId: number, reply: string) {
  const rows = await rowsOf(
    transaction,
    sql`UPDATE jobs SET payload = payload || jsonb_build_object('reply', ${reply}::text)
      WHERE workspace_id = ${workspace} AND job_id = ${jobId} AND state = 'ready' RETURNING job_id`,
  )
  return rows.length > 0
}

/** Whether this person was answered, or waits for an answer, in this conversation. */
export async function takesPart(
  queries: Queries,
  workspace: string,
  conversation: string,
  author: string,
): Promise<boolean> {
  const rows = await rowsOf(
    queries,
    sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM turns
        WHERE workspace_id = ${workspace} AND conversation = ${conversation} AND person_id = ${author})
      OR EXISTS (SELECT 1 FROM jobs WHERE workspace_id = ${workspace} AND conversation = ${conversation}
        AND state = 'ready' AND payload -> 'message' -> 'author' ->> 'id' = ${author})`,
  )
  return rows.length > 0
}
