/** The politeness head: ridge regression on the rank of a rating, beside the head in the common table. */
import { BUCKETS, type Features, featuresOf } from '../../src/preference/features.ts'
import { HEADS, politeScore } from '../../src/preference/heads.ts'
import {
  createPoliteness,
  hashesOf,
  PLACES,
  type PoliteWeights,
  placeOf,
  placesOf,
} from '../../src/preference/politeness.ts'
import type { Scored } from './corpora.ts'
import { ranks } from './figures.ts'
import { type HeadWeights, percentilesOf, SEED, scoreHead, stepsOf, tidy } from './head.ts'
import { crossValidated, type ScaleFigures, type Trained } from './scales.ts'
import { matrixOf, randomFrom, scoresOf, solve, squared } from './solver.ts'

export interface Politeness {
  readonly head: HeadWeights
  readonly polite: PoliteWeights
  readonly percentiles: number[]
}

/** Margins of the heads but politeness, in order. */
export type Others = (text: string) => readonly number[]

/** Chosen by cross-validation among .2, .3 and .4. */
const COST = 0.4
/** What a margin weighs beside a word of a text of a dozen words. */
const MARGIN = 0.05
/** Listed is what at least so many texts have. */
const COMMON = 3

export function trainPoliteness(
  rows: readonly Scored[],
  others: Others,
): { readonly weights: Politeness; readonly figures: ScaleFigures } {
  return crossValidated(rows, (train) => trainOn(train, others))
}

function trainOn(rows: readonly Scored[], others: Others): Trained<Politeness> {
  const targets = ranks(rows.map(({ score }) => score)).map((rank) => (4 * rank) / rows.length - 2)
  const { head, linear } = scoreHead(
    matrixOf(
      rows.map(({ text }) => featuresOf(text)),
      BUCKETS,
    ),
    targets,
  )
  const polite = trainWords(rows, targets, others)
  const score = createPoliteness(polite)
  const scores = (some: readonly Scored[]): Float64Array => {
    const common = scoresOf(
      matrixOf(
        some.map(({ text }) => featuresOf(text)),
        BUCKETS,
      ),
      linear,
    )
    return common.map((value, i) => politeScore(value, score(some[i]!.text, others(some[i]!.text))))
  }
  const percentiles = percentilesOf(scores(rows))
  return { weights: { head: { ...head, threshold: percentiles[50]! }, polite, percentiles }, scores }
}

function trainWords(rows: readonly Scored[], targets: Float64Array, others: Others): PoliteWeights {
  const listed = listedPlaces(rows)
  const matrix = matrixOf(
    rows.map(({ text }) => featuresWith(listed, text, others(text))),
    PLACES + HEADS.length,
  )
  const { weights, bias } = solve(matrix, targets, squared, COST, randomFrom(SEED))
  const { steps, scale } = stepsOf(weights.slice(0, PLACES))
  const bits = new Uint8Array(PLACES / 8)
  for (const place of listed) bits[place >> 3]! |= 1 << (place & 7)
  return {
    listed: Buffer.from(bits).toString('base64'),
    weights: Buffer.from(steps.filter((_, place) => listed.has(place)).buffer).toString('base64'),
    scale,
    bias: tidy(bias),
    margins: Array.from(weights.slice(PLACES, PLACES + HEADS.length - 1), (weight) => tidy(weight * MARGIN)),
  }
}

/** The places of what is common: what is rarer tells nothing and would only fall among it. */
function listedPlaces(rows: readonly Scored[]): Set<number> {
  const counts = new Map<number, number>()
  for (const { text } of rows) for (const hash of new Set(hashesOf(text))) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= COMMON).map(([hash]) => placeOf(hash)))
}

function featuresWith(listed: ReadonlySet<number>, text: string, margins: readonly number[]): Features {
  const places = [...placesOf(text)].filter((place) => listed.has(place))
  const even = 1 / Math.sqrt(places.length || 1)
  return {
    buckets: Int32Array.from([...places, ...margins.map((_, h) => PLACES + h)]),
    values: Float32Array.from([...places.map(() => even), ...margins.map((margin) => MARGIN * margin)]),
  }
}
