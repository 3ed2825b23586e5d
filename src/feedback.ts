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
import { holdPerson, loadKnown, loadLearned, saveLearned } from './store/people.ts'
import { findTurn } from './store/turns.ts'
import { settingsOf } from './workspace.ts'

/**
 * Stores a rating of the person's own turn, or takes it back when it is given a second time.
 * Returns the rating that stands now; null when there is none, or nothing to rate.
 */
export async function rate(transaction: Queries, rating: Rating): Promise<Rating['rating'] | null> {
  const { isPaused } = await holdPerson(transaction, rating)
  if (isPaused) return null
  const turn = await findTurn(transaction, rating, rating.post)
  if (turn === undefined) return null
  const place = { ...rating, context: turn.context }
  const settings = settingsOf((await loadKnown(transaction, place, 0)).tuning)
  const mine = and(
    eq(ratings.workspaceId, rating.workspace),
    eq(ratings.turnId, turn.turnId),
    eq(ratings.personId, rating.author.id),
  )
  const [before] = await transaction.delete(ratings).where(mine).returning()
  if (before?.rating === 'up') await removeObservation(transaction, place, turn.turnId, 'rating', settings)
  if (before?.rating === rating.rating) return null
  await transaction.insert(ratings).values({
    workspaceId: rating.workspace,
    turnId: turn.turnId,
    personId: rating.author.id,
    rating: rating.rating,
    ratedAt: rating.sentAt,
  })
  const evidence = rating.rating === 'up' && turn.model !== null ? acceptedReply(turn.reply) : {}
  if (Object.keys(evidence).length === 0) return rating.rating
  const learned = await loadLearned(transaction, place)
  await saveLearned(transaction, place, learn(learned, evidence, settings, 'rating').learned)
  await addObservation(transaction, place, turn.turnId, { kind: 'rating', evidence, restored: null, before: learned })
  return rating.rating
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
