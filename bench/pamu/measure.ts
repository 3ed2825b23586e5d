/** How far an estimator is from the preference of simulated users of one scale. */

import { initialState } from '../../src/preference/averages.ts'
import { DIMENSIONS } from '../../src/preference/dimensions.ts'
import { restartAt, step } from '../../src/preference/estimate.ts'
import { labelIndex } from '../../src/preference/labels.ts'
import type { Settings } from '../../src/preference/settings.ts'
import type { User } from './users.ts'

const scheme = DIMENSIONS.density

/** Within this of the preference an estimate counts as settled. */
const NEAR = 0.1

export interface Estimator {
  readonly name: string
  readonly settings: Settings
  /** Told which values are odd and when the level changes, instead of having to find out. */
  readonly oracle?: boolean
}

export interface Quality {
  /** Mean absolute error of the value shown, over every turn. */
  readonly error: number
  /** Share of turns with the label of the true preference. */
  readonly accuracy: number
  /** Turns from a sudden change (itself 1) to the first settled estimate; NaN without sudden changes. */
  readonly settle: number
  /** Changes reported per 1000 turns; where a shift is a level, its beginnings. */
  readonly events: number
  /** Changes of the label per 100 turns. */
  readonly relabelled: number
}

export function measure({ settings, oracle = false }: Estimator, users: readonly User[]): Quality {
  let [turns, error, right, events, relabelled] = [0, 0, 0, 0, 0]
  const settling: number[] = []
  for (const user of users) {
    const shown = oracle ? followTold(user, settings) : followAlone(user, settings)
    for (const [t, { value, label, event }] of shown.entries()) {
      turns += 1
      error += Math.abs(value - user.truth[t]!)
      right += label === labelIndex([user.truth[t]!], scheme, null, 0) ? 1 : 0
      events += event ? 1 : 0
      relabelled += t > 0 && label !== shown[t - 1]!.label ? 1 : 0
    }
    for (const change of user.changes) settling.push(turnsToSettle(user, shown, change))
  }
  return {
    error: error / turns,
    accuracy: right / turns,
    settle: settling.reduce((sum, count) => sum + count, 0) / settling.length,
    events: (1000 * events) / turns,
    relabelled: (100 * relabelled) / turns,
  }
}

interface ShownTurn {
  readonly value: number
  readonly label: number
  readonly event: boolean
}

/** One dimension alone is never shown a jump before it is confirmed. */
function followAlone(user: User, settings: Settings): ShownTurn[] {
  let state = initialState(settings)
  let shift = false
  return user.observed.map((x) => {
    const next = step(state, [x], settings, scheme)
    const { fused, confirmed, restarted } = next.outcome
    const event = confirmed || (next.outcome.shift && !shift)
    shift = next.outcome.shift && settings.action === 'none'
    const previous = restarted || settings.hysteresis === 0 ? null : next.state.label
    const label = labelIndex(fused!, scheme, previous, settings.hysteresis)
    state = { ...next.state, label }
    return { value: fused![0]!, label, event }
  })
}

/** The same averages without detection; odd values are left out, a change begins a new segment. */
function followTold(user: User, settings: Settings): ShownTurn[] {
  const told = { ...settings, delta: null, deltaJump: null }
  let state = initialState(told)
  let value = 0.5
  return user.observed.map((x, t) => {
    const changed = user.changes.has(t) && !user.odd.has(t)
    const seen = user.odd.has(t) ? null : [x]
    const next = changed ? restartAt(state, [x], told, scheme) : step(state, seen, told, scheme)
    state = next.state
    value = next.outcome.fused?.[0] ?? value
    return { value, label: labelIndex([value], scheme, null, 0), event: changed }
  })
}

/** Up to the next change or the end, which count as if it settled there. */
function turnsToSettle(user: User, shown: readonly ShownTurn[], change: number): number {
  let t = change
  while (t < shown.length && (t === change || !user.changes.has(t))) {
    if (Math.abs(shown[t]!.value - user.truth[t]!) <= NEAR) break
    t += 1
  }
  return t - change + 1
}
