/** How long a workspace keeps what was said. */

import { isNotNull, sql } from 'drizzle-orm'
import { workspaces } from '../schema.ts'
import type { Queries } from './database.ts'
import { eraseBefore } from './forget.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Erases, in every workspace with a retention, what is older than that. For the nightly job. Returns how many turns. */
export async function eraseOld(queries: Queries, now: Date): Promise<number> {
  const kept = await queries
    .select({ workspace: workspaces.workspaceId, tuning: workspaces.tuning })
    .from(workspaces)
    .where(isNotNull(sql`${workspaces.tuning} -> 'retention'`))
  let erased = 0
  for (const { workspace, tuning } of kept) {
    if (tuning.retention === undefined) continue
    erased += await eraseBefore(queries, workspace, new Date(now.getTime() - tuning.retention * DAY_MS))
  }
  return erased
}
