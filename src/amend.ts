/** What becomes of a message that is changed or deleted after it was sent: while it waits, is answered, or was. */

import { and, arrayOverlaps, eq } from 'drizzle-orm'
import type { Edit, Removal } from './adapter.ts'
import { correct } from './correct.ts'
import { type Parts, platformOf } from './parts.ts'
import { turns } from './schema.ts'
import type { Queries } from './store/database.ts'
import { eraseTurnsOf } from './store/forget.ts'
import { buryLetters, editLetter, isNews, removeLetters } from './store/letters.ts'
import { loadTuning } from './store/people.ts'
import { settingsOf } from './workspace.ts'

/** False when it was known. The answer to the old words has to stop where one is under way. */
export function edit(parts: Parts, change: Edit): Promise<boolean> {
  return parts.database.queries.transaction(async (transaction) => {
    if (!(await isNews(transaction, change))) return false
    if ((await editLetter(transaction, change)) === 'answered') await correct(transaction, parts.analyse, change)
    return true
  })
}

/** False when it was known. */
export async function remove(parts: Parts, removal: Removal): Promise<boolean> {
  const posts = await parts.database.queries.transaction((transaction) => forgetRemoved(transaction, removal))
  if (posts === null) return false
  if (posts.length === 0) return true
  await platformOf(parts, removal.id)
    .remove?.(posts)
    .catch((error: unknown) => parts.log.error({ removal: removal.id, error }, 'posts were not taken away'))
  return true
}

/** The posts that have to go, too; null when the removal was known. */
async function forgetRemoved(transaction: Queries, removal: Removal): Promise<readonly string[] | null> {
  const { workspace, messages } = removal
  if (!(await isNews(transaction, { ...removal, conversation: '' }))) return null
  await buryLetters(transaction, workspace, messages)
  const begun = await removeLetters(transaction, workspace, messages)
  const tuning = await loadTuning(transaction, workspace)
  const said = await transaction
    .select({ turnId: turns.turnId, personId: turns.personId, postIds: turns.postIds })
    .from(turns)
    .where(and(eq(turns.workspaceId, workspace), arrayOverlaps(turns.messageIds, [...messages])))
  for (const personId of [...new Set(said.map((turn) => turn.personId))].toSorted()) {
    const turnIds = said.filter((turn) => turn.personId === personId).map(({ turnId }) => turnId)
    await eraseTurnsOf(transaction, { workspace, author: { id: personId } }, turnIds, settingsOf(tuning))
  }
  // What was kept of answered messages went with their turns.
  await buryLetters(transaction, workspace, messages)
  return tuning.deletes === 'remove' ? [...begun, ...said.flatMap(({ postIds }) => postIds)] : begun
}
