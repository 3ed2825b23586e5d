/**
 * Simulated people: five dimensions at once, and one scale that depends on the context.
 *
 * Chosen here: 200 turns; a scale has a level as in users.ts; a category puts .7 on one label and the rest evenly on
 * the others, and is observed with Dirichlet noise whose spread on the first label is that of the scales. Every 40
 * turns two to five dimensions change together. A context user has two contexts with levels at least .3 apart and
 * goes from one to the other after 5 to 15 turns.
 * (With 100 turns and visits of 1 to 4 the error per context was .036 rather than .029: each context is known for less.)
 */

import { distance } from '../../src/preference/averages.ts'
import { follow, UNKNOWN } from '../../src/preference/contexts.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from '../../src/preference/dimensions.ts'
import { labelIndex } from '../../src/preference/labels.ts'
import { type PersonStep, stepPerson } from '../../src/preference/person.ts'
import type { Settings } from '../../src/preference/settings.ts'
import { type Chance, chance } from './random.ts'
import { clip, elsewhere, NOISE, TURNS } from './users.ts'

type Full = { readonly [D in Dimension]: Vector }

export interface Person {
  readonly truth: readonly Full[]
  readonly observed: readonly Full[]
}

const CHANGES = [40, 80, 120, 160] as const
const TOP = 0.7

export function people(count: number, seed: number): Person[] {
  const by = chance(seed)
  return Array.from({ length: count }, (_, i) => person(by, NOISE[i % NOISE.length]!))
}

function person(by: Chance, noise: number): Person {
  const truth: Full[] = []
  const observed: Full[] = []
  let now = every((dimension) => somewhere(by, dimension))
  for (let t = 0; t < TURNS; t++) {
    if (CHANGES.some((change) => change === t)) {
      const changed = drawn(by, by.whole(2, 5))
      const before = now
      now = every((dimension) => (changed.has(dimension) ? other(by, dimension, before[dimension]) : before[dimension]))
    }
    const level = now
    truth.push(level)
    observed.push(every((dimension) => noisy(by, dimension, level[dimension], noise)))
  }
  return { truth, observed }
}

export interface PeopleQuality {
  /** Share of turns in which the labels of all five dimensions are right. */
  readonly allRight: number
  /** Turns per 100 in which any label changes. */
  readonly promptChanges: number
  /** Mean error in the four turns from a change on, over all five dimensions. */
  readonly afterChange: number
  /** The same over the dimensions that changed. */
  readonly afterOwnChange: number
}

export function measurePeople(settings: Settings, persons: readonly Person[]): PeopleQuality {
  let [turns, right, changed] = [0, 0, 0]
  const after: number[] = []
  const afterOwn: number[] = []
  for (const { truth, observed } of persons) {
    let last: PersonStep | undefined
    for (const [t, observation] of observed.entries()) {
      const now = stepPerson(last?.states ?? {}, observation, settings)
      const wrong = dimensions.some((dimension) => now.labels[dimension] !== labelOf(dimension, truth[t]![dimension]))
      turns += 1
      right += wrong ? 0 : 1
      changed += last && dimensions.some((dimension) => now.labels[dimension] !== last?.labels[dimension]) ? 1 : 0
      const change = CHANGES.find((at) => t >= at && t < at + 4)
      if (change !== undefined) {
        for (const dimension of dimensions) {
          const error = distance(now.shown[dimension]!.value, truth[t]![dimension], DIMENSIONS[dimension])
          after.push(error)
          if (truth[t]![dimension] !== truth[change - 1]![dimension]) afterOwn.push(error)
        }
      }
      last = now
    }
  }
  return {
    allRight: right / turns,
    promptChanges: (100 * changed) / turns,
    afterChange: mean(after),
    afterOwnChange: mean(afterOwn),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export interface ContextQuality {
  readonly perContext: number
  readonly overall: number
}

/** Mean error of what is shown, with an estimate per context and with the one over both alone. */
export function measureContexts(settings: Settings, count: number, seed: number): ContextQuality {
  const by = chance(seed)
  let [turns, perContext, alone] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const first = by.between(0.1, 0.9)
    const levels = [first, elsewhere(by, first)]
    const own = [UNKNOWN, UNKNOWN]
    let overall = UNKNOWN
    let context = 0
    let stays = by.whole(5, 15)
    for (let t = 0; t < TURNS; t++) {
      if (stays === 0) [context, stays] = [1 - context, by.whole(5, 15)]
      stays -= 1
      const truth = levels[context]!
      const x = clip(truth + NOISE[i % NOISE.length]! * by.normal())
      const all = stepPerson(overall.states, { density: [x] }, settings)
      const turn = follow(own[context]!, overall, { density: [x] }, settings)
      own[context] = turn.own
      overall = turn.overall
      turns += 1
      perContext += Math.abs(turn.shown.density!.value[0]! - truth)
      alone += Math.abs(all.shown.density!.value[0]! - truth)
    }
  }
  return { perContext: perContext / turns, overall: alone / turns }
}

/** Milliseconds of one five-dimension step: the mean of the quickest of five rounds, as other programs run too. */
export function timeStep(settings: Settings, persons: readonly Person[], now: () => number): number {
  const rounds = [1, 2, 3, 4, 5].map(() => {
    const started = now()
    for (const { observed } of persons) {
      let states: PersonStep['states'] = {}
      for (const observation of observed) states = stepPerson(states, observation, settings).states
    }
    return now() - started
  })
  return Math.min(...rounds) / (persons.length * TURNS)
}

function labelOf(dimension: Dimension, value: Vector): string {
  const { labels } = DIMENSIONS[dimension]
  return labels[labelIndex(value, DIMENSIONS[dimension], null, 0)]!
}

function somewhere(by: Chance, dimension: Dimension): Vector {
  const { kind, labels } = DIMENSIONS[dimension]
  return kind === 'scale' ? [by.between(0.1, 0.9)] : mostly(by.whole(0, labels.length - 1), labels.length)
}

function other(by: Chance, dimension: Dimension, before: Vector): Vector {
  const { kind, labels } = DIMENSIONS[dimension]
  if (kind === 'scale') return [elsewhere(by, before[0]!)]
  return mostly((before.indexOf(TOP) + by.whole(1, labels.length - 1)) % labels.length, labels.length)
}

function mostly(top: number, count: number): Vector {
  return Array.from({ length: count }, (_, j) => (j === top ? TOP : (1 - TOP) / (count - 1)))
}

/** A Dirichlet share p has the variance p (1 - p) / (concentration + 1). */
function noisy(by: Chance, dimension: Dimension, level: Vector, noise: number): Vector {
  if (DIMENSIONS[dimension].kind === 'scale') return [clip(level[0]! + noise * by.normal())]
  return by.dirichlet(level, (TOP * (1 - TOP)) / noise ** 2 - 1)
}

function drawn(by: Chance, count: number): ReadonlySet<Dimension> {
  const left: Dimension[] = [...dimensions]
  return new Set(Array.from({ length: count }, () => left.splice(by.whole(0, left.length - 1), 1)[0]!))
}

function every(make: (dimension: Dimension) => Vector): Full {
  const made: Partly<Vector> = Object.fromEntries(dimensions.map((dimension) => [dimension, make(dimension)]))
  return made as Full
}
