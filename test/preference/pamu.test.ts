/** What holds of every stream of values: the properties of the estimator of one dimension. */

import { describe, expect, test } from 'vitest'
import { type DimensionState, initialState } from '../../src/preference/averages.ts'
import { clean } from '../../src/preference/clean.ts'
import { DIMENSIONS, type Scheme, type Vector } from '../../src/preference/dimensions.ts'
import { type Outcome, standing, step } from '../../src/preference/estimate.ts'
import { PROFILES, resolve, type Settings } from '../../src/preference/settings.ts'

const { density, tone } = DIMENSIONS
const ADAPTIVE = PROFILES.adaptive

interface Walk {
  readonly state: DimensionState
  readonly outcomes: readonly Outcome[]
}

function walk(
  values: readonly (Vector | number | null)[],
  settings: Settings,
  scheme: Scheme,
  from?: DimensionState,
): Walk {
  let state = from ?? initialState(settings)
  const outcomes = values.map((value) => {
    const next = step(state, typeof value === 'number' ? [value] : value, settings, scheme)
    state = next.state
    return next.outcome
  })
  return { state, outcomes }
}

/** A linear congruential generator (Numerical Recipes), from 0 to 1. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Noise with level changes, gaps and single odd values. */
function rough(seed: number, scheme: Scheme, turns: number): (Vector | null)[] {
  const next = random(seed)
  let level = next()
  return Array.from({ length: turns }, () => {
    if (next() < 0.05) level = next()
    if (next() < 0.1) return null
    const value = next() < 0.05 ? next() : level + (next() - 0.5) * 0.2
    return clean(scheme.kind === 'scale' ? value : scheme.labels.map((_, j) => Math.abs(value - j / 4) ** 3), scheme)
  })
}

const VARIANTS: readonly Settings[] = [
  resolve({}),
  resolve({ profile: 'paper' }),
  resolve({ lambda: 'dynamic' }),
  resolve({ window: 1, beta: 0.5 }),
  resolve({ window: 64, beta: 0.99, lambda: 'dynamic' }),
  resolve({ profile: 'paper', window: 3, lambda: 'auto' }),
  { ...resolve({ window: 8 }), emaInit: 'first' },
]

describe.each([density, tone])('on any stream of a $kind', (scheme) => {
  const runs = VARIANTS.flatMap((settings, i) =>
    [1, 2, 3].map((seed) => walk(rough(seed * 31 + i, scheme, 300), settings, scheme)),
  )
  const outcomes = runs.flatMap((run) => run.outcomes)

  test('what is fused stays on the simplex', () => {
    const sums = scheme.kind === 'category' ? 1 : 0
    const off = outcomes.filter(({ fused }) => {
      if (fused === null) return false
      const total = fused.reduce((sum, part) => sum + part)
      return fused.some((part) => part < 0 || part > 1 + 1e-12) || Math.abs(total - 1) * sums > 1e-12
    })
    expect(off).toEqual([])
  })

  test('lambda and rho stay between 0 and 1', () => {
    const weights = outcomes.flatMap(({ lambda, rho }) => [lambda ?? 0, rho ?? 0])
    expect(weights.filter((weight) => !(weight >= 0 && weight <= 1))).toEqual([])
  })

  test('something of everything happens, so the other properties are not empty', () => {
    for (const kind of ['jump', 'confirmed', 'rejected', 'shift', 'restarted', 'observed'] as const) {
      expect(outcomes.some((outcome) => outcome[kind])).toBe(true)
    }
  })

  test('a state that went through JSON goes on bit for bit', () => {
    for (const settings of VARIANTS) {
      const values = rough(7, scheme, 200)
      let stored = JSON.stringify(initialState(settings))
      for (const value of values) stored = JSON.stringify(step(JSON.parse(stored), value, settings, scheme).state)
      expect(JSON.parse(stored)).toStrictEqual(walk(values, settings, scheme).state)
    }
  })

  test('a missing value changes nothing and repeats the estimate', () => {
    const { state } = walk(rough(5, scheme, 50), ADAPTIVE, scheme)
    const { state: after, outcome } = step(state, null, ADAPTIVE, scheme)
    expect(after).toBe(state)
    expect(outcome).toMatchObject({
      ...standing(state, ADAPTIVE, scheme),
      observed: false,
      x: null,
      J: null,
      jump: false,
    })
  })
})

test('a constant stream never fires, whatever the constant and the settings', () => {
  for (const settings of VARIANTS) {
    for (const value of [0, 0.1, 0.3, 1 / 3, 0.7, 1]) {
      const { outcomes } = walk(Array(150).fill(value), settings, density)
      expect(outcomes.some(({ jump, shift, restarted }) => jump || shift || restarted)).toBe(false)
      expect(outcomes.at(-1)!.fused![0]).toBeCloseTo(value, 12)
    }
  }
})

test('two categories are the scale of the first one', () => {
  const pair: Scheme = { kind: 'category', labels: ['yes', 'no'] }
  const values = rough(11, density, 200).map((value) => value?.[0] ?? null)
  const scale = walk(values, ADAPTIVE, density)
  const both = walk(
    values.map((p) => (p === null ? null : [p, 1 - p])),
    ADAPTIVE,
    pair,
  )
  for (const [i, { fused, C, jump, shift }] of both.outcomes.entries()) {
    const other = scale.outcomes[i]!
    if (fused && other.fused) expect(Math.abs(fused[0]! - other.fused[0]!)).toBeLessThan(1e-12)
    expect([jump, shift]).toEqual([other.jump, other.shift])
    expect(C ?? 0).toBeCloseTo(other.C ?? 0, 9)
  }
})

