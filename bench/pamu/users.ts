/**
 * Simulated users of one scale: a true preference per turn, and what is observed of it.
 *
 * Chosen here, because section 5 names the scenarios and leaves their figures open: 200 turns; levels uniform in
 * [.1, .9]; two levels of one user are at least .3 apart; normal noise of .05, .10 or .20 in equal parts, added to the
 * preference and clipped to [0, 1] (which pulls the observations of extreme preferences inward); nothing is missing.
 * A burst or an outlier is a mood of the moment: the preference under it does not move.
 *
 * Errors therefore compare estimators with each other, not with figures published for other users. False changes gather
 * in the first turns, while the spread of one's values is still assumed: in 100 turns they are almost twice as frequent.
 */

import { type Chance, chance } from './random.ts'

export const TURNS = 200

export const NOISE = [0.05, 0.1, 0.2] as const

export interface User {
  readonly truth: readonly number[]
  readonly observed: readonly number[]
  /** Turns whose observation says nothing of the preference. */
  readonly odd: ReadonlySet<number>
  /** Turns at which the preference is suddenly another. */
  readonly changes: ReadonlySet<number>
}

interface Course {
  readonly truth: readonly number[]
  readonly odd?: ReadonlyMap<number, number>
  readonly changes?: readonly number[]
}

export const SCENARIOS = {
  /** One level for ever. */
  stationary: (by) => ({ truth: steady(by.between(0.1, 0.9)) }),
  /** From one level to another in a straight line over 60 turns, and as long back. */
  drift: (by) => ({ truth: ramps(by) }),
  /** A change of level in each half, at any turn of its middle third. */
  abrupt: (by) => jumps(by, [by.whole(33, 66), by.whole(133, 166)]),
  /** Back and forth between two levels, each for 20 turns. */
  oscillating: (by) => jumps(by, [20, 40, 60, 80, 100, 120, 140, 160, 180]),
  /** One level; every twentieth observation or so is any number. */
  outliers: (by) => ({ truth: steady(by.between(0.1, 0.9)), odd: outliers(by, 0.05) }),
  /** One level; six times a single turn at another one. */
  'single bursts': (by) => bursts(by, 1),
  /** One level; six times three turns in a row at another one. */
  'triple bursts': (by) => bursts(by, 3),
  /** The drift with a change of level in each half, at the end of a slope, and an outlier now and then. */
  mixed: (by) => mixed(by),
} as const satisfies Record<string, (by: Chance) => Course>

export type Scenario = keyof typeof SCENARIOS

export const scenarios = Object.keys(SCENARIOS) as Scenario[]

/** The same users for the same seed; a third of them with each noise. */
export function users(scenario: Scenario, count: number, seed: number): User[] {
  const by = chance(seed + 1000 * scenarios.indexOf(scenario))
  return Array.from({ length: count }, (_, i) => {
    const { truth, odd = new Map<number, number>(), changes = [] }: Course = SCENARIOS[scenario](by)
    const noise = NOISE[i % NOISE.length]!
    const observed = truth.map((level, t) => clip((odd.get(t) ?? level) + noise * by.normal()))
    return { truth, observed, odd: new Set(odd.keys()), changes: new Set(changes) }
  })
}

export function clip(value: number): number {
  return Math.min(Math.max(value, 0), 1)
}

/** Another level, at least .3 away from this one. */
export function elsewhere(by: Chance, level: number): number {
  for (;;) {
    const other = by.between(0.1, 0.9)
    if (Math.abs(other - level) >= 0.3) return other
  }
}

function steady(level: number): number[] {
  return Array(TURNS).fill(level)
}

function ramps(by: Chance): number[] {
  const start = by.between(0.1, 0.9)
  const end = elsewhere(by, start)
  const there = (t: number) => clip((t - 20) / 60) - clip((t - 120) / 60)
  return steady(start).map((level, t) => level + (end - level) * there(t))
}

function jumps(by: Chance, changes: readonly number[]): Course {
  const first = by.between(0.1, 0.9)
  const second = elsewhere(by, first)
  const truth = steady(first).map((level, t) => (changes.filter((at) => at <= t).length % 2 === 0 ? level : second))
  return { truth, changes }
}

function outliers(by: Chance, share: number): Map<number, number> {
  const odd = new Map<number, number>()
  for (let t = 0; t < TURNS; t++) if (by.uniform() < share) odd.set(t, by.uniform())
  return odd
}

function bursts(by: Chance, length: number): Course {
  const level = by.between(0.1, 0.9)
  const odd = new Map<number, number>()
  for (let t = 15; t < TURNS; t += 30) {
    const start = t + by.whole(0, 15)
    const mood = elsewhere(by, level)
    for (let i = 0; i < length; i++) odd.set(start + i, mood)
  }
  return { truth: steady(level), odd }
}

function mixed(by: Chance): Course {
  const drifting = ramps(by)
  const changes = [by.whole(80, 95), by.whole(180, 195)]
  const levels = changes.map((change) => elsewhere(by, drifting[change]!))
  const truth = drifting.map((level, t) => {
    const latest = changes.findLastIndex((change) => change <= t && t < change + 25)
    return levels[latest] ?? level
  })
  return { truth, odd: outliers(by, 0.03), changes: changes.flatMap((change) => [change, change + 25]) }
}
