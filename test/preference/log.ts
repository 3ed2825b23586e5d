/** A log of what was learned of a person, made at random, and what is known when it is lived through line by line. */

import type { Evidence } from '../../src/preference/analyser.ts'
import { UNKNOWN } from '../../src/preference/contexts.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from '../../src/preference/dimensions.ts'
import { labelIndex } from '../../src/preference/labels.ts'
import {
  confirmedChanges,
  type Entry,
  type Learned,
  learn,
  NOTHING,
  type Restored,
  restore,
  restoredFrom,
} from '../../src/preference/learn.ts'
import type { Settings } from '../../src/preference/settings.ts'

/** An entry and the turn that it is about. */
export type Line = Entry & { readonly turn: number }

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What is known in every context at once, each line learned in its own. */
export function createLife(settings: Settings) {
  const own = new Map<string, Pick<Learned, 'own' | 'held'>>()
  let overall = NOTHING.overall
  const known = (context: string): Learned => ({ own: UNKNOWN, held: {}, ...own.get(context), overall })
  const keep = (context: string, learned: Learned) => {
    own.set(context, { own: learned.own, held: learned.held })
    overall = learned.overall
  }
  return {
    known,
    contexts: () => [...own.keys()],
    learn(context: string, kind: 'turn' | 'rating', evidence: Partly<Evidence>) {
      const lesson = learn(known(context), evidence, settings, kind)
      keep(context, lesson.learned)
      return lesson
    },
    undo: (context: string, restored: Restored) => keep(context, restore(known(context), restored)),
  }
}

/** Turns with habits that turn over now and then, ratings, and undos of what was noticed. */
export function randomLog(random: () => number, length: number, settings: Settings): readonly Line[] {
  const life = createLife(settings)
  const say = createHabits(random)
  const noticed: { readonly line: Line; readonly dimensions: readonly Dimension[] }[] = []
  const lines: Line[] = []
  const add = (context: string, turn: number, entry: Pick<Line, 'kind' | 'evidence' | 'restored'>) => {
    const taught = entry.kind === 'undo' || Object.keys(entry.evidence).length > 0
    const line = { ...entry, context, turn, before: taught ? life.known(context) : null }
    lines.push(line)
    return line
  }
  for (let turn = 1; turn <= length; turn++) {
    const context = ['direct', 'general', 'random'][Math.floor(random() * 3)] ?? 'direct'
    const what = random()
    const undone = what < 0.15 ? noticed.pop() : undefined
    if (undone !== undefined && undone.line.before !== null) {
      const restored = restoredFrom(undone.line.before, undone.dimensions)
      add(undone.line.context, undone.line.turn, { kind: 'undo', evidence: {}, restored })
      life.undo(undone.line.context, restored)
      continue
    }
    const kind = what > 0.8 ? 'rating' : 'turn'
    const evidence = kind === 'rating' ? reading({ length: [random()], density: [random()] }, 'accepted') : say(context)
    const line = add(context, turn, { kind, evidence, restored: null })
    const changed = confirmedChanges(life.learn(context, kind, evidence).events)
    if (kind === 'turn' && changed.length > 0) noticed.push({ line, dimensions: [...new Set(changed)] })
  }
  return lines
}

/** Says something in a context, mostly as it was said there before. */
function createHabits(random: () => number) {
  const habits = new Map<string, Map<Dimension, number>>()
  return (context: string): Partly<Evidence> => {
    if (random() < 0.25) return {}
    const habit = habits.get(context) ?? new Map<Dimension, number>()
    habits.set(context, habit)
    const said = dimensions.filter(() => random() < 0.7)
    const values = said.map((dimension) => {
      const base = random() < 0.15 ? random() : (habit.get(dimension) ?? random())
      habit.set(dimension, base)
      return [dimension, vector(dimension, base, random)] as const
    })
    return reading(Object.fromEntries(values), random() < 0.06 ? 'explicit' : 'words')
  }
}

function vector(dimension: Dimension, base: number, random: () => number): Vector {
  const { kind, labels } = DIMENSIONS[dimension]
  if (kind === 'scale') return [Math.min(1, Math.max(0, base + (random() - 0.5) / 20))]
  const top = Math.min(labels.length - 1, Math.floor(base * labels.length))
  const weights = labels.map((_, index) => (index === top ? 4 : 0.1) + random() / 10)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

export function reading(values: Partly<Vector>, evidence: Evidence['evidence'] = 'words'): Partly<Evidence> {
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const value = values[dimension]
      if (value === undefined) return []
      const label = DIMENSIONS[dimension].labels[labelIndex(value, DIMENSIONS[dimension], null, 0)]
      return [[dimension, { value, label, evidence, because: 'a key word' }]]
    }),
  )
}
