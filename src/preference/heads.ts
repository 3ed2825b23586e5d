/** Int8 linear heads over hashed features: what the words of a text are evidence for. */
import { z } from 'zod'
import { BUCKETS, type Features, featuresOf } from './features.ts'
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

/** Reads a text with the heads. Throws when weights do not fit the buckets or places they are for. */
export function createHeads(weights: Weights): (text: string) => Margins {
  const others = createMargins(weights)
  const common = decoded('polite', weights)
  const politeness = createPoliteness(weights.polite)
  return (text) => {
    const features = featuresOf(text)
    const margins = others(features)
    const { scale, bias } = weights.heads.polite
    const score = politeScore(sumOf(common, features) * scale + bias, politeness(text, valuesOf(margins)))
    return { ...margins, polite: percentile(weights.percentiles.polite, score) }
  }
}

/** The margins of all heads but politeness, which stays 0. */
export function createMargins(weights: Pick<Weights, 'heads' | 'percentiles'>): (features: Features) => Margins {
  const tables = OTHERS.map((head) => decoded(head, weights))
  return (features) => {
    const margins = { ...SILENT }
    for (const [h, head] of OTHERS.entries()) margins[head] = marginOf(head, sumOf(tables[h]!, features), weights)
    return margins
  }
}

const OTHERS = HEADS.filter((head) => head !== 'polite')

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

function marginOf(head: Head, sum: number, { heads, percentiles }: Pick<Weights, 'heads' | 'percentiles'>): number {
  const { scale, bias, threshold } = heads[head]
  const score = sum * scale + bias
  return head === 'formal' ? percentile(percentiles.formal, score) : score - threshold
}

function sumOf(table: Int8Array, { buckets, values }: Features): number {
  let sum = 0
  for (let i = 0; i < buckets.length; i++) sum += table[buckets[i]!]! * values[i]!
  return sum
}

function decoded(head: Head, { heads }: Pick<Weights, 'heads'>): Int8Array {
  const bytes = Buffer.from(heads[head].weights, 'base64')
  if (bytes.length !== BUCKETS)
    throw new Error(`Expected \`heads.${head}.weights\` to be ${BUCKETS} bytes in base64, got \`${bytes.length}\``)
  return Int8Array.from({ length: BUCKETS }, (_, b) => bytes.readInt8(b))
}

/** The part of the training data below a score, between the percentiles by a straight line. */
export function percentile(percentiles: readonly number[], score: number): number {
  const above = percentiles.findIndex((p) => p > score)
  if (above === 0) return 0
  if (above < 0) return 1
  const [low, high] = [percentiles[above - 1]!, percentiles[above]!]
  return (above - 1 + (score - low) / (high - low)) / 100
}
