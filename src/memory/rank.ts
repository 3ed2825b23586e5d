/** Turns in the order in which they help with a question, and which of them may be shown. */

import { type Candidate, COSINE_STEPS, type Scan } from './candidates.ts'
import { timeAsked } from './dates.ts'
import { numbersFrom, rarities } from './lexical.ts'
import { asksWhen, namedIn, subjectOf } from './question.ts'
import { isWithin, ofItself, type Sought, scores, WEIGHTS, type Weights } from './score.ts'

export interface RankOptions {
  /** Only what was said, or what happened, from then on and before then. */
  readonly from?: Date
  readonly to?: Date
  /** Most turns. */
  readonly limit?: number
  /** Turns that are before the model anyway. */
  readonly without: readonly number[]
  /** When and where it is asked: `yesterday` is a day before. Without `now` no time is read from the question. */
  readonly now?: Date
  readonly timezone?: string
  /** A turn that shares no word with the question may be shown from this cosine on, by default .05. */
  readonly leastCosine?: number
}

const LEAST_COSINE = 0.05
/** So many times as many turns as are wanted have their texts read, and so many are wanted where no limit is given. */
const CANDIDATES = 10
const WANTED_TURNS = 12
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
  /** 0 of a turn that was stored after the scan. */
  readonly scoreOf: (turnId: number) => number
  /** Whether a turn has to do with the question by itself: what stands around it only adds. */
  readonly isRelated: (turnId: number) => boolean
  /** The best of those that have, whose texts are needed. */
  readonly best: readonly number[]
}

export function ranking(question: string, scan: Scan, options: RankOptions, weights: Weights = WEIGHTS): Ranking {
  const sought = soughtBy(question, scan, options)
  const values = scores(sought.rarity, scan, weights)
  const counting = sought.rarity.reduce((bits, rarity, i) => (rarity > 0 ? bits | (1 << i) : bits), 0)
  const least = (options.leastCosine ?? LEAST_COSINE) * COSINE_STEPS
  const isNear = (i: number) => (scan.cosines?.[i] ?? Number.NEGATIVE_INFINITY) >= least
  const isRelated = (i: number) => i >= 0 && ((scan.matches[i]! & counting) !== 0 || isNear(i))
  const excluded = new Set(options.without)
  const places = [...scan.ids.keys()].filter((i) => isRelated(i) && !excluded.has(scan.ids[i]!))
  const best = bestOf(places, values, CANDIDATES * (options.limit ?? WANTED_TURNS))
  return {
    sought,
    scoreOf: (turnId) => values[placeOf(scan.ids, turnId)] ?? 0,
    isRelated: (turnId) => isRelated(placeOf(scan.ids, turnId)),
    best: best.map((i) => scan.ids[i]!),
  }
}

/** The places of the highest values, best first and the newer first among equals; most are below them, and not sorted. */
function bestOf(places: readonly number[], values: Float64Array, count: number): readonly number[] {
  const sorted = numbersFrom(places, (i) => values[i]!).sort()
  const least = sorted[sorted.length - count] ?? Number.NEGATIVE_INFINITY
  return places
    .filter((i) => values[i]! >= least)
    .sort((a, b) => values[b]! - values[a]! || b - a)
    .slice(0, count)
}

/** By halves; -1 of an id that is not there. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (ids[middle] === id) return middle
    if (ids[middle]! < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Candidates that may be shown, best first and the newer first among equals. */
export function ranked(
  { sought, scoreOf, isRelated }: Ranking,
  candidates: readonly Candidate[],
  { without, from, to }: RankOptions,
  weights: Weights = WEIGHTS,
): readonly Ranked[] {
  const excluded = new Set(without)
  const only = { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity }
  const isShown = (candidate: Candidate) =>
    !excluded.has(candidate.turnId) &&
    isWithin(candidate, only) &&
    (isRelated(candidate.turnId) || (sought.span !== null && isWithin(candidate, sought.span)))
  return candidates
    .filter(isShown)
    .map((candidate) => ({ candidate, score: scoreOf(candidate.turnId) + ofItself(sought, candidate, weights) }))
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
