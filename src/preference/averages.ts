/**
 * What is kept of one dimension, and how a value is taken into its two averages and its spread.
 * Eq. 4 and 7: sliding mean (SW). Eq. 5, 8 and 14-15: moving average (EMA) and its gain. Eq. 13: variances.
 */

import type { Scheme, Vector } from './dimensions.ts'
import type { Settings } from './settings.ts'

/** Everything needed to go on bit for bit after JSON; only finite numbers, never minus zero. */
export interface DimensionState {
  /** Values accepted since the last restart. */
  readonly age: number
  /** The newest accepted values of the segment, at most `window`, oldest first; the last accepted value is its tail. */
  readonly ring: readonly Vector[]
  readonly ema: Vector | null
  /** Variance of the EMA in units of one value's variance, (0, 1]. */
  readonly v: number
  /** Variance of one value around the preference. */
  readonly s2: number
  /** How much `s2` rests on: its weight, which stops growing at `memory`. */
  readonly k: number
  /** A jump that waits for a second value to agree. */
  readonly pending: Vector | null
  /** The last label shown that was not provisional; hysteresis holds on to it. */
  readonly label: number | null
}

export function initialState(settings: Settings): DimensionState {
  return { age: 0, ring: [], ema: null, v: 1, s2: settings.s0 ** 2, k: settings.nu0, pending: null, label: null }
}

/** From 0 to 1: the difference on a scale, the total variation between two distributions. */
export function distance(a: Vector, b: Vector, scheme: Scheme): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += Math.abs(a[j]! - b[j]!)
  return scheme.kind === 'scale' ? sum : sum / 2
}

/** Added from left to right, so that a reloaded ring gives the same bits. */
export function mean(ring: readonly Vector[]): Vector {
  const sum = [...ring[0]!]
  for (let i = 1; i < ring.length; i++) {
    const value = ring[i]!
    for (let j = 0; j < sum.length; j++) sum[j]! += value[j]!
  }
  return sum.map((total) => total / ring.length)
}

/** The weight in the EMA of the value that makes the segment `age` old. */
export function gain(age: number, settings: Settings): number {
  if (age === 1) return 1
  return settings.emaInit === 'annealed' ? Math.max(1 / age, 1 - settings.beta) : 1 - settings.beta
}

/** The ring under the present window: a smaller one forgets the oldest, a larger one fills up. */
export function fitted(state: DimensionState, settings: Settings): DimensionState {
  return state.ring.length <= settings.window ? state : { ...state, ring: state.ring.slice(-settings.window) }
}

export function push(state: DimensionState, x: Vector, settings: Settings): DimensionState {
  const age = state.age + 1
  const ring = [...state.ring, x].slice(-settings.window)
  const { ema } = state
  if (age === 1 || ema === null) return { ...state, age, ring, ema: x, v: 1 }
  const g = gain(age, settings)
  const moved = ema.map((value, j) => value + g * (x[j]! - value))
  return { ...state, age, ring, ema: moved, v: (1 - g) ** 2 * state.v + g ** 2 }
}

/** A new segment made of these values; the spread is a habit of the person and stays. */
export function restart(state: DimensionState, values: readonly Vector[], settings: Settings): DimensionState {
  let fresh: DimensionState = { ...state, age: 0, ring: [], ema: null, v: 1 }
  for (const value of values) fresh = push(fresh, value, settings)
  return fresh
}

/** Half the squared difference of two successive values, capped so that one jump does not deafen the tests. */
export function learnSpread(state: DimensionState, difference: number, settings: Settings): DimensionState {
  const sample = Math.min(difference ** 2 / 2, settings.wins ** 2 * state.s2)
  const k = Math.min(state.k + 1, settings.memory)
  return { ...state, s2: state.s2 + (sample - state.s2) / k, k }
}
