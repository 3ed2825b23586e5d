/** The dimensions of a person together: undone and explicit changes, contexts, the line for the model. */

import { describe, expect, test } from 'vitest'
import { type FollowedStep, follow, shown, UNKNOWN } from '../../src/preference/contexts.ts'
import type { Dimension, Partly, Vector } from '../../src/preference/dimensions.ts'
import { directiveLine } from '../../src/preference/labels.ts'
import { type PersonStep, portrait, type StepOptions, stepPerson } from '../../src/preference/person.ts'
import { PROFILES, resolve, type Settings } from '../../src/preference/settings.ts'

const ADAPTIVE = PROFILES.adaptive
const only = (...dimensions: Dimension[]): ReadonlySet<Dimension> => new Set(dimensions)

function walk(
  values: readonly Partly<Vector>[],
  settings: Settings = ADAPTIVE,
  options: StepOptions = {},
  from?: PersonStep,
) {
  let last = from
  for (const value of values) last = stepPerson(last?.states ?? {}, value, settings, undefined, options)
  return last!
}

const long = Array.from({ length: 8 }, (_, i) => ({ length: [0.8 + (i % 3) * 0.02] }))

describe('a dimension that was never observed', () => {
  test('has no state, label or event and is left out of the line', () => {
    const { states, labels, shown, events } = stepPerson({}, { length: [0.8] }, ADAPTIVE)
    expect(Object.keys(states)).toEqual(['length'])
    expect(labels).toEqual({ length: 'detailed' })
    expect(shown).toEqual({ length: { label: 'detailed', value: [0.8] } })
    expect(events).toEqual([])
    expect(directiveLine(labels)).toBe('Respond in style: [Length: detailed]\n')
  })

  test('and a person of whom nothing is known gets no line', () => {
    expect(directiveLine(stepPerson({}, {}, ADAPTIVE).labels)).toBe('')
  })
})

describe('a jump that is not confirmed', () => {
  const calm = walk(Array(6).fill({ length: [0.2], density: [0.2] }))

  test('is not shown alone', () => {
    const { labels, eager, jumps, events } = stepPerson(calm.states, { length: [0.9] }, ADAPTIVE)
    expect({ labels, eager, jumps }).toEqual({
      labels: { length: 'brief', density: 'sparse' },
      eager: false,
      jumps: ['length'],
    })
    expect(events).toEqual([{ dimension: 'length', kind: 'jump' }])
  })

  test('is shown in two dimensions together and forgotten when it is dropped', () => {
    const both = stepPerson(calm.states, { length: [0.5], density: [0.9] }, ADAPTIVE)
    expect(both.labels).toEqual({ length: 'moderate', density: 'dense' })
    expect(both.shown.length?.value).toEqual([0.5])
    expect(portrait(both.states, ADAPTIVE).labels).toEqual({ length: 'brief', density: 'sparse' })
    const after = stepPerson(both.states, { length: [0.35], density: [0.2] }, ADAPTIVE)
    expect(after.labels).toEqual({ length: 'brief', density: 'sparse' })
    expect(after.events.filter(({ kind }) => kind === 'rejected')).toHaveLength(2)
  })
})

test('without hysteresis no label is remembered: of equal categories the first is shown again', () => {
  const settings = resolve({ profile: 'paper', window: 1, lambda: 1 })
  const neutral = walk([{ tone: [0, 0, 1, 0, 0] }], settings)
  expect(walk([{ tone: [0.5, 0, 0.5, 0, 0] }], settings, {}, neutral).labels).toEqual({ tone: 'humorous' })
})

