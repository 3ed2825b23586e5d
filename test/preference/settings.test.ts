/** What /tune accepts, in which words it refuses, and what the presets stand for. */

import { describe, expect, test } from 'vitest'
import { nearest } from '../../src/nearest.ts'
import { initialState } from '../../src/preference/averages.ts'
import { DIMENSIONS } from '../../src/preference/dimensions.ts'
import { type Outcome, step } from '../../src/preference/estimate.ts'
import { PRESETS, PROFILES, resolve, type Settings, warnings } from '../../src/preference/settings.ts'
import { changeTuning, find, resetTuning, TUNABLES } from '../../src/preference/tuning.ts'

describe('a value in range is kept', () => {
  test.each([
    ['lambda', '0', { lambda: 0 }],
    ['lambda', '1', { lambda: 1 }],
    ['lambda', '.25', { lambda: 0.25 }],
    ['lambda', 'auto', { lambda: 'auto' }],
    ['lambda', 'dynamic', { lambda: 'dynamic' }],
    ['λ', '0.5', { lambda: 0.5 }],
    ['beta', '0.95', { beta: 0.95 }],
    ['β', '0.0001', { beta: 0.0001 }],
    ['window', '1', { window: 1 }],
    ['W', '64', { window: 64 }],
    ['w', '7', { window: 7 }],
    ['delta', '100', { delta: 100 }],
    ['δ', '2.5', { delta: 2.5 }],
    ['Beta', '0.5', { beta: 0.5 }],
    ['profile', 'paper', { profile: 'paper' }],
    ['preset', 'no-sw', { preset: 'no-sw' }],
  ])('%s %s', (name, value, tuning) => {
    expect(changeTuning({}, name, value)).toEqual(tuning)
  })
})

const LAMBDA = 'Expected `lambda` to be a number from 0 to 1, `auto` or `dynamic`, got '
const BETA = 'Expected `beta` to be a number above 0 and below 1, got '
const WINDOW = 'Expected `window` to be a whole number from 1 to 64, got '
const DELTA = 'Expected `delta` to be a number above 0, at most 100, got '

describe('a value outside the range is refused in one sentence', () => {
  test.each([
    ['lambda', '2', LAMBDA],
    ['lambda', '1.0001', LAMBDA],
    ['lambda', '', LAMBDA],
    ['lambda', 'NaN', LAMBDA],
    ['lambda', '0x1', LAMBDA],
    ['lambda', '1e-3', LAMBDA],
    ['lambda', '-0', LAMBDA],
    ['λ', ' 0.5', LAMBDA],
    ['beta', '0', BETA],
    ['beta', '1', BETA],
    ['beta', '0.99999999999999999999', BETA],
    ['beta', '0.9abc', BETA],
    ['beta', '.', BETA],
    ['beta', 'auto', BETA],
    ['window', '0', WINDOW],
    ['window', '65', WINDOW],
    ['window', '3.5', WINDOW],
    ['window', '5.0', WINDOW],
    ['window', '-1', WINDOW],
    ['window', '1e9', WINDOW],
    ['W', '0x10', WINDOW],
    ['delta', '0', DELTA],
    ['delta', '100.1', DELTA],
    ['delta', 'Infinity', DELTA],
    ['profile', 'Paper', 'Expected `profile` to be `adaptive` or `paper`, got '],
    [
      'preset',
      'nosw',
      'Expected `preset` to be `no-sw`, `no-ema`, `no-detection`, `no-prompt`, `single-turn`, `static` or `equal-fusion`, got ',
    ],
  ])('%s %j', (name, value, sentence) => {
    const refuse = () => changeTuning({}, name, value)
    expect(refuse).toThrow(RangeError)
    expect(refuse).toThrow(new RangeError(`${sentence}\`${value}\``))
  })

  test('an unknown name is answered with the known ones and the nearest', () => {
    const known = 'Expected one of `lambda`, `beta`, `window`, `delta`, `profile`, `preset`'
    expect(() => changeTuning({}, 'lamda', '1')).toThrow(
      new RangeError(`${known}, got \`lamda\`. Did you mean \`lambda\`?`),
    )
    expect(() => resetTuning({}, 'colour')).toThrow(new RangeError(`${known}, got \`colour\``))
  })
})

test('a change keeps the other overrides, a reset takes back one or all', () => {
  const tuning = changeTuning(changeTuning({}, 'beta', '0.5'), 'window', '9')
  expect(tuning).toEqual({ beta: 0.5, window: 9 })
  expect(resetTuning(tuning, 'W')).toEqual({ beta: 0.5 })
  expect(tuning).toEqual({ beta: 0.5, window: 9 })
  expect(resetTuning(tuning)).toEqual({})
})

test('the profile is laid first, then the preset, then the single settings', () => {
  expect(resolve({})).toEqual(PROFILES.adaptive)
  expect(resolve({ profile: 'paper' })).toEqual(PROFILES.paper)
  expect(resolve({ preset: 'single-turn' })).toMatchObject({ window: 1, lambda: 1, beta: 0.9 })
  expect(resolve({ preset: 'single-turn', window: 3, lambda: 'auto' })).toMatchObject({ window: 3, lambda: 'auto' })
  expect(resolve({ profile: 'paper', preset: 'no-prompt' })).toEqual({ ...PROFILES.paper, directive: false })
})

