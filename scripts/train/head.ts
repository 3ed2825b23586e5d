/** Trains one head and writes its weights in int8, and measures it as it will be used. */
import type { Weights } from '../../src/preference/heads.ts'
import { bestThreshold, f1 } from './figures.ts'
import { type Linear, logistic, type Matrix, randomFrom, scoresOf, solve, squared } from './solver.ts'
import { scaled, tellingWeights } from './weighting.ts'

export type HeadWeights = Weights['heads']['joyful']

export interface Splits<T> {
  readonly train: T
  readonly dev: T
  readonly test: T
}

export const SEED = 20251

/** Chosen on dev among .5, 1, 2 and 4. */
const COST = 2
/** Chosen by cross-validation on the training part among .1, .2, .4 and .8. */
const SCORE_COST = 0.4

/** A one-vs-rest head for a yes-or-no label, its threshold from dev, its F1 on dev and test after rounding. */
export function labelHead(matrices: Splits<Matrix>, targets: Splits<Float64Array>) {
  const scales = tellingWeights(matrices.train, targets.train)
  const scaledDown = solve(scaled(matrices.train, scales), targets.train, logistic, COST, randomFrom(SEED))
  const rounded = round({ weights: scaledDown.weights.map((w, j) => w * scales[j]!), bias: scaledDown.bias })
  const [dev, test] = [scoresOf(matrices.dev, rounded.linear), scoresOf(matrices.test, rounded.linear)]
  const threshold = bestThreshold(dev, targets.dev)
  return {
    head: { ...rounded.head, threshold: tidy(threshold) },
    dev: f1(dev, targets.dev, threshold),
    test: f1(test, targets.test, threshold),
  }
}

/** A ridge regression on a scale; its threshold is for the caller to set. */
export function scoreHead(train: Matrix, targets: Float64Array) {
  return round(solve(train, targets, squared, SCORE_COST, randomFrom(SEED)))
}

/** Scores at the 0th, 1st, ... 100th percentile. */
export function percentilesOf(scores: Float64Array): number[] {
  const sorted = scores.toSorted()
  return Array.from({ length: 101 }, (_, p) => tidy(sorted[Math.round((p / 100) * (sorted.length - 1))]!))
}

function round({ weights, bias }: Linear): { linear: Linear; head: Omit<HeadWeights, 'threshold'> } {
  const { steps, scale } = stepsOf(weights)
  const head = { scale, bias: tidy(bias), weights: Buffer.from(steps.buffer).toString('base64') }
  return { linear: { weights: Float64Array.from(steps, (step) => step * scale), bias: head.bias }, head }
}

/** Int8 steps of the largest weight: clipping the few largest costs two points of curiosity's F1. */
export function stepsOf(weights: Float64Array): { steps: Int8Array<ArrayBuffer>; scale: number } {
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0)
  const scale = Number((largest / 127).toPrecision(6))
  return { steps: Int8Array.from(weights, (w) => Math.max(-127, Math.min(127, Math.round(w / scale)))), scale }
}

export function tidy(value: number): number {
  return Number(value.toFixed(4))
}
