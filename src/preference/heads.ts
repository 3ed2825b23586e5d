/** Int8 linear heads over hashed features: what the words of a text are evidence for. */
import { z } from 'zod'
import { BUCKETS, type Features, featuresOf, type Token } from './features.ts'
import { createPoliteness, PoliteWeights } from './politeness.ts'

export const HEADS = [
  'joyful',
  'angry',
  'sad',
  'anxious',
  'surprised',
  'curious',
  'neutral',
  'amused',
  'grateful',
  'formal',
  'polite',
] as const

export type Head = (typeof HEADS)[number]

const HeadWeights = z.object({
  /** One int8 step, in log-odds (emotions) or corpus points (formal, polite). */
  scale: z.number().positive(),
  bias: z.number(),
  /** The score with the best F1 on the dev split (emotions), or the median (formal, polite). */
  threshold: z.number(),
  /** One int8 per bucket, in base64. */
  weights: z.string(),
})

export const Weights = z.object({
  buckets: z.literal(BUCKETS),
  heads: z.record(z.enum(HEADS), HeadWeights),
  /** Politeness by its words, beside its head. */
  polite: PoliteWeights,
  /** Scores at the 0th, 1st, ... 100th percentile of the training data. */
  percentiles: z.object({ formal: z.array(z.number()).length(101), polite: z.array(z.number()).length(101) }),
  /** The commonest English words of the training data. */
  vocabulary: z.string(),
})

export type Weights = z.infer<typeof Weights>

/** Scores relative to each head's threshold (above 0 means yes), and the two scales as percentiles from 0 to 1. */
export type Margins = Readonly<Record<Head, number>>

/** Reads a text, given with its tokens, with the heads. Throws when weights do not fit the buckets or places. */
export function createHeads(weights: Weights): (text: string, tokens: readonly Token[]) => Margins {
  const scoresOf = createScores(weights)
  const politeness = createPoliteness(weights.polite)
  return (text, tokens) => {
    const scores = scoresOf(featuresOf(text, tokens))
    const margins = marginsOf(scores, weights)
    const score = politeScore(scores[POLITE]!, politeness(text, valuesOf(margins), tokens))
    return { ...margins, polite: percentile(weights.percentiles.polite, score) }
  }
}

/** The margins of all heads but politeness, which stays 0. */
export function createMargins(weights: Pick<Weights, 'heads' | 'percentiles'>): (features: Features) => Margins {
  const scoresOf = createScores(weights)
  return (features) => marginsOf(scoresOf(features), weights)
}

const POLITE = HEADS.indexOf('polite')
const OTHERS = HEADS.filter((head) => head !== 'polite')

/** The score of every head, in their order. */
function createScores({ heads }: Pick<Weights, 'heads'>): (features: Features) => Float64Array {
  const table = new Int8Array(BUCKETS * ROW)
  for (const [h, head] of HEADS.entries())
    for (const [bucket, weight] of decoded(head, heads[head].weights).entries()) table[bucket * ROW + h] = weight
  return (features) => {
    const scores = sumsOf(table, features)
    for (const [h, head] of HEADS.entries()) scores[h] = scores[h]! * heads[head].scale + heads[head].bias
    return scores
  }
}

/** Weights of a bucket, all heads beside each other in one line of the processor's cache. */
const ROW = 16

/** Four heads at a time in variables of their own: twice as fast as one loop over the heads in an array. */
function sumsOf(table: Int8Array, { buckets, values }: Features): Float64Array {
  const sums = new Float64Array(ROW)
  for (let h = 0; h < HEADS.length; h += 4) {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let i = 0; i < buckets.length; i++) {
      const at = buckets[i]! * ROW + h
      const value = values[i]!
      a += table[at]! * value
      b += table[at + 1]! * value
      c += table[at + 2]! * value
      d += table[at + 3]! * value
    }
    sums[h] = a
    sums[h + 1] = b
    sums[h + 2] = c
    sums[h + 3] = d
  }
  return sums
}

/** The margins that politeness builds on, in the order of the heads. */
export function valuesOf(margins: Margins): number[] {
  return OTHERS.map((head) => margins[head])
}

/** A quarter from the head in the common form, the rest from the words: together they rank better than either. */
export function politeScore(common: number, words: number): number {
  return 0.25 * common + 0.75 * words
}

const SILENT: Margins = {
  joyful: 0,
  angry: 0,
  sad: 0,
  anxious: 0,
  surprised: 0,
  curious: 0,
  neutral: 0,
  amused: 0,
  grateful: 0,
  formal: 0,
  polite: 0,
}

function marginsOf(scores: Float64Array, { heads, percentiles }: Pick<Weights, 'heads' | 'percentiles'>): Margins {
  const margins = { ...SILENT }
  for (const [h, head] of HEADS.entries()) {
    if (head === 'formal') margins[head] = percentile(percentiles.formal, scores[h]!)
    else if (head !== 'polite') margins[head] = scores[h]! - heads[head].threshold
  }
  return margins
}

function decoded(head: Head, weights: string): Int8Array {
  const bytes = Buffer.from(weights, 'base64')
  if (bytes.length !== BUCKETS)
    throw new Error(`Expected \`heads.${head}.weights\` to be ${BUCKETS} bytes in base64, got \`${bytes.length}\``)
  return Int8Array.from(bytes, (byte) => (byte << 24) >> 24)
}

/** The part of the training data below a score, between the percentiles by a straight line. */
export function percentile(percentiles: readonly number[], score: number): number {
  const above = percentiles.findIndex((p) => p > score)
  if (above === 0) return 0
  if (above < 0) return 1
  const [low, high] = [percentiles[above - 1]!, percentiles[above]!]
  return (above - 1 + (score - low) / (high - low)) / 100
}