test('the profiles have the parameters of the two columns', () => {
  expect(PROFILES.adaptive).toMatchObject({
    window: 5,
    beta: 0.9,
    lambda: 'auto',
    delta: 3,
    deltaJump: 3,
    catScale: 0.75,
  })
  expect(PROFILES.adaptive).toMatchObject({ epsilon: 0.02, s0: 0.08, memory: 20, wins: 3, cut: 2, hysteresis: 0.03 })
  expect(PROFILES.paper).toMatchObject({ lambda: 0.5, emaInit: 'first', delta: 1.5, calibrate: false, deltaJump: null })
  expect(PROFILES.paper).toMatchObject({ catScale: 1, action: 'none', hysteresis: 0, eagerDims: 0 })
})

test('every tunable tells what is in force, and its symbol finds it', () => {
  const inForce = Object.fromEntries(
    TUNABLES.map(({ name, current }) => [name, current({ preset: 'no-ema', beta: 0.5 })]),
  )
  expect(inForce).toEqual({
    lambda: '1',
    beta: '0.5',
    window: '5',
    delta: 'off',
    profile: 'adaptive',
    preset: 'no-ema',
  })
  for (const symbol of ['λ', 'β', 'W', 'δ']) expect(find(TUNABLES, symbol).aliases[0]).toBe(symbol)
})

test('a moving average that is no slower than the window is warned of, one that is slower is not', () => {
  expect(warnings(resolve({}))).toEqual([])
  expect(warnings(resolve({ window: 3, beta: 0.5 }))).toEqual([
    'With `window` at 3, `beta` should be above 0.500; at 0.5 the moving average is no slower than the sliding mean, ' +
      'and the difference between them no longer says that something changed.',
  ])
  expect(warnings(resolve({ window: 3, beta: 0.51 }))).toEqual([])
  expect(warnings(resolve({ window: 20 }))).toHaveLength(1)
})

describe('presets, in either profile', () => {
  const values = [0.2, 0.3, 0.1, 0.2, 0.25, 0.9, 0.9, 0.9, 0.9, 0.2]
  const walk = (settings: Settings): Outcome[] => {
    let state = initialState(settings)
    return values.map((value) => {
      const next = step(state, [value], settings, DIMENSIONS.density)
      state = next.state
      return next.outcome
    })
  }
  const fused = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => outcome.fused?.[0])

  describe.each(['adaptive', 'paper'] as const)('%s', (profile) => {
    test('no-sw shows the moving average, no-ema the sliding mean, and neither detects', () => {
      const slow = walk(resolve({ profile, preset: 'no-sw' }))
      const fast = walk(resolve({ profile, preset: 'no-ema' }))
      expect(fused(slow)).toEqual(slow.map(({ ema }) => ema?.[0]))
      expect(fused(fast)).toEqual(fast.map(({ sw }) => sw?.[0]))
      expect([...slow, ...fast].some(({ jump, shift, restarted }) => jump || shift || restarted)).toBe(false)
    })

    test('no-detection fuses both as the profile does and sees nothing', () => {
      const settings = resolve({ profile, preset: 'no-detection' })
      expect(settings.lambda).toBe(PROFILES[profile].lambda)
      expect(walk(settings).some(({ jump, shift }) => jump || shift)).toBe(false)
      expect(walk(resolve({ profile })).some(({ jump, shift }) => jump || shift)).toBe(true)
    })

    test('single-turn shows every value as it comes', () => {
      expect(fused(walk(resolve({ profile, preset: 'single-turn' })))).toEqual(values)
    })

    test('static keeps the mean of the first window for ever', () => {
      const shown = fused(walk(resolve({ profile, preset: 'static' })))
      expect(shown[3]).toBeCloseTo(0.2, 12)
      for (const value of shown.slice(4)) expect(value).toBeCloseTo(0.21, 12)
      expect(fused(walk(resolve({ profile, preset: 'static', window: 2 })))[9]).toBeCloseTo(0.25, 12)
    })

    test('equal-fusion weighs both alike and changes nothing else', () => {
      const settings = resolve({ profile, preset: 'equal-fusion' })
      expect(settings).toEqual({ ...PROFILES[profile], lambda: 0.5 })
      for (const { lambda } of walk(settings)) expect(lambda).toBe(0.5)
    })
  })

  test('there are the seven of Table 4', () => {
    expect(Object.keys(PRESETS)).toHaveLength(7)
  })
})

test('the nearest word is the one with the fewest slips, or none', () => {
  expect(nearest('widnow', ['window', 'beta'])).toBe('window')
  expect(nearest('bta', ['window', 'beta'])).toBe('beta')
  expect(nearest('x', ['window', 'beta'])).toBeNull()
  expect(nearest('', ['window'])).toBeNull()
  expect(nearest('deltas', ['beta', 'delta'])).toBe('delta')
})
