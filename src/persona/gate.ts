/**
 * Whether a new persona is better than the old one, by pairs of replies to the same questions. A change has to be worth
 * its while, sure beyond chance, and no harm to any single dimension: a persona that stays is never wrong.
 */

import { type Dimension, dimensions, type Partly } from '../preference/dimensions.ts'
import type { Score } from './score.ts'
import { HELD_OUT } from './split.ts'

/** Mean gain that is worth a change, on the scale of a score (0 to 1). */
const MARGIN = 0.02
/** Pairs nearer than this are neither won nor lost. */
const TIE = 0.005
const LEAD = 2
/** One-sided, 95 %, for any number of pairs from 8 on; Student's t is between 1.75 and 1.9 there. */
const CERTAIN = 1.9
/** A dimension may come out farther off than before by so much. */
const HARM = 0.03

export interface Pair {
  readonly turnId: number
  readonly before: Score
  readonly after: Score
}

export interface Verdict {
  readonly isAccepted: boolean
  /** Why not; empty when it is accepted. */
  readonly reason: string
  /** Mean gain, from -1 to 1, and its lower bound. */
  readonly gain: number
  readonly least: number
  readonly wins: number
  readonly losses: number
}

export function gate(pairs: readonly Pair[]): Verdict {
  const gains = pairs.map(({ before, after }) => after.total - before.total)
  const gain = mean(gains)
  const least = gain - CERTAIN * standardError(gains)
  const wins = gains.filter((value) => value > TIE).length
  const losses = gains.filter((value) => value < -TIE).length
  const reason = refusal({ gain, least, wins, losses, pairs })
  return { isAccepted: reason === '', reason, gain, least, wins, losses }
}

function refusal(
  found: Pick<Verdict, 'gain' | 'least' | 'wins' | 'losses'> & { readonly pairs: readonly Pair[] },
): string {
  const { gain, least, wins, losses, pairs } = found
  if (pairs.length < HELD_OUT.least) return `compared on ${pairs.length} turns, of at least ${HELD_OUT.least}`
  if (gain <= MARGIN) return `a mean gain of ${gain.toFixed(3)}, not above ${MARGIN}`
  if (wins - losses < LEAD) return `${wins} won and ${losses} lost, not ${LEAD} more won`
  if (least <= 0) return `a gain that may be chance: at least ${least.toFixed(3)}`
  const harmed = dimensions.find((dimension) => harmOf(pairs, dimension) > HARM)
  return harmed === undefined ? '' : `${harmed} would be farther off by ${harmOf(pairs, harmed).toFixed(3)}`
}

function harmOf(pairs: readonly Pair[], dimension: Dimension): number {
  const of = (off: Partly<number>) => off[dimension]
  const both = pairs.flatMap(({ before, after }) => {
    const [then, now] = [of(before.off), of(after.off)]
    return then === undefined || now === undefined ? [] : [now - then]
  })
  return both.length === 0 ? 0 : mean(both)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function standardError(values: readonly number[]): number {
  if (values.length < 2) return Number.POSITIVE_INFINITY
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}
