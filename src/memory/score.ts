/**
 * How well each candidate answers a question: a weighted sum of the nearness of its vectors, of the words that it shares
 * with the question, of who said it, of its time, and of what was said around it. Weights are round numbers, chosen by
 * cross-validation over conversations. Knows no database and no texts.
 */

import { type Candidate, COSINE_STEPS, type Range, type Scan } from './candidates.ts'
import { lexicalScores, matchedBy, numbersFrom, rarities } from './lexical.ts'
import { type Links, linked } from './sessions.ts'

export interface Sought {
  /** How rare each word is that is looked for; 0 where it only names who said it. Bit i of `matches` is the i-th. */
  readonly rarity: readonly number[]
  /** Whom the question is about, if it names one of the speakers. */
  readonly speaker: string | null
  /** It names no other speaker. */
  readonly isAlone: boolean
  /** The question asks for a time: turns that name one are likelier answers. */
  readonly isWhen: boolean
  /** The time that the question names. */
  readonly span: Range | null
}

export type Weights = typeof WEIGHTS

/** Cosines count 1 in all, so that every weight is in units of cosine. */
export const WEIGHTS = {
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

/** Of every turn what is known without its text and its time: by its vectors, its words and what stands around it. */
export function scores(rarity: readonly number[], scan: Scan, weights: Weights = WEIGHTS): Float64Array {
  const { links, sessions } = linked(scan)
  const own = lexicalScores(rarity, scan.matches, scan.lengths)
  const alone = addedTo(centred(scan), own, weights.words)
  const ofPassage = matchedBy(rarity, passages(scan.matches, links))
  const ofSession = sessionScores(rarity, scan.matches, sessions)
  return numbersFrom(
    alone,
    (value, i) =>
      value +
      fromNeighbours(i, alone, links, scan.asks, weights) +
      weights.passage * ofPassage[i]! +
      weights.session * ofSession[i]! +
      (scan.asks[i] === 1 ? weights.asks : 0),
  )
}

/** Less their mean, as questions differ in how near everything is to them. Where no vector can be compared: 0. */
function centred({ ids, cosines }: Scan): Float64Array {
  if (cosines === null) return new Float64Array(ids.length)
  const known = cosines.filter((steps) => steps !== null)
  const mean = known.reduce((sum, steps) => sum + steps, 0) / Math.max(1, known.length)
  return numbersFrom(ids, (_, i) => {
    const steps = cosines[i]
    return steps == null ? 0 : (steps - mean) / COSINE_STEPS
  })
}

function addedTo(sum: Float64Array, values: Float64Array, weight: number): Float64Array {
  return numbersFrom(sum, (value, i) => value + weight * values[i]!)
}

function fromNeighbours(
  i: number,
  alone: Float64Array,
  links: Links,
  asks: readonly number[],
  { before, after, further, answers }: Weights,
): number {
  const previous = links.previous[i]!
  const next = links.next[i]!
  let sum = 0
  if (previous >= 0) {
    const share = before + (asks[previous] === 1 ? answers : 0)
    sum += share * alone[previous]! + before * further * valueAt(alone, links.previous[previous]!)
  }
  if (next >= 0) sum += after * (alone[next]! + further * valueAt(alone, links.next[next]!))
  return sum
}

function valueAt(values: Float64Array, index: number): number {
  return index < 0 ? 0 : values[index]!
}

/** The words that the turns around each have together with it. */
function passages(matches: readonly number[], links: Links): number[] {
  const reach = (from: number, side: 'previous' | 'next') => {
    let bits = 0
    for (let i = links[side][from]!, steps = 0; i >= 0 && steps < PASSAGE; i = links[side][i]!, steps++) {
      bits |= matches[i]!
    }
    return bits
  }
  return matches.map((bits, i) => bits | reach(i, 'previous') | reach(i, 'next'))
}

/** What every turn of a session has together, as one text. */
function sessionScores(rarity: readonly number[], matches: readonly number[], sessions: Int32Array): Float64Array {
  const together: number[] = []
  matches.forEach((bits, i) => {
    const session = sessions[i]!
    together[session] = (together[session] ?? 0) | bits
  })
  const among = rarities(rarity.length, together).map((value, i) => (rarity[i] === 0 ? 0 : value))
  const ofSessions = matchedBy(among, together)
  return numbersFrom(matches, (_, i) => ofSessions[sessions[i]!]!)
}

/** What its text and its time add. */
export function ofItself(sought: Sought, candidate: Candidate, weights: Weights = WEIGHTS): number {
  const { speaker, isAlone, isWhen, span } = sought
  let sum = weights.substance * Math.min(1, candidate.characters / MUCH)
  if (speaker !== null && candidate.speaker === speaker) sum += weights.speaker * (isAlone ? 1 : 0.5)
  if (isWhen && candidate.happened !== null) sum += weights.dated
  if (span !== null && isWithin(candidate, span)) sum += weights.time
  return sum
}

/** Said in that time, or telling of it. */
export function isWithin({ at, happened }: Candidate, { from, to }: Range): boolean {
  return (at >= from && at < to) || (happened !== null && happened.from < to && happened.to > from)
}
