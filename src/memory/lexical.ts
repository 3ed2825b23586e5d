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
  const sumOf = summing(rarity)
  const saturated = numbersFrom(matches, (bits, i) =>
    bits === 0 ? 0 : (sumOf(bits) * (K1 + 1)) / (1 + K1 * (1 - B + (B * lengths[i]!) / mean)),
  )
  return numbersFrom(toShares(saturated), (share) => (share === 0 ? 0 : share ** SHARPNESS))
}

/** The same without regard to length. */
export function matchedBy(rarity: readonly number[], matches: readonly number[]): Float64Array {
  return toShares(numbersFrom(matches, summing(rarity)))
}

/** Inverse document frequency of each word among the texts. */
export function rarities(words: number, matches: readonly number[]): readonly number[] {
  const having = new Float64Array(words)
  for (const bits of matches) {
    for (let left = bits; left !== 0; left &= left - 1) having[31 - Math.clz32(left & -left)]! += 1
  }
  return Array.from(having, (count) => Math.log(1 + (matches.length - count + 0.5) / (count + 0.5)))
}

/** What the words that a text has are worth together, eight of them looked up at a time: every turn is asked thrice. */
function summing(rarity: readonly number[]): (matches: number) => number {
  const tables = [0, 8, 16, 24].map((first) => {
    const sums = new Float64Array(256)
    for (let bits = 1; bits < 256; bits++) {
      const lowest = 31 - Math.clz32(bits & -bits)
      sums[bits] = sums[bits & (bits - 1)]! + (rarity[first + lowest] ?? 0)
    }
    return sums
  })
  const [a, b, c, d] = tables as [Float64Array, Float64Array, Float64Array, Float64Array]
  return (bits) => a[bits & 255]! + b[(bits >> 8) & 255]! + c[(bits >> 16) & 255]! + d[bits >>> 24]!
}

function toShares(values: Float64Array): Float64Array {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most === 0 ? values : numbersFrom(values, (value) => value / most)
}

/** What `Float64Array.from` does, without an iterator: a tenth of the time. */
export function numbersFrom(values: ArrayLike<number>, of: (value: number, index: number) => number): Float64Array {
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) numbers[i] = of(values[i]!, i)
  return numbers
}
