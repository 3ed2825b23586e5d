/** Which nights were worked: the first process that writes one down does its work. */

import { sql } from 'drizzle-orm'
import type { WorkspaceTuning } from '../workspace.ts'
import { parsed, type Queries, rowsOf } from './database.ts'

export interface Night {
  readonly workspace: string
  /** A local date. */
  readonly slot: string
}

/**
 * False when it is taken already, or a later one is: where the zone or the hour was changed meanwhile, no night is worked
 * twice. Earlier nights of the workspace are no longer needed.
 */
export async function claimNight(queries: Queries, { workspace, slot }: Night): Promise<boolean> {
  const taken = await rowsOf(
    queries,
    sql`INSERT INTO cron_runs (workspace_id, name, slot)
      SELECT ${workspace}::text, 'night', ${slot}::text WHERE NOT EXISTS (SELECT 1 FROM cron_runs
        WHERE workspace_id = ${workspace} AND name = 'night' AND slot > ${slot})
      ON CONFLICT DO NOTHING RETURNING slot`,
  )
  if (taken.length === 0) return false
  await queries.execute(
    sql`DELETE FROM cron_runs WHERE workspace_id = ${workspace} AND name = 'night' AND slot < ${slot}`,
  )
  return true
}

/** Every workspace in which somebody is known or something was set. */
export async function workspacesWithTuning(
  queries: Queries,
): Promise<readonly { readonly workspace: string; readonly tuning: WorkspaceTuning; readonly isLeft: boolean }[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT workspace_id, COALESCE(tuning, '{}') AS tuning, left_at IS NOT NULL AS is_left
      FROM (SELECT DISTINCT workspace_id FROM people) AS known FULL JOIN workspaces USING (workspace_id) ORDER BY 1`,
  )
  return rows.map((row) => ({
    workspace: String(row['workspace_id']),
    tuning: parsed(row['tuning']) as WorkspaceTuning,
    isLeft: row['is_left'] === true,
  }))
}
