/**
 * One turn of one dimension: a value comes in, the estimate and what was noticed come out.
 * Algorithm 1; Eq. 6, 9 and 13 (fusion of SW and EMA); the jump test and the restart are this project's addition.
 */

import { type DimensionState, distance, fitted, learnSpread, push, restart } from './averages.ts'
import { type Divergence, divergence, isJump, isShift, jumpScore } from './detect.ts'
import type { Scheme, Vector } from './dimensions.ts'
import type { Settings } from './settings.ts'

/** The estimate as it stands; all null before the first value. */
export interface Standing {
  readonly sw: Vector | null
  readonly ema: Vector | null
  readonly delta: number | null
  readonly C: number | null
  readonly rho: number | null
  /** Weight of SW in `fused`, [0, 1]. */
  readonly lambda: number | null
  /** The preference. */
  readonly fused: Vector | null
}

/** A turn of one dimension. After a shift `delta`, `C` and `rho` are those that fired, the rest is the new segment's. */
export interface Outcome extends Standing {
  readonly observed: boolean
  readonly x: Vector | null
  readonly n: number
  readonly age: number
  readonly v: number
  /** Standard deviation of one value, from before this turn's was used. */
  readonly s: number
  /** Null where no jump test was made. */
  readonly J: number | null
  /** The value is unlike what was before and waits for a second one. */
  readonly jump: boolean
  /** The value agrees with the one that waited: a change. */
  readonly confirmed: boolean
  /** The value that waited stood alone and is dropped. */
  readonly rejected: boolean
  /** The recent past has left the long one: a change. */
  readonly shift: boolean
  readonly restarted: boolean
  readonly pending: Vector | null
}

export interface Step {
  readonly state: DimensionState
  readonly outcome: Outcome
}

const NOTHING: Standing = { sw: null, ema: null, delta: null, C: null, rho: null, lambda: null, fused: null }

type Noticed = Pick<Outcome, 'J' | 'jump' | 'confirmed' | 'rejected' | 'shift' | 'restarted'>

const QUIET: Noticed = { J: null, jump: false, confirmed: false, rejected: false, shift: false, restarted: false }

/**
 * The normative step of one dimension. `x` is cleaned (see clean.ts) or null for missing, which changes nothing.
 * A `frozen` estimate whose window is full takes no value any more.
 */
export function step(before: DimensionState, x: Vector | null, settings: Settings, scheme: Scheme): Step {
  const state = fitted(before, settings)
  if (x === null || (settings.frozen && state.age >= settings.window)) {
    return report(state, null, state.s2, standing(state, settings, scheme), QUIET)
  }
  const { settled, confirmed, rejected } = settlePending(state, x, settings, scheme)
  const s = Math.sqrt(settled.s2)
  const J = settings.deltaJump !== null && settled.age >= 1 ? jumpScore(x, settled, s, settings, scheme) : null
  const jump = J !== null && isJump(J, settings, scheme)
  const noticed = { J, jump, confirmed, rejected, shift: false, restarted: confirmed }
  if (!jump) return accept(settled, x, noticed, settings, scheme)
  const waiting = { ...settled, pending: x }
  return report(waiting, x, settled.s2, standing(waiting, settings, scheme), noticed)
}

/** The estimate of a state without a turn, for display. */
export function standing(state: DimensionState, settings: Settings, scheme: Scheme): Standing {
  const fits = fitted(state, settings)
  const found = divergence(fits, Math.sqrt(fits.s2), settings, scheme)
  return found === null ? NOTHING : fuse(fits, found, found.C, settings)
}

/** The estimate begins anew at `x`, as after a change, whatever it was before. */
export function restartAt(before: DimensionState, x: Vector, settings: Settings, scheme: Scheme): Step {
  const state = restart({ ...before, pending: null }, [x], settings)
  const noticed = { ...QUIET, confirmed: true, restarted: true }
  return report(state, x, state.s2, standing(state, settings, scheme), noticed)
}

function settlePending(state: DimensionState, x: Vector, settings: Settings, scheme: Scheme) {
  const { pending, ema } = state
  if (pending === null || ema === null) return { settled: state, confirmed: false, rejected: false }
  const free = { ...state, pending: null }
  if (distance(x, pending, scheme) <= distance(x, ema, scheme)) {
    return { settled: restart(free, [pending], settings), confirmed: true, rejected: false }
  }
  const difference = distance(pending, state.ring.at(-1) ?? ema, scheme)
  return { settled: learnSpread(free, difference, settings), confirmed: false, rejected: true }
}

function accept(settled: DimensionState, x: Vector, noticed: Noticed, settings: Settings, scheme: Scheme): Step {
  const { s2 } = settled
  const last = settled.ring.at(-1)
  const state = push(settled, x, settings)
  const found = divergence(state, Math.sqrt(s2), settings, scheme)
  if (found === null) throw new Error('a value was pushed and left no average')
  if (!isShift(state, found, settings, scheme)) {
    const learnt = last === undefined ? state : learnSpread(state, distance(x, last, scheme), settings)
    return report(learnt, x, s2, fuse(learnt, found, found.C, settings), noticed)
  }
  if (settings.action === 'none') {
    return report(state, x, s2, fuse(state, found, found.C, settings), { ...noticed, shift: true })
  }
  const fresh = restart(state, state.ring.slice(-Math.min(settings.cut, settings.window)), settings)
  const { sw, ema } = divergence(fresh, Math.sqrt(s2), settings, scheme) ?? found
  const fused = fuse(fresh, { ...found, sw, ema }, 0, settings)
  return report(fresh, x, s2, fused, { ...noticed, shift: true, restarted: true })
}

/** Eq. 6 and 9 with the weight of Eq. 13. */
function fuse(state: DimensionState, found: Divergence, C: number, settings: Settings): Standing {
  const { sw, ema, delta, rho } = found
  const lambda = weight(state, C, settings)
  const fused = sw.map((value, j) => lambda * value + (1 - lambda) * ema[j]!)
  return { sw, ema, delta, C: found.C, rho, lambda, fused }
}

function weight({ v, ring }: DimensionState, C: number, settings: Settings): number {
  if (typeof settings.lambda === 'number') return settings.lambda
  const steady = v / (1 / ring.length + v)
  return settings.lambda === 'auto' ? steady : 1 - (1 - steady) / Math.max(1, C * C)
}

/** `s2` is the variance from before this turn's value was used. Written out, because every turn comes by here. */
function report(state: DimensionState, x: Vector | null, s2: number, estimate: Standing, noticed: Noticed): Step {
  const { age, v, ring, pending } = state
  const { sw, ema, delta, C, rho, lambda, fused } = estimate
  const { J, jump, confirmed, rejected, shift, restarted } = noticed
  const outcome: Outcome = {
    observed: x !== null,
    x,
    sw,
    ema,
    delta,
    C,
    rho,
    lambda,
    fused,
    n: ring.length,
    age,
    v,
    s: Math.sqrt(s2),
    J,
    jump,
    confirmed,
    rejected,
    shift,
    restarted,
    pending,
  }
  return { state, outcome }
}
