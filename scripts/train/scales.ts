/** Heads for scales, measured with each fifth of the corpus held out in turn. */
import { BUCKETS, featuresOf } from '../../src/preference/features.ts'
import type { Scored } from './corpora.ts'
import { mean, spearman } from './figures.ts'
import { type HeadWeights, percentilesOf, SEED, scoreHead } from './head.ts'
import { type Matrix, matrixOf, randomFrom, scoresOf, shuffle } from './solver.ts'

const FOLDS = 5

/** A head trained on some rows, and what it makes of others. */
export interface Trained<T> {
  readonly weights: T
  readonly scores: (rows: readonly Scored[]) => Float64Array
}

export interface ScaleFigures {
  /** Spearman on the fifth that the weights that ship did not see. */
  readonly test: number
  /** The same per source. */
  readonly sources: Readonly<Record<string, number>>
  /** Spearman of every fifth held out in turn. */
  readonly folds: readonly number[]
}

export function trainFormality(rows: readonly Scored[]) {
  return crossValidated(rows, (train): Trained<{ head: HeadWeights; percentiles: number[] }> => {
    const targets = Float64Array.from(train, ({ score }) => score)
    const { head, linear } = scoreHead(matrix(train), targets)
    const percentiles = percentilesOf(scoresOf(matrix(train), linear))
    return {
      weights: { head: { ...head, threshold: percentiles[50]! }, percentiles },
      scores: (some) => scoresOf(matrix(some), linear),
    }
  })
}

/** Fold 0 is held out from the weights that ship; each source gives every fold the same part of its rows. */
export function crossValidated<T>(
  rows: readonly Scored[],
  train: (rows: readonly Scored[]) => Trained<T>,
): { readonly weights: T; readonly figures: ScaleFigures } {
  const folds = foldsOf(rows)
  const results = Array.from({ length: FOLDS }, (_, fold) => {
    const test = rows.filter((_, i) => folds[i] === fold)
    const { weights, scores } = train(rows.filter((_, i) => folds[i] !== fold))
    return { weights, test, scores: scores(test) }
  })
  const { weights, test, scores } = results[0]!
  const sources = [...new Set(rows.map(({ source }) => source))].map((source): [string, number] => [
    source,
    agreement(test, scores, source),
  ])
  return {
    weights,
    figures: {
      test: agreement(test, scores),
      sources: Object.fromEntries(sources),
      folds: results.map((fold) => agreement(fold.test, fold.scores)),
    },
  }
}

function foldsOf(rows: readonly Scored[]): Int32Array {
  const random = randomFrom(SEED)
  const folds = new Int32Array(rows.length)
  for (const source of new Set(rows.map((row) => row.source))) {
    const members = Int32Array.from(rows.flatMap((row, i) => (row.source === source ? [i] : [])))
    shuffle(members, random)
    members.forEach((i, place) => {
      folds[i] = place % FOLDS
    })
  }
  return folds
}

function agreement(rows: readonly Scored[], scores: Float64Array, source?: string): number {
  const chosen = rows.flatMap((row, i) => (source === undefined || row.source === source ? [i] : []))
  return spearman(
    chosen.map((i) => rows[i]!.score),
    chosen.map((i) => scores[i]!),
  )
}

function matrix(rows: readonly Scored[]): Matrix {
  return matrixOf(
    rows.map(({ text }) => featuresOf(text)),
    BUCKETS,
  )
}

export function foldMean({ folds }: ScaleFigures): number {
  return mean(folds)
}
