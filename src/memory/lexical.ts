/** How many of the question's words a turn has, rare ones counting more (BM25 with each word once). */

const K1 = 1.2
const B = 0.3
/** Above 1, few words in common count less than their share of the most. */
const SHARPNESS = 1.5

/** From 0 to 1, against the turn that has most. `lengths`: in different words. */
export function lexicalScores(
  rarity: readonly number[],
  matches: readonly number[],
  lengths: readonly number[],
): Float64Array {
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length))
  const saturated = Float64Array.from(matches, (bits, i) =>
    bits === 0 ? 0 : (sumOf(rarity, bits) * (K1 + 1)) / (1 + K1 * (1 - B + (B * lengths[i]!) / mean)),
  )
  return toShares(saturated).map((share) => (share === 0 ? 0 : share ** SHARPNESS))
}

/** The same without regard to length. */
export function matchedBy(rarity: readonly number[], matches: readonly number[]): Float64Array {
  return toShares(Float64Array.from(matches, (bits) => sumOf(rarity, bits)))
}

/** Inverse document frequency of each word among the texts. */
export function rarities(words: number, matches: readonly number[]): readonly number[] {
  const having = new Float64Array(words)
  for (const bits of matches) {
    for (let bit = 0; bits >> bit !== 0; bit++) having[bit]! += (bits >> bit) & 1
  }
  return Array.from(having, (count) => Math.log(1 + (matches.length - count + 0.5) / (count + 0.5)))
}

/** What the words that a text has are worth together. */
export function sumOf(rarity: readonly number[], matches: number): number {
  let sum = 0
  for (let bit = 0; matches >> bit !== 0; bit++) if ((matches >> bit) & 1) sum += rarity[bit]!
  return sum
}

function toShares(values: Float64Array): Float64Array {
  const most = values.reduce((max, value) => Math.max(max, value), 0)
  return most === 0 ? values : values.map((value) => value / most)
}
