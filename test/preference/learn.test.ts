import { describe, expect, test } from 'vitest'
import { UNKNOWN } from '../../src/preference/contexts.ts'
import type { Vector } from '../../src/preference/dimensions.ts'
import {
  confirmedChanges,
  type Entry,
  HOLD_TURNS,
  type Learned,
  learn,
  NOTHING,
  restore,
  restoredFrom,
  tell,
} from '../../src/preference/learn.ts'
import { resolve, type Tuning } from '../../src/preference/settings.ts'
import { createLife, randomLog, reading, seeded } from './log.ts'

const SETTINGS = resolve({})

/** Learned from turns that each show one value of formality. */
function learnedFrom(values: readonly number[], from: Learned = NOTHING): Learned {
  return values.reduce(
    (learned, value) => learn(learned, reading({ formality: [value] }), SETTINGS, 'turn').learned,
    from,
  )
}

const CASUAL = learnedFrom([0.1, 0.12, 0.1, 0.11])

describe('a lesson', () => {
  test('moves the estimate of the context and the overall one alike', () => {
    const { learned, labels } = learn(NOTHING, reading({ formality: [0.9] }), SETTINGS, 'turn')
    expect(labels).toEqual({ formality: 'formal' })
    expect(learned.own.accepted).toEqual({ formality: 1 })
    expect(learned.own).toEqual(learned.overall)
    expect(learned.held).toEqual({})
  })

  test('of nothing leaves everything as it was', () => {
    expect(learn(CASUAL, {}, SETTINGS, 'turn').learned).toEqual(CASUAL)
    expect(learn(NOTHING, {}, SETTINGS, 'turn').learned).toEqual(NOTHING)
  })

  test('needs two turns that agree to call a change confirmed, and one request in so many words', () => {
    const formal = reading({ formality: [0.9] })
    const first = learn(CASUAL, formal, SETTINGS, 'turn')
    expect(first.events).toEqual([{ dimension: 'formality', kind: 'jump' }])
    expect(first.labels).toEqual({ formality: 'casual' })
    const second = learn(first.learned, formal, SETTINGS, 'turn')
    expect(second.events).toEqual([{ dimension: 'formality', kind: 'confirmed' }])
    const asked = learn(CASUAL, reading({ formality: [0.9] }, 'explicit'), SETTINGS, 'turn')
    expect(asked.events).toEqual([{ dimension: 'formality', kind: 'confirmed' }])
    expect(asked.labels).toEqual({ formality: 'formal' })
  })

  test('does not write into what was known before', () => {
    const copy = structuredClone(CASUAL)
    learn(CASUAL, reading({ formality: [0.9], tone: [1, 0, 0, 0, 0] }), SETTINGS, 'turn')
    expect(CASUAL).toEqual(copy)
  })
})

test('confirmed changes are confirmed jumps and shifts, not jumps and rejections', () => {
  const kinds = ['jump', 'confirmed', 'shift', 'rejected'] as const
  const dimensions = ['tone', 'length', 'emotion', 'density'] as const
  const changes = kinds.map((kind, index) => ({ kind, dimension: dimensions[index] ?? 'tone' }))
  expect(confirmedChanges(changes)).toEqual(['length', 'emotion'])
  expect(confirmedChanges([])).toEqual([])
})

