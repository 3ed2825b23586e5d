/** What a person made of a reply: their own vote, and what they said next. */

import type { SignalKind } from '../schema.ts'

/** A turn with a vote of the person's own, or with something that they said of its reply. */
export interface Judged {
  readonly turnId: number
  readonly context: string
  readonly question: string
  readonly reply: string
  readonly rating: 'up' | 'down' | null
  /** When the vote was given; null: there is none. */
  readonly ratedAt: Date | null
  readonly signals: readonly { readonly kind: SignalKind; readonly said: string }[]
}

/** Nobody reads and rates so many replies within a minute. */
const BURST = 6
const MINUTE_MS = 60_000
const WORTH: Readonly<Record<SignalKind, number>> = { correction: -1, 'asked-again': -1, thanks: 1 }

/** 1: accepted, -1: rejected, 0: both, so that it says nothing. */
export function verdictOf({ rating, signals }: Pick<Judged, 'rating' | 'signals'>): -1 | 0 | 1 {
  const vote = rating === null ? 0 : rating === 'up' ? 1 : -1
  const sum = signals.reduce((total, { kind }) => total + WORTH[kind], vote)
  return sum > 0 ? 1 : sum < 0 ? -1 : 0
}

/** The turns without votes that came in a flood; one that was also spoken of keeps what was said. */
export function withoutBursts<T extends Judged>(turns: readonly T[]): readonly T[] {
  const times = turns.flatMap(({ ratedAt }) => (ratedAt === null ? [] : [ratedAt.getTime()]))
  const isFlooded = (at: Date) => times.filter((time) => Math.abs(time - at.getTime()) <= MINUTE_MS / 2).length >= BURST
  return turns
    .map((turn) => (turn.ratedAt !== null && isFlooded(turn.ratedAt) ? { ...turn, rating: null, ratedAt: null } : turn))
    .filter(({ rating, signals }) => rating !== null || signals.length > 0)
}
