/** The posts of a reply on its way out, as they are kept until its turn is stored. */

import { and, asc, eq, sql } from 'drizzle-orm'
import type { Outbox } from '../adapter.ts'
import { posts } from '../schema/mail.ts'
import { type Queries, rowsOf } from './database.ts'

/** What an earlier try posted of the reply to this message. Of a message that is gone nothing is written down. */
export async function openOutbox(queries: Queries, workspace: string, message: string): Promise<Outbox> {
  const known = await queries
    .select({ part: posts.part, id: posts.postId })
    .from(posts)
    .where(and(eq(posts.workspaceId, workspace), eq(posts.messageId, message)))
    .orderBy(asc(posts.part))
  const write = async (part: number, id: string | null) => {
    await queries.execute(sql`
      INSERT INTO posts AS known (workspace_id, message_id, part, post_id)
      SELECT workspace_id, message_id, ${part}::integer, ${id}::text FROM jobs
        WHERE workspace_id = ${workspace} AND message_id = ${message} AND state = 'ready'
      ON CONFLICT (workspace_id, message_id, part) DO UPDATE SET post_id = COALESCE(excluded.post_id, known.post_id)`)
  }
  return { posts: known, begin: (part) => write(part, null), posted: write }
}

/** Forgets and returns the posts of replies that will not be finished. */
export async function takePosts(
  transaction: Queries,
  workspace: string,
  messages: readonly string[],
): Promise<readonly string[]> {
  const rows = await rowsOf(
    transaction,
    sql`DELETE FROM posts WHERE workspace_id = ${workspace}
      AND message_id IN (SELECT jsonb_array_elements_text(${JSON.stringify(messages)}::jsonb)) RETURNING post_id`,
  )
  return rows.flatMap((row) => (row['post_id'] === null ? [] : [String(row['post_id'])]))
}