test('a single burst leaves no trace in the estimate', () => {
  const calm = [0.2, 0.22, 0.18, 0.21, 0.2]
  const { state } = walk(calm, ADAPTIVE, density)
  const burst = walk([0.9, 0.2], ADAPTIVE, density, state)
  const without = walk([0.2], ADAPTIVE, density, state)
  expect(burst.outcomes[0]).toMatchObject({
    jump: true,
    pending: [0.9],
    fused: walk(calm, ADAPTIVE, density).outcomes[4]!.fused,
  })
  expect(burst.outcomes[1]).toMatchObject({ rejected: true, confirmed: false, pending: null })
  const { ring, ema, v, age } = burst.state
  expect({ ring, ema, v, age }).toEqual({
    ring: without.state.ring,
    ema: without.state.ema,
    v: without.state.v,
    age: 6,
  })
  expect(burst.state.s2).toBeGreaterThan(without.state.s2)
})

test('two agreeing values begin a new segment', () => {
  const { state, outcomes } = walk([0.2, 0.22, 0.18, 0.21, 0.2, 0.8, 0.78], ADAPTIVE, density)
  expect(outcomes[6]).toMatchObject({ confirmed: true, restarted: true, age: 2, n: 2 })
  expect(state.ring).toEqual([[0.8], [0.78]])
  expect(outcomes[6]!.fused![0]).toBeCloseTo(0.79, 12)
})

test('nothing is refused for ever: A B A B is accepted in the end', () => {
  const settled = walk(Array(20).fill(0.2), ADAPTIVE, density).state
  const alternating = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 0.8 : 0.2))
  const { outcomes } = walk(alternating, ADAPTIVE, density, settled)
  const firstTaken = outcomes.findIndex(({ jump, x }) => !jump && x![0] === 0.8)
  expect(firstTaken).toBeGreaterThan(0)
  expect(firstTaken).toBeLessThan(40)
})

describe('when the window changes on the way', () => {
  const values = [0.2, 0.25, 0.21, 0.23, 0.22, 0.24, 0.2, 0.21]
  const wide = resolve({ window: 5 })
  const { state } = walk(values, wide, density)

  test('a smaller one keeps the newest values and everything else', () => {
    const narrow = resolve({ window: 2 })
    const now = step(state, null, narrow, density)
    expect(now.outcome).toMatchObject({ n: 2, age: state.age, ema: state.ema, v: state.v })
    expect(now.outcome.sw![0]).toBeCloseTo((0.2 + 0.21) / 2, 12)
    const { outcome } = step(state, [0.23], narrow, density)
    expect(outcome).toMatchObject({ n: 2, age: 9 })
    expect(outcome.sw![0]).toBeCloseTo((0.21 + 0.23) / 2, 12)
  })

  test('a larger one fills up', () => {
    const next = walk([0.22, 0.22, 0.22, 0.22], resolve({ window: 8 }), density, state)
    expect(next.outcomes.map(({ n }) => n)).toEqual([6, 7, 8, 8])
    expect(next.outcomes.map(({ age }) => age)).toEqual([9, 10, 11, 12])
    expect(next.outcomes[0]!.sw![0]).toBeCloseTo((0.23 + 0.22 + 0.24 + 0.2 + 0.21 + 0.22) / 6, 12)
  })

  test('a value that waits goes on waiting', () => {
    const waiting = walk([0.9], wide, density, state).state
    const { outcome, state: after } = step(waiting, [0.88], resolve({ window: 2, beta: 0.8 }), density)
    expect(outcome).toMatchObject({ confirmed: true, age: 2 })
    expect(after.s2).toBeGreaterThan(0)
  })
})

test('a value as near to the one that waits as to the old estimate confirms', () => {
  const narrow: Settings = { ...ADAPTIVE, s0: 0.01 }
  const waiting = walk([0.25, 0.75], narrow, density).state
  expect(step(waiting, [0.5], narrow, density).outcome).toMatchObject({ confirmed: true, rejected: false })
  expect(step(waiting, [0.4375], narrow, density).outcome).toMatchObject({ confirmed: false, rejected: true })
})

test('the weight after a shift is that of the new segment alone', () => {
  const settings: Settings = { ...resolve({ lambda: 'dynamic' }), deltaJump: null, emaInit: 'first' }
  const { outcomes } = walk([...Array(30).fill(0.2), ...Array(10).fill(0.8)], settings, density)
  const shift = outcomes.find((outcome) => outcome.shift)!
  expect(shift).toMatchObject({ restarted: true, n: 2, age: 2 })
  expect(shift.C).toBeGreaterThan(1)
  expect(shift.lambda).toBeCloseTo(shift.v / (1 / 2 + shift.v), 12)
})

test('what a shift keeps is no more than the window holds', () => {
  const one: Settings = { ...resolve({ profile: 'paper', window: 1, beta: 0.9 }), action: 'restart' }
  const { outcomes } = walk([0.2, 0.9], one, density)
  expect(outcomes[1]).toMatchObject({ shift: true, restarted: true, n: 1, age: 1, fused: [0.9] })
})
