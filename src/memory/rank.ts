/** Turns in the order in which they help with a question, and which of them may be shown. */

import { type Candidate, COSINE_STEPS, type Scan } from './candidates.ts'
import { timeAsked } from './dates.ts'
import { rarities } from './lexical.ts'
import { asksWhen, namedIn, subjectOf } from './question.ts'
import { isWithin, ofItself, type Sought, scores, WEIGHTS, type Weights } from './score.ts'

export interface RankOptions {
  /** Only what was said, or what happened, from then on and before then. */
  readonly from?: Date
  readonly to?: Date
  /** Turns that are before the model anyway. */
  readonly without: readonly number[]
  /** When and where it is asked: `yesterday` is a day before. Without `now` no time is read from the question. */
  readonly now?: Date
  readonly timezone?: string
}

/** A turn that shares no word with the question may be shown from this cosine on. */
const LEAST_COSINE = 0.05
/** Turns whose texts are read. */
const BEST = 120
/** Of a character, where room is short: .05 for some ten words. */
const PRICE = 0.001

export interface Ranked {
  readonly candidate: Candidate
  /** In units of cosine. */
  readonly score: number
}

/** What is looked for, and every turn's score as far as it is known without its text. */
export interface Ranking {
  readonly sought: Sought
  /** By turn. */
  readonly scores: ReadonlyMap<number, number>
  /** Turns that have to do with the question by themselves: what stands around one only adds. */
  readonly related: ReadonlySet<number>
  /** The best of these, whose texts are needed. */
  readonly best: readonly number[]
}

export function ranking(question: string, scan: Scan, options: RankOptions, weights: Weights = WEIGHTS): Ranking {
  const sought = soughtBy(question, scan, options)
  const values = scores(sought.rarity, scan, weights)
  const counting = sought.rarity.reduce((bits, rarity, i) => (rarity > 0 ? bits | (1 << i) : bits), 0)
  const excluded = new Set(options.without)
  const related = scan.ids
    .map((id, i) => ({ id, i, value: values[i]! }))
    .filter(({ id, i }) => !excluded.has(id) && ((scan.matches[i]! & counting) !== 0 || isNear(scan, i)))
  const best = related.sort((a, b) => b.value - a.value || b.id - a.id).slice(0, BEST)
  return {
    sought,
    scores: new Map(scan.ids.map((id, i) => [id, values[i]!])),
    related: new Set(related.map(({ id }) => id)),
    best: best.map(({ id }) => id),
  }
}

function isNear({ cosines }: Scan, i: number): boolean {
  return (cosines?.[i] ?? Number.NEGATIVE_INFINITY) >= LEAST_COSINE * COSINE_STEPS
}

/** Candidates that may be shown, best first and the newer first among equals. */
export function ranked(
  { sought, scores, related }: Ranking,
  candidates: readonly Candidate[],
  { without, from, to }: RankOptions,
  weights: Weights = WEIGHTS,
): readonly Ranked[] {
  const excluded = new Set(without)
  const only = { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity }
  const isShown = (candidate: Candidate) =>
    !excluded.has(candidate.turnId) &&
    isWithin(candidate, only) &&
    (related.has(candidate.turnId) || (sought.span !== null && isWithin(candidate, sought.span)))
  return candidates
    .filter(isShown)
    .map((candidate) => ({
      candidate,
      // Stored after the scan: nothing is known of it.
      score: (scores.get(candidate.turnId) ?? 0) + ofItself(sought, candidate, weights),
    }))
    .sort(byScore)
}

/** What is worth its room first: a short turn goes before a long one that is hardly better. */
export function byWorth(all: readonly Ranked[]): readonly Ranked[] {
  return all
    .map((one) => ({ one, score: one.score - PRICE * one.candidate.characters, candidate: one.candidate }))
    .sort(byScore)
    .map(({ one }) => one)
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.candidate.turnId - a.candidate.turnId
}

function soughtBy(
  question: string,
  { speakers, lexemes, matches }: Scan,
  { now, timezone = 'UTC' }: RankOptions,
): Sought {
  const rarity = rarities(lexemes.length, matches)
  const span = now === undefined ? null : timeAsked(question, now, timezone)
  return {
    rarity: lexemes.map((lexeme, i) => (speakers.some((name) => isFormOf(lexeme, name)) ? 0 : rarity[i]!)),
    speaker: subjectOf(question, speakers),
    isAlone: namedIn(question, speakers).length === 1,
    isWhen: asksWhen(question),
    span: span && { from: span.from.getTime(), to: span.to.getTime() },
  }
}

/** `melani` of `Melanie`. */
function isFormOf(lexeme: string, name: string): boolean {
  return name
    .toLowerCase()
    .split(/\s+/)
    .some((part) => part.startsWith(lexeme) && lexeme.length >= part.length - 2)
}
