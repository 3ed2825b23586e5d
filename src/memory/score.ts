/**
 * How well each candidate answers a question: a weighted sum of the nearness of its vectors, of the words that it shares
 * with the question, of who said it, of its time, and of what was said around it. Weights are round numbers, chosen by
 * cross-validation over conversations. Knows no database and no texts.
 */

import type { Candidate } from './candidates.ts'
import { lexicalScores, matchedBy, type Word } from './lexical.ts'
import { type Links, linked } from './sessions.ts'

export interface Sought {
  /** The words that are looked for; bit i of a candidate's `matches` is the i-th. */
  readonly words: readonly Word[]
  /** Whom the question is about, if it names one of the speakers. */
  readonly speaker: string | null
  /** It names no other speaker. */
  readonly isAlone: boolean
  /** The question asks for a time: turns that name one are likelier answers. */
  readonly isWhen: boolean
  /** The time that the question names, in milliseconds since 1970. */
  readonly span: { readonly from: number; readonly to: number } | null
}

export type Weights = typeof WEIGHTS

/** Cosines count 1 in all, so that every weight is in units of cosine. */
export const WEIGHTS = {
  /** Share of the turn between its neighbours in the cosine; the rest is the turn alone. */
  surroundings: 0.5,
  /** Words shared with the question, against the candidate that shares most. */
  words: 0.3,
  /** Said by whom the question is about; half of it if it names somebody else, too. */
  speaker: 0.4,
  /** Said or happened in the time that the question names. */
  time: 0.5,
  /** Names a time, where the question asks for one. */
  dated: 0.2,
  /** Says much: in full from `MUCH` characters on. */
  substance: 0.1,
  /** Asks something itself. */
  asks: -0.05,
  /** Share of the score of the turn before it, of the one after it, and of those at distance two. */
  before: 0.2,
  after: 0.2,
  further: 0.5,
  /** In addition, of the turn before it when that asks something: then this one answers. */
  answers: 0.2,
  /** Words of the question in the turns up to five before and after it, and in its session, against where most are. */
  passage: 0.2,
  session: 0.1,
}

/** Characters from which on a turn says much: about 30 words. */
const MUCH = 160
/** Turns before and after that belong to a passage. */
const PASSAGE = 5

/** A score each, in the candidates' order; they come oldest first. */
export function scores(sought: Sought, candidates: readonly Candidate[], weights: Weights = WEIGHTS): Float64Array {
  const { links, sessions } = linked(candidates)
  const own = lexicalScores(sought.words, candidates)
  const alone = addedTo(cosines(candidates, weights), own, weights.words)
  const ofPassage = passageScores(sought, candidates, links)
  const ofSession = sessionScores(sought, candidates, sessions)
  const all = new Float64Array(candidates.length)
  candidates.forEach((candidate, i) => {
    all[i] =
      alone[i]! +
      fromNeighbours(i, alone, links, candidates, weights) +
      weights.passage * ofPassage[i]! +
      weights.session * ofSession[i]! +
      ofItself(sought, candidate, weights)
  })
  return all
}

/** Less their mean, as questions differ in how near everything is to them. Where no vector can be compared: 0. */
function cosines(candidates: readonly Candidate[], { surroundings }: Weights): Float64Array {
  const mixed = candidates.map(({ cosine, surroundings: around }) =>
    cosine === null ? null : (1 - surroundings) * cosine + surroundings * (around ?? cosine),
  )
  const known = mixed.filter((value) => value !== null)
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  return Float64Array.from(mixed, (value) => (value === null ? 0 : value - mean))
}

function addedTo(sum: Float64Array, values: Float64Array, weight: number): Float64Array {
  return sum.map((value, i) => value + weight * values[i]!)
}

function fromNeighbours(
  i: number,
  alone: Float64Array,
  links: Links,
  candidates: readonly Candidate[],
  { before, after, further, answers }: Weights,
): number {
  const previous = links.previous[i]!
  const next = links.next[i]!
  let sum = 0
  if (previous >= 0) {
    const share = before + (candidates[previous]!.asks ? answers : 0)
    sum += share * alone[previous]! + before * further * valueAt(alone, links.previous[previous]!)
  }
  if (next >= 0) sum += after * (alone[next]! + further * valueAt(alone, links.next[next]!))
  return sum
}

function valueAt(values: Float64Array, index: number): number {
  return index < 0 ? 0 : values[index]!
}

/** What the turns around one have together with it. */
function passageScores({ words }: Sought, candidates: readonly Candidate[], links: Links): Float64Array {
  const reach = (from: number, side: 'previous' | 'next') => {
    let bits = 0
    for (let i = links[side][from]!, steps = 0; i >= 0 && steps < PASSAGE; i = links[side][i]!, steps++) {
      bits |= candidates[i]!.matches
    }
    return bits
  }
  return matchedBy(
    words,
    candidates.map(({ matches }, i) => matches | reach(i, 'previous') | reach(i, 'next')),
    candidates.map(({ matches }) => matches),
  )
}

/** What every turn of a session has together, as one text. */
function sessionScores({ words }: Sought, candidates: readonly Candidate[], sessions: Int32Array): Float64Array {
  const matches: number[] = []
  candidates.forEach((candidate, i) => {
    const session = sessions[i]!
    matches[session] = (matches[session] ?? 0) | candidate.matches
  })
  const ofSessions = matchedBy(words, matches)
  return Float64Array.from(candidates, (_, i) => ofSessions[sessions[i]!]!)
}

function ofItself({ speaker, isAlone, isWhen, span }: Sought, candidate: Candidate, weights: Weights): number {
  let sum = weights.substance * Math.min(1, candidate.characters / MUCH)
  if (candidate.asks) sum += weights.asks
  if (speaker !== null && candidate.speaker === speaker) sum += weights.speaker * (isAlone ? 1 : 0.5)
  if (isWhen && candidate.happened !== null) sum += weights.dated
  if (span !== null && isWithin(candidate, span)) sum += weights.time
  return sum
}

/** Said in that time, or telling of it. */
export function isWithin({ at, happened }: Candidate, { from, to }: { readonly from: number; readonly to: number }) {
  return (at >= from && at < to) || (happened !== null && happened.from < to && happened.to > from)
}