describe('a paused dimension', () => {
  const calm = walk(Array(6).fill({ length: [0.2], density: [0.2] }))
  const loud = Array(4).fill({ length: [0.9], density: [0.9] })

  test('takes values without jump, restart or event, and the others do not', () => {
    const paused = { paused: only('length') }
    let last = calm
    const events = loud.flatMap((value) => {
      last = stepPerson(last.states, value, ADAPTIVE, undefined, paused)
      return last.events
    })
    expect(events.map(({ dimension }) => dimension)).toEqual(['density', 'density'])
    expect(last.states.length?.age).toBe(10)
    expect(last.states.density?.age).toBe(4)
    expect(last.outcomes.length.fused![0]).toBeLessThan(0.8)
  })

  test('learns its spread meanwhile', () => {
    const after = walk(loud, ADAPTIVE, { paused: only('length') }, calm)
    expect(after.states.length!.k).toBe(calm.states.length!.k + 4)
  })

  test('drops a jump that waits', () => {
    const waiting = stepPerson(calm.states, { length: [0.9] }, ADAPTIVE)
    const { events, states } = stepPerson(waiting.states, { length: [0.9] }, ADAPTIVE, undefined, {
      paused: only('length'),
    })
    expect(events).toEqual([])
    expect(states.length).toMatchObject({ pending: null, age: 7 })
  })
})

describe('an explicit request', () => {
  const settings: readonly Settings[] = [
    ADAPTIVE,
    PROFILES.paper,
    resolve({ preset: 'no-detection' }),
    resolve({ window: 20 }),
  ]
  const before = [...Array(61).keys()].map((i) => 0.4 + i / 100)

  test('has its label at once, from everywhere, and keeps it while nothing else comes', () => {
    for (const now of settings) {
      for (const start of before) {
        const calm = walk(Array(12).fill({ length: [start] }), now)
        for (const wish of [0.15, 0.32, 0.5, 0.9]) {
          const plain = stepPerson({}, { length: [wish] }, now).labels
          const asked = stepPerson(calm.states, { length: [wish] }, now, undefined, { emphasised: only('length') })
          expect(asked.labels).toEqual(plain)
          expect(stepPerson(asked.states, {}, now).labels).toEqual(plain)
          expect(portrait(asked.states, now).labels).toEqual(plain)
        }
      }
    }
  })

  test('is two agreeing values and one event', () => {
    const calm = walk(long)
    const { events, states, outcomes, jumps } = stepPerson(calm.states, { length: [0.15] }, ADAPTIVE, undefined, {
      emphasised: only('length'),
    })
    expect(events).toEqual([{ dimension: 'length', kind: 'confirmed' }])
    expect(states.length).toMatchObject({ age: 2, ring: [[0.15], [0.15]], pending: null, label: 0 })
    expect(outcomes.length.J).toBeGreaterThan(3)
    expect(jumps).toEqual([])
  })

  test('is one value where it only says again what is known', () => {
    const calm = walk(long)
    const options = { emphasised: only('length') }
    const { events, states } = stepPerson(calm.states, { length: [0.85] }, ADAPTIVE, undefined, options)
    expect(events).toEqual([])
    expect(states).toEqual(stepPerson(calm.states, { length: [0.85] }, ADAPTIVE).states)
  })

  test('begins the estimate anew where the value is too near for a jump', () => {
    const calm = walk(Array(8).fill({ length: [0.4] }))
    const plain = stepPerson(calm.states, { length: [0.31] }, ADAPTIVE)
    expect(plain).toMatchObject({ labels: { length: 'moderate' }, jumps: [] })
    const asked = stepPerson(calm.states, { length: [0.31] }, ADAPTIVE, undefined, { emphasised: only('length') })
    expect(asked).toMatchObject({ labels: { length: 'brief' }, states: { length: { age: 1, ring: [[0.31]] } } })
    expect(asked.events).toEqual([{ dimension: 'length', kind: 'confirmed' }])
  })

  test('is obeyed in a paused dimension, and moves no other', () => {
    const calm = walk(Array(8).fill({ length: [0.8], density: [0.8] }))
    const options = { emphasised: only('length'), paused: only('length') }
    const { labels } = stepPerson(calm.states, { length: [0.1], density: [0.1] }, ADAPTIVE, undefined, options)
    expect(labels).toEqual({ length: 'brief', density: 'dense' })
  })

  test('does not thaw a frozen estimate', () => {
    const frozen = resolve({ preset: 'static' })
    const calm = walk(long, frozen)
    const { states } = stepPerson(calm.states, { length: [0.1] }, frozen, undefined, { emphasised: only('length') })
    expect(states).toEqual(calm.states)
  })
})

