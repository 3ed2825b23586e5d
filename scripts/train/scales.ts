/** The heads for formality and politeness, each held against a fifth of its corpus that it did not see. */
import { BUCKETS, featuresOf } from '../../src/preference/features.ts'
import type { Scored } from './corpora.ts'
import { mean, spearman } from './figures.ts'
import { type HeadWeights, SEED, scoreHead } from './head.ts'
import { matrixOf, randomFrom, scoresOf, shuffle } from './solver.ts'

const FOLDS = 5

export interface Scale {
  readonly head: HeadWeights
  readonly percentiles: number[]
  readonly figures: ScaleFigures
}

export interface ScaleFigures {
  /** Spearman on the held-out fifth, for the weights that ship. */
  readonly test: number
  /** The same per source. */
  readonly sources: Readonly<Record<string, number>>
  /** Spearman of every fold held out in turn: how much the choice of the fifth matters. */
  readonly folds: readonly number[]
}

/** Fold 0 is the test split; each source gives every fold the same part of its rows. */
export function trainScale(rows: readonly Scored[]): Scale {
  const folds = foldsOf(rows)
  const trained = Array.from({ length: FOLDS }, (_, fold) => {
    const [train, test] = [rows.filter((_, i) => folds[i] !== fold), rows.filter((_, i) => folds[i] === fold)]
    const head = scoreHead(
      matrix(train),
      Float64Array.from(train, ({ score }) => score),
    )
    return { ...head, test, scores: scoresOf(matrix(test), head.linear) }
  })
  const { head, percentiles, test, scores } = trained[0]!
  const sources = [...new Set(rows.map(({ source }) => source))].map((source): [string, number] => [
    source,
    agreement(test, scores, source),
  ])
  return {
    head,
    percentiles,
    figures: {
      test: agreement(test, scores),
      sources: Object.fromEntries(sources),
      folds: trained.map((fold) => agreement(fold.test, fold.scores)),
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

function matrix(rows: readonly Scored[]) {
  return matrixOf(
    rows.map(({ text }) => featuresOf(text)),
    BUCKETS,
  )
}

export function foldMean({ folds }: ScaleFigures): number {
  return mean(folds)
}
