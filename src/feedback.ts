/** What a rating of a reply says: one vote per person and reply; an upvote teaches the length and density of the reply. */

import { and, eq } from 'drizzle-orm'
import type { Rating } from './adapter.ts'
import { type Evidence, readReply } from './preference/analyser.ts'
import { DIMENSIONS, dimensions, type Partly } from './preference/dimensions.ts'
import { labelIndex } from './preference/labels.ts'
import { learn } from './preference/learn.ts'
import { ratings } from './schema.ts'
import type { Queries } from './store/database.ts'
import { addObservation, removeObservation } from './store/observations.ts'
import { holdPerson, loadKnown, loadLearned, type Place, saveLearned } from './store/people.ts'
import { findTurn } from './store/turns.ts'
import { settingsOf } from './workspace.ts'

/**
 * Stores a vote on a reply, or takes it back. That of whoever was not answered by it is kept, and teaches nothing.
 * Returns the rating of theirs that stands now; null when there is none, or nothing to rate.
 */
export async function rate(transaction: Queries, rating: Rating): Promise<Rating['rating'] | null> {
  const found = await findTurn(transaction, rating, rating.post)
  if (found === undefined) return null
  const isOwn = found.personId === rating.author.id
  const { isPaused } = isOwn ? await holdPerson(transaction, rating) : await loadKnown(transaction, rating, 0)
  if (isPaused) return null
  // Somebody may have had it forgotten meanwhile.
  const turn = await findTurn(transaction, rating, rating.post)
  if (turn?.turnId !== found.turnId) return null
  const [standing] = await transaction
    .select({ rating: ratings.rating })
    .from(ratings)
    .where(voteOf(rating, turn.turnId))
  const before = standing?.rating ?? null
  const after = changed(before, rating)
  if (after === before) return before
  const place = { ...rating, context: turn.context }
  await transaction.delete(ratings).where(voteOf(rating, turn.turnId))
  if (before === 'up' && isOwn) {
    const settings = settingsOf((await loadKnown(transaction, place, 0)).tuning)
    await removeObservation(transaction, place, turn.turnId, 'rating', settings)
  }
  if (after === null) return null
  await transaction.insert(ratings).values({
    workspaceId: rating.workspace,
    turnId: turn.turnId,
    personId: rating.author.id,
    rating: after,
    ratedAt: rating.sentAt,
  })
  if (isOwn && after === 'up' && turn.model !== null) await accept(transaction, place, turn.turnId, turn.reply)
  return after
}

/** Given by name or, without one, in turns: the same again takes it back. */
function changed(before: Rating['rating'] | null, { rating, change }: Rating): Rating['rating'] | null {
  if (change === 'give') return rating
  if (before === rating) return null
  return change === 'take' ? before : rating
}

function voteOf({ workspace, author }: Rating, turnId: number) {
  return and(eq(ratings.workspaceId, workspace), eq(ratings.turnId, turnId), eq(ratings.personId, author.id))
}

async function accept(transaction: Queries, place: Place, turnId: number, reply: string): Promise<void> {
  const evidence = acceptedReply(reply)
  if (Object.keys(evidence).length === 0) return
  const { tuning } = await loadKnown(transaction, place, 0)
  const learned = await loadLearned(transaction, place)
  await saveLearned(transaction, place, learn(learned, evidence, settingsOf(tuning), 'rating').learned)
  await addObservation(transaction, place, turnId, { kind: 'rating', evidence, restored: null, before: learned })
}

/** PAMU 2.5: an upvote is one observation of the reply's own length and density. */
function acceptedReply(reply: string): Partly<Evidence> {
  const features = readReply(reply)
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const value = features[dimension]
      if (value === undefined) return []
      const scheme = DIMENSIONS[dimension]
      const label = scheme.labels[labelIndex(value, scheme, null, 0)] ?? ''
      return [[dimension, { value, label, evidence: 'accepted' as const, because: 'a reply you liked' }]]
    }),
  )
}