describe('an undo', () => {
  const jumped = learnedFrom([0.9], CASUAL)
  const changed = learnedFrom([0.9], jumped)
  const restored = restoredFrom(jumped, ['formality'])
  const undone = restore(changed, restored)

  test('puts back the state before the change, without the jump that led there', () => {
    expect(jumped.own.states.formality?.pending).toEqual([0.9])
    expect(undone.own.states).toEqual(CASUAL.own.states)
    expect(undone.overall.states).toEqual(CASUAL.overall.states)
    expect(learn(undone, {}, SETTINGS, 'turn').labels).toEqual({ formality: 'casual' })
  })

  test('leaves the other dimensions as they have become since', () => {
    const more = learn(changed, reading({ length: [0.8] }), SETTINGS, 'turn').learned
    const back = restore(more, restored)
    expect(back.own.states.length).toEqual(more.own.states.length)
    expect(back.own.states.formality).toEqual(CASUAL.own.states.formality)
  })

  test('of what was unknown makes it unknown again', () => {
    const none = restoredFrom(NOTHING, ['formality'])
    expect(none).toEqual({ own: { formality: null }, overall: { formality: null } })
    const back = restore(CASUAL, none)
    expect(back.own.states).toEqual({})
    expect(learn(back, {}, SETTINGS, 'turn').labels).toEqual({})
  })

  test(`keeps detection away for ${HOLD_TURNS} turns, whatever they say, and no longer`, () => {
    expect(undone.held).toEqual({ formality: 10 })
    let learned = undone
    for (let turn = 1; turn <= HOLD_TURNS; turn++) {
      const lesson = learn(learned, turn % 2 ? reading({ formality: [0.9] }) : {}, SETTINGS, 'turn')
      expect(lesson.events).toEqual([])
      learned = lesson.learned
      expect(learned.held).toEqual(turn === HOLD_TURNS ? {} : { formality: HOLD_TURNS - turn })
    }
    expect(learn(learned, reading({ formality: [0] }), SETTINGS, 'turn').events).not.toEqual([])
  })

  test('is not shortened by ratings, and does not pause other dimensions', () => {
    expect(learn(undone, reading({ length: [0.4] }, 'accepted'), SETTINGS, 'rating').learned.held).toEqual(undone.held)
    const brief = [0.1, 0.1, 0.1, 0.1].reduce(
      (known, value) => learn(known, reading({ length: [value] }), SETTINGS, 'turn').learned,
      undone,
    )
    expect(learn(brief, reading({ length: [0.9] }), SETTINGS, 'turn').events).toEqual([
      { dimension: 'length', kind: 'jump' },
    ])
  })

  test('gives way to a request in so many words', () => {
    const { labels, events } = learn(undone, reading({ formality: [0.9] }, 'explicit'), SETTINGS, 'turn')
    expect(labels).toEqual({ formality: 'formal' })
    expect(events).toEqual([{ dimension: 'formality', kind: 'confirmed' }])
  })
})

describe('a line from another context', () => {
  const turn = (context: string, value: Vector, before: Learned = NOTHING): Entry => ({
    kind: 'turn',
    context,
    evidence: reading({ formality: value }),
    restored: null,
    before,
  })

  test('teaches only the overall estimate', () => {
    const told = tell(CASUAL, 'direct', turn('general', [0.5]), SETTINGS)
    expect(told.own).toBe(CASUAL.own)
    expect(told.held).toBe(CASUAL.held)
    expect(told.overall).not.toEqual(CASUAL.overall)
  })

  test('is told under the pause of its own context', () => {
    const held: Learned = { ...CASUAL, held: { formality: 5 } }
    const jumps = tell(held, 'direct', turn('general', [0.9]), SETTINGS).overall.states.formality
    expect(jumps?.pending).toEqual([0.9])
    const pausedThere = { ...CASUAL, own: UNKNOWN, held: { formality: 5 } }
    const taken = tell(CASUAL, 'direct', turn('general', [0.9], pausedThere), SETTINGS).overall.states.formality
    expect(taken).toMatchObject({ pending: null, age: 5 })
  })
})

const TUNINGS: readonly Tuning[] = [{}, { profile: 'paper' }, { window: 3, beta: 0.8, lambda: 'dynamic' }]

test.each(TUNINGS)('a log told again equals what was learned as it was lived, in each context, under %j', (tuning) => {
  const settings = resolve(tuning)
  let undos = 0
  for (let seed = 1; seed <= 60; seed++) {
    const lines = randomLog(seeded(seed), 80, settings)
    undos += lines.filter(({ kind }) => kind === 'undo').length
    const life = createLife(settings)
    for (const { context, kind, evidence, restored } of lines) {
      if (kind === 'undo') life.undo(context, restored ?? { own: {}, overall: {} })
      else life.learn(context, kind, evidence)
    }
    for (const context of life.contexts()) {
      const told = lines.reduce((learned, line) => tell(learned, context, line, settings), NOTHING)
      expect(told, `seed ${seed}, ${context}`).toEqual(life.known(context))
    }
  }
  expect(undos).toBeGreaterThan(100)
})

test('what is known survives being stored as JSON, bit for bit', () => {
  const lines = randomLog(seeded(7), 120, SETTINGS)
  const stored = (learned: Learned): Learned => JSON.parse(JSON.stringify(learned))
  let straight = NOTHING
  let reloaded = NOTHING
  for (const line of lines) {
    straight = tell(straight, 'direct', line, SETTINGS)
    reloaded = stored(tell(reloaded, 'direct', line, SETTINGS))
  }
  expect(reloaded).toEqual(straight)
})
