/** The five dimensions of one estimate of a person, stepped together: values and labels to show, changes to tell. */

import { type DimensionState, initialState } from './averages.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Scheme, type Vector } from './dimensions.ts'
import { type Outcome, restartAt, type Step, standing, step } from './estimate.ts'
import { labelIndex } from './labels.ts'
import type { Settings } from './settings.ts'

export type Schemes = { readonly [D in Dimension]: Scheme }

export interface StepOptions {
  /** Dimensions in which no change is looked for, because an undo said that one had been seen wrongly. */
  readonly paused?: ReadonlySet<Dimension>
  /** Dimensions whose value was asked for in so many words; stronger than `paused`. */
  readonly emphasised?: ReadonlySet<Dimension>
}

/** `jump` is provisional, `confirmed` and `shift` are changes, `rejected` is for the log. */
export interface Change {
  readonly dimension: Dimension
  readonly kind: 'jump' | 'confirmed' | 'shift' | 'rejected'
}

export interface Shown {
  readonly label: string
  readonly value: Vector
}

/** What is shown of a person, and its labels alone; a dimension never observed is left out of both. */
export interface Portrait {
  readonly shown: Partly<Shown>
  readonly labels: Partly<string>
}

export interface PersonStep extends Portrait {
  readonly states: Partly<DimensionState>
  readonly events: readonly Change[]
  /** Dimensions with an unconfirmed jump; `eager` when they are enough to show what they jumped to. */
  readonly jumps: readonly Dimension[]
  readonly eager: boolean
  readonly outcomes: { readonly [D in Dimension]: Outcome }
}

/** The strongest event of a dimension in which two steps were one request. */
const STRENGTH = ['confirmed', 'shift', 'jump', 'rejected'] as const

/**
 * One turn. `observation` holds cleaned values; an absent dimension is missing and stays as it is.
 * An emphasised value counts as two that agree and its label is shown at once, by a restart if by nothing less.
 */
export function stepPerson(
  states: Partly<DimensionState>,
  observation: Partly<Vector>,
  settings: Settings,
  schemes: Schemes = DIMENSIONS,
  { paused = new Set(), emphasised = new Set() }: StepOptions = {},
): PersonStep {
  const still: Settings = { ...settings, delta: null, deltaJump: null }
  const steps = eachDimension((dimension) => {
    const x = observation[dimension] ?? null
    const before = states[dimension] ?? initialState(settings)
    if (x !== null && emphasised.has(dimension)) return insist(before, x, settings, schemes[dimension])
    if (x === null || !paused.has(dimension)) return step(before, x, settings, schemes[dimension])
    return step({ ...before, pending: null }, x, still, schemes[dimension])
  })
  const outcomes = eachDimension((dimension) => steps[dimension].outcome)
  const jumps = dimensions.filter((dimension) => outcomes[dimension].jump)
  const eager = settings.eagerDims > 0 && jumps.length >= settings.eagerDims
  const events = dimensions.flatMap((dimension): Change[] => {
    const kinds = STRENGTH.filter((kind) => outcomes[dimension][kind])
    return (emphasised.has(dimension) ? kinds.slice(0, 1) : kinds).map((kind) => ({ dimension, kind }))
  })
  return { ...display(steps, eager, settings, schemes), events, jumps, eager, outcomes }
}

/** What is shown of an estimate between turns; a jump that waits is not shown. */
export function portrait(states: Partly<DimensionState>, settings: Settings, schemes: Schemes = DIMENSIONS): Portrait {
  const shown: { [D in Dimension]?: Shown } = {}
  for (const dimension of dimensions) {
    const state = states[dimension]
    const value = state && standing(state, settings, schemes[dimension]).fused
    if (!state || !value) continue
    const index = heldLabel(value, state.label, settings, schemes[dimension])
    shown[dimension] = { label: schemes[dimension].labels[index]!, value }
  }
  return portraitOf(shown)
}

export function portraitOf(shown: Partly<Shown>): Portrait {
  const labels: { [D in Dimension]?: string } = {}
  for (const dimension of dimensions) {
    const part = shown[dimension]
    if (part !== undefined) labels[dimension] = part.label
  }
  return { shown, labels }
}

function display(steps: { readonly [D in Dimension]: Step }, eager: boolean, settings: Settings, schemes: Schemes) {
  const states: { [D in Dimension]?: DimensionState } = {}
  const shown: { [D in Dimension]?: Shown } = {}
  for (const dimension of dimensions) {
    const { state, outcome } = steps[dimension]
    const provisional = eager && outcome.jump
    const value = provisional ? outcome.pending : outcome.fused
    if (value === null) continue
    const previous = provisional || outcome.restarted ? null : state.label
    const label = heldLabel(value, previous, settings, schemes[dimension])
    shown[dimension] = { label: schemes[dimension].labels[label]!, value }
    states[dimension] = provisional ? state : { ...state, label }
  }
  return { states, ...portraitOf(shown) }
}

function heldLabel(value: Vector, previous: number | null, settings: Settings, scheme: Scheme): number {
  return labelIndex(value, scheme, settings.hysteresis === 0 ? null : previous, settings.hysteresis)
}

/** Two agreeing values in one turn; where they leave another label than the one asked for, the estimate begins anew. */
function insist(before: DimensionState, x: Vector, settings: Settings, scheme: Scheme): Step {
  const first = step(before, x, settings, scheme)
  const { state, outcome } = first.outcome.jump ? agreed(first, step(first.state, x, settings, scheme)) : first
  const previous = outcome.restarted ? null : state.label
  const reached = outcome.fused && heldLabel(outcome.fused, previous, settings, scheme)
  if (!outcome.observed || reached === heldLabel(x, null, settings, scheme)) return { state, outcome }
  return restartAt(state, x, settings, scheme)
}

/** The second step with what the first one noticed of an earlier jump. */
function agreed(first: Step, second: Step): Step {
  return { state: second.state, outcome: { ...second.outcome, J: first.outcome.J, rejected: first.outcome.rejected } }
}

function eachDimension<T>(make: (dimension: Dimension) => T): { readonly [D in Dimension]: T } {
  return {
    tone: make('tone'),
    length: make('length'),
    emotion: make('emotion'),
    density: make('density'),
    formality: make('formality'),
  }
}
