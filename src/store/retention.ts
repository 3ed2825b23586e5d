/** How long a workspace keeps what was said. */

import type { Queries } from './database.ts'
import { eraseBefore } from './forget.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Erases what is older than the workspace keeps. `retention`: days; undefined: for ever. Returns how many turns. */
export async function eraseOld(
  queries: Queries,
  { workspace, retention }: { readonly workspace: string; readonly retention: number | undefined },
  now: Date,
): Promise<number> {
  return retention === undefined ? 0 : eraseBefore(queries, workspace, new Date(now.getTime() - retention * DAY_MS))
}
