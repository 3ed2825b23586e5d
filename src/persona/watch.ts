/** Looks after a change: where replies are judged worse than before, the version before comes back. */

import { type Judged, verdictOf } from './judged.ts'

/** Rated turns on each side of the change. */
export const WATCHED = 10
/** Of ten turns, so many fewer good ones are worse; one fewer is as often chance as not. */
const WORSE = 2

export type WatchedTurn = Pick<Judged, 'rating' | 'signals'> & { readonly askedAt: Date }

export interface Watched {
  /** Good turns less bad ones, of ten. */
  readonly before: number
  readonly after: number
  readonly isWorse: boolean
}

/**
 * The first ten turns judged since the change against the last ten before it. `turns`: newest last.
 * @returns null while there are too few on either side
 */
export function watch(turns: readonly WatchedTurn[], changedAt: Date): Watched | null {
  const earlier = turns.filter(({ askedAt }) => askedAt <= changedAt).slice(-WATCHED)
  const later = turns.filter(({ askedAt }) => askedAt > changedAt).slice(0, WATCHED)
  if (earlier.length < WATCHED || later.length < WATCHED) return null
  const [before, after] = [sum(earlier), sum(later)]
  // A good turn less is a bad one more: it counts twice.
  return { before, after, isWorse: before - after >= 2 * WORSE }
}

function sum(turns: readonly WatchedTurn[]): number {
  return turns.reduce((total, turn) => total + verdictOf(turn), 0)
}
