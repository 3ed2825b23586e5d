/** Whether the bot still belongs to a workspace, and the erasing of one that it left. */

import { sql } from 'drizzle-orm'
import { type Queries, rowsOf } from './database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Null: it is in. The first time counts when it is told of the same leave again. */
export async function markLeft(queries: Queries, workspace: string, at: Date | null): Promise<void> {
  if (at === null) {
    await queries.execute(sql`UPDATE workspaces SET left_at = NULL WHERE workspace_id = ${workspace}`)
    return
  }
  await queries.execute(sql`
    INSERT INTO workspaces (workspace_id, left_at) VALUES (${workspace}, ${at.toISOString()}::timestamptz)
    ON CONFLICT (workspace_id) DO UPDATE SET left_at = COALESCE(workspaces.left_at, excluded.left_at)`)
}

/** Erases everything of a workspace that was left so many days ago; false when it was not. */
export function eraseLeft(
  queries: Queries,
  { workspace, graceDays }: { readonly workspace: string; readonly graceDays: number },
  now: Date,
): Promise<boolean> {
  const until = new Date(now.getTime() - graceDays * DAY_MS).toISOString()
  return queries.transaction(async (transaction) => {
    const left = await rowsOf(
      transaction,
      sql`SELECT 1 FROM workspaces WHERE workspace_id = ${workspace} AND left_at <= ${until}::timestamptz FOR UPDATE`,
    )
    if (left.length === 0) return false
    for (const table of await tablesOfWorkspaces(transaction)) {
      await transaction.execute(sql`DELETE FROM ${sql.identifier(table)} WHERE workspace_id = ${workspace}`)
    }
    return true
  })
}

/** As the database tells, so that none is left out. The lock of what is being stored comes first. */
async function tablesOfWorkspaces(queries: Queries): Promise<readonly string[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT c.table_name FROM information_schema.columns AS c JOIN information_schema.tables AS t
        USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
      ORDER BY array_position(ARRAY['lanes', 'jobs', 'people'], c.table_name::text), c.table_name`,
  )
  return rows.map((row) => String(row['table_name']))
}
