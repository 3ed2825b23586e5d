/** Candidates in the order in which they help with a question, and which of them may be shown. Knows no texts. */

import type { Candidate, Found } from './candidates.ts'
import { timeAsked } from './dates.ts'
import { asksWhen, namedIn, subjectOf } from './question.ts'
import { isWithin, type Sought, scores, WEIGHTS, type Weights } from './score.ts'

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
/** Of a character, where room is short: .05 for some ten words. */
const PRICE = 0.001

export interface Ranked {
  readonly candidate: Candidate
  /** In units of cosine. */
  readonly score: number
}

/** Candidates that may be shown, best first and the newer first among equals. */
export function ranked(
  question: string,
  found: Found,
  options: RankOptions,
  weights: Weights = WEIGHTS,
): readonly Ranked[] {
  const sought = soughtBy(question, found, options)
  const isShown = eligible(sought, options)
  const score = scores(sought, found.candidates, weights)
  return found.candidates
    .map((candidate, i) => ({ candidate, score: score[i]! }))
    .filter(({ candidate }) => isShown(candidate))
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

/** It has to have something to do with the question by itself: what stands around it only adds. */
function eligible({ words, span }: Sought, { without, from, to }: RankOptions): (candidate: Candidate) => boolean {
  const counting = words.reduce((bits, { counts }, i) => (counts ? bits | (1 << i) : bits), 0)
  const excluded = new Set(without)
  const only = { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity }
  return (candidate) =>
    !excluded.has(candidate.turnId) &&
    isWithin(candidate, only) &&
    ((candidate.matches & counting) !== 0 ||
      (candidate.cosine !== null && candidate.cosine >= LEAST_COSINE) ||
      (span !== null && isWithin(candidate, span)))
}

function soughtBy(question: string, { candidates, lexemes }: Found, { now, timezone = 'UTC' }: RankOptions): Sought {
  const speakers = [...new Set(candidates.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))]
  const span = now === undefined ? null : timeAsked(question, now, timezone)
  return {
    words: lexemes.map((lexeme) => ({ lexeme, counts: !speakers.some((name) => isFormOf(lexeme, name)) })),
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
