/** How many of the question's words a turn has, rare ones counting more (BM25 with each word once). */

import type { Candidate } from './candidates.ts'

/** One of the words that are looked for; left out where it only names who said it. */
export interface Word {
  readonly lexeme: string
  readonly counts: boolean
}

const K1 = 1.2
const B = 0.3
/** Above 1, few words in common count less than their share of the most. */
const SHARPNESS = 1.5

/** From 0 to 1, against the candidate that has most. */
export function lexicalScores(words: readonly Word[], candidates: readonly Candidate[]): Float64Array {
  const rarity = rarities(
    words,
    candidates.map(({ matches }) => matches),
  )
  const mean = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length)
  return toShares(
    Float64Array.from(candidates, ({ matches, length }) => {
      if (matches === 0) return 0
      return (sumOf(rarity, matches) * (K1 + 1)) / (1 + K1 * (1 - B + (B * length) / Math.max(1, mean)))
    }),
  ).map((share) => share ** SHARPNESS)
}

/** The same without regard to length; `among`: the texts in which a word is rare or not. */
export function matchedBy(
  words: readonly Word[],
  matches: readonly number[],
  among: readonly number[] = matches,
): Float64Array {
  const rarity = rarities(words, among)
  return toShares(Float64Array.from(matches, (bits) => sumOf(rarity, bits)))
}

/** Inverse document frequency of each word among the texts; 0 of one that does not count. */
function rarities(words: readonly Word[], matches: readonly number[]): readonly number[] {
  return words.map(({ counts }, bit) => {
    if (!counts) return 0
    const having = matches.reduce((sum, bits) => sum + ((bits >> bit) & 1), 0)
    return Math.log(1 + (matches.length - having + 0.5) / (having + 0.5))
  })
}

function sumOf(rarity: readonly number[], matches: number): number {
  let sum = 0
  for (let bit = 0; matches >> bit !== 0; bit++) if ((matches >> bit) & 1) sum += rarity[bit]!
  return sum
}

function toShares(values: Float64Array): Float64Array {
  const most = values.reduce((max, value) => Math.max(max, value), 0)
  return most === 0 ? values : values.map((value) => value / most)
}
