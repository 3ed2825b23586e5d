/**
 * Scores that say how unlike a value, or the recent past, is to what was before.
 * Eq. 16: Delta between the two averages. Eq. 17: C, Delta in units of their standard deviations.
 */

import { type DimensionState, distance, gain, mean } from './averages.ts'
import type { Scheme, Vector } from './dimensions.ts'
import type { Settings } from './settings.ts'

export interface Divergence {
  readonly sw: Vector
  readonly ema: Vector
  /** Eq. 16. */
  readonly delta: number
  /** Eq. 17. */
  readonly C: number
  /** Standard deviation of Delta where nothing changes, over the one that Eq. 17 assumes; [0, 1]. */
  readonly rho: number
}

/** Null before the first value. `s` is the standard deviation of one value. */
export function divergence(state: DimensionState, s: number, settings: Settings, scheme: Scheme): Divergence | null {
  const { ema, v, ring } = state
  if (ema === null || ring.length === 0) return null
  const sw = mean(ring)
  const delta = distance(sw, ema, scheme)
  const C = delta / (settings.epsilon + s * Math.sqrt(1 / ring.length + v))
  return { sw, ema, delta, C, rho: correlation(state, settings) }
}

/** Eq. 17 takes the averages for independent; they share the window's values, and q is the variance that is left. */
function correlation({ age, v, ring }: DimensionState, settings: Settings): number {
  const n = ring.length
  const q = 1 / n + v - (2 * (1 - weightOutside(age, n, settings))) / n
  return q < 1e-12 ? 0 : Math.sqrt(q / (1 / n + v))
}

/** The part of the EMA that rests on values older than the window. */
function weightOutside(age: number, n: number, settings: Settings): number {
  if (age <= n) return 0
  let weight = 1
  for (let j = age - n + 1; j <= age; j++) weight *= 1 - gain(j, settings)
  return weight
}

/** How far one value lies from the EMA, in standard deviations of that difference. */
export function jumpScore(x: Vector, state: DimensionState, s: number, settings: Settings, scheme: Scheme): number {
  return distance(x, state.ema ?? x, scheme) / (settings.epsilon + s * Math.sqrt(1 + state.v))
}

/** The distance between noisy distributions concentrates, so three and more categories are tested more strictly. */
function strictness(settings: Settings, scheme: Scheme): number {
  return scheme.kind === 'category' && scheme.labels.length >= 3 ? settings.catScale : 1
}

export function isJump(score: number, settings: Settings, scheme: Scheme): boolean {
  return settings.deltaJump !== null && score > settings.deltaJump * strictness(settings, scheme)
}

export function isShift(state: DimensionState, found: Divergence, settings: Settings, scheme: Scheme): boolean {
  if (settings.delta === null) return false
  const bound = settings.delta * strictness(settings, scheme)
  if (settings.calibrate) return state.age > state.ring.length && found.C > bound * found.rho
  return state.age > Math.min(settings.cut, settings.window) && found.C > bound
}