describe('contexts', () => {
  function visit(
    values: readonly Partly<Vector>[],
    own = UNKNOWN,
    overall = UNKNOWN,
    options: StepOptions = {},
  ): FollowedStep {
    let last: FollowedStep | undefined
    for (const value of values) last = follow(last?.own ?? own, last?.overall ?? overall, value, ADAPTIVE, options)
    return last!
  }

  const work = visit(Array(6).fill({ formality: [0.9], density: [0.9] }))

  test('the overall estimate is shown until the third accepted value of the context', () => {
    let own = UNKNOWN
    let overall = work.overall
    const seen = [0.5, 0.5, 0.5].map((value) => {
      const turn = follow(own, overall, { formality: [value] }, { ...ADAPTIVE, deltaJump: null })
      own = turn.own
      overall = turn.overall
      return turn.shown.formality?.value[0]
    })
    expect(seen[0]).toBeGreaterThan(0.8)
    expect(seen[1]).toBeGreaterThan(0.7)
    expect(seen[2]).toBeCloseTo(0.5, 12)
  })

  test('each dimension counts for itself, and one unknown here is shown from elsewhere', () => {
    const { labels } = visit(Array(3).fill({ formality: [0.1] }), UNKNOWN, work.overall)
    expect(labels).toEqual({ formality: 'casual', density: 'dense' })
  })

  test('a restart does not take the word from the context again', () => {
    const calm = visit(Array(6).fill({ formality: [0.1] }), UNKNOWN, work.overall)
    const turned = visit(Array(2).fill({ formality: [0.5] }), calm.own, work.overall)
    expect(turned.own.states.formality?.age).toBe(2)
    expect(turned.own.accepted.formality).toBe(8)
    expect(turned.labels.formality).toBe('neutral')
  })

  test('a value that waits is not counted, nor one that is dropped', () => {
    const calm = visit(Array(6).fill({ formality: [0.1] }))
    const jumped = visit([{ formality: [0.9] }], calm.own, calm.overall)
    expect(jumped.own.accepted.formality).toBe(6)
    expect(visit([{ formality: [0.1] }], jumped.own, jumped.overall).own.accepted.formality).toBe(7)
    expect(visit([{}], calm.own, calm.overall).own.accepted).toEqual({ formality: 6 })
  })

  test('events are those of the context alone', () => {
    const turn = follow(UNKNOWN, work.overall, { formality: [0.1], density: [0.1] }, ADAPTIVE)
    expect(turn.events).toEqual([])
    expect(turn.jumps).toEqual([])
    expect(turn.overallEvents.map(({ kind }) => kind)).toEqual(['jump', 'jump'])
  })

  test('an explicit request holds in a new context at once', () => {
    const turn = visit([{ formality: [0.1] }], UNKNOWN, work.overall, { emphasised: only('formality') })
    expect(turn.labels).toEqual({ formality: 'casual', density: 'dense' })
    expect(shown(turn.own, turn.overall, ADAPTIVE).labels).toEqual(turn.labels)
  })

  test('what is shown between turns is what the last turn showed', () => {
    const calm = visit([{ formality: [0.7] }, { formality: [0.64] }, { formality: [0.6] }, { formality: [0.6] }])
    expect(calm.labels).toEqual({ formality: 'formal' })
    const { labels, shown: parts } = shown(calm.own, calm.overall, ADAPTIVE)
    expect(parts).toEqual(calm.shown)
    expect(labels).toEqual(calm.labels)
    expect(shown(UNKNOWN, UNKNOWN, ADAPTIVE)).toEqual({ shown: {}, labels: {} })
  })

  test('what is known only in a context is shown there', () => {
    const calm = visit([{ formality: [0.7] }])
    expect(shown(calm.own, UNKNOWN, ADAPTIVE).labels).toEqual({ formality: 'formal' })
  })
})
