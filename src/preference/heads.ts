/** Int8 linear heads over hashed features: what the words of a text are evidence for. */
import { z } from 'zod'
import { BUCKETS, featuresOf } from './features.ts'

/** In the order in which their weights lie beside each other. */
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
  /** Scores at the 0th, 1st, ... 100th percentile of the training data. */
  percentiles: z.object({ formal: z.array(z.number()).length(101), polite: z.array(z.number()).length(101) }),
  /** The commonest English words of the training data. */
  vocabulary: z.string(),
})

export type Weights = z.infer<typeof Weights>

/** Scores relative to each head's threshold (above 0 means yes), and the two scales as percentiles from 0 to 1. */
export type Margins = Readonly<Record<Head, number>>

/** Reads a text with the heads. Throws when a head's weights are not one byte per bucket. */
export function createHeads(weights: Weights): (text: string) => Margins {
  const table = interleaved(weights)
  const sums = new Float64Array(HEADS.length)
  return (text) => {
    sums.fill(0)
    const { buckets, values } = featuresOf(text)
    for (let i = 0; i < buckets.length; i++) {
      const row = buckets[i]! * HEADS.length
      for (let h = 0; h < HEADS.length; h++) sums[h]! += table[row + h]! * values[i]!
    }
    const margin = (head: Head, h: number): number => {
      const { scale, bias, threshold } = weights.heads[head]
      const score = sums[h]! * scale + bias
      if (head === 'formal' || head === 'polite') return percentile(weights.percentiles[head], score)
      return score - threshold
    }
    return Object.fromEntries(HEADS.map((head, h) => [head, margin(head, h)])) as Margins
  }
}

/** All heads' weights of a bucket side by side, so that a feature touches one line of the cache. */
function interleaved({ heads }: Weights): Int8Array {
  const table = new Int8Array(BUCKETS * HEADS.length)
  HEADS.forEach((head, h) => {
    const bytes = Buffer.from(heads[head].weights, 'base64')
    if (bytes.length !== BUCKETS)
      throw new Error(`Expected \`heads.${head}.weights\` to be ${BUCKETS} bytes in base64, got \`${bytes.length}\``)
    for (let b = 0; b < BUCKETS; b++) table[b * HEADS.length + h] = bytes.readInt8(b)
  })
  return table
}

/** The part of the training data below a score, between the percentiles by a straight line. */
export function percentile(percentiles: readonly number[], score: number): number {
  const above = percentiles.findIndex((p) => p > score)
  if (above === 0) return 0
  if (above < 0) return 1
  const [low, high] = [percentiles[above - 1]!, percentiles[above]!]
  return (above - 1 + (score - low) / (high - low)) / 100
}
