/** L2-regularised linear models over sparse rows, by dual coordinate descent run until it stands still. */
import type { Features } from '../../src/preference/features.ts'

/** Sparse rows of one matrix, end to end. */
export interface Matrix {
  readonly rows: number
  readonly width: number
  readonly starts: Int32Array
  readonly columns: Int32Array
  readonly values: Float32Array
}

export interface Linear {
  readonly weights: Float64Array
  readonly bias: number
}

/**
 * The best dual variable of one row, all others fixed (weights = sum of duals times rows).
 * `score`: the row's score now; `square`: its squared length; `dual`: its variable now.
 */
export type Step = (score: number, square: number, dual: number, target: number, cost: number) => number

/**
 * Minimises sum(loss) * cost + |weights|^2 / 2, the bias being the weight of a constant 1.
 * `cost` is liblinear's C. Rows are visited in an order drawn from `random`, so a seed gives the same weights again.
 */
export function solve(matrix: Matrix, targets: Float64Array, step: Step, cost: number, random: () => number): Linear {
  const { rows, width, starts, columns, values } = matrix
  const weights = new Float64Array(width)
  const duals = new Float64Array(rows)
  const squares = squaresOf(matrix)
  const order = Int32Array.from({ length: rows }, (_, i) => i)
  let bias = 0
  for (let pass = 0; pass < PASSES; pass++) {
    shuffle(order, random)
    let [moved, size] = [0, 0]
    for (const i of order) {
      const [from, to] = [starts[i]!, starts[i + 1]!]
      let score = bias
      for (let k = from; k < to; k++) score += weights[columns[k]!]! * values[k]!
      const dual = step(score, squares[i]!, duals[i]!, targets[i]!, cost)
      const change = dual - duals[i]!
      for (let k = from; k < to; k++) weights[columns[k]!]! += change * values[k]!
      bias += change
      duals[i] = dual
      moved += Math.abs(change)
      size += Math.abs(dual)
    }
    if (moved < STILL * size) break
  }
  return { weights, bias }
}

const PASSES = 200
/** Converged when a pass moves the duals by less than this part of their size. */
const STILL = 2e-3

/**
 * Logistic loss for targets 0 and 1 (Yu, Huang and Lin 2011). With the dual written as cost * sigmoid(u) the optimum is
 * the root of u + square * (cost * sigmoid(u) - dual) + score, which rises in u, so Newton's method finds it.
 */
export const logistic: Step = (score, square, dual, target, cost) => {
  const sign = target > 0 ? 1 : -1
  const [now, margin] = [sign * dual, sign * score]
  let u = now > 0 ? Math.log(now / Math.max(cost - now, 1e-12)) : -margin
  for (let n = 0; n < 50; n++) {
    const p = 1 / (1 + Math.exp(-u))
    const change = (u + square * (cost * p - now) + margin) / (1 + square * cost * p * (1 - p))
    u -= Math.max(-4, Math.min(4, change))
    if (Math.abs(change) < 1e-6) break
  }
  return (sign * cost) / (1 + Math.exp(-u))
}

/** Squared loss, in closed form: ridge regression. */
export const squared: Step = (score, square, dual, target, cost) =>
  dual + (target - score - dual / cost) / (square + 1 / cost)

export function matrixOf(rows: readonly Features[], width: number): Matrix {
  const starts = new Int32Array(rows.length + 1)
  rows.forEach((row, i) => {
    starts[i + 1] = starts[i]! + row.buckets.length
  })
  const columns = new Int32Array(starts[rows.length]!)
  const values = new Float32Array(starts[rows.length]!)
  rows.forEach((row, i) => {
    columns.set(row.buckets, starts[i]!)
    values.set(row.values, starts[i]!)
  })
  return { rows: rows.length, width, starts, columns, values }
}

export function scoresOf(matrix: Matrix, { weights, bias }: Linear): Float64Array {
  const scores = new Float64Array(matrix.rows)
  const { starts, columns, values } = matrix
  for (let i = 0; i < matrix.rows; i++) {
    let z = bias
    for (let k = starts[i]!; k < starts[i + 1]!; k++) z += weights[columns[k]!]! * values[k]!
    scores[i] = z
  }
  return scores
}

function squaresOf({ rows, starts, values }: Matrix): Float64Array {
  const squares = new Float64Array(rows).fill(1)
  for (let i = 0; i < rows; i++) for (let k = starts[i]!; k < starts[i + 1]!; k++) squares[i]! += values[k]! ** 2
  return squares
}

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Puts the numbers into a random order, in place. */
export function shuffle(numbers: Int32Array, random: () => number): void {
  for (let i = numbers.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = numbers[i]!
    numbers[i] = numbers[j]!
    numbers[j] = held
  }
}
