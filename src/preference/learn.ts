/**
 * What is known of a person is told by a log: what was read from turns and ratings, and what was undone. This file
 * applies one entry, or tells the log again without one of them.
 */

import type { Evidence } from './analyser.ts'
import type { DimensionState } from './averages.ts'
import { type Followed, type FollowedStep, follow, UNKNOWN } from './contexts.ts'
import { type Dimension, dimensions, type Partly, type Vector } from './dimensions.ts'
import type { Change } from './person.ts'
import type { Settings } from './settings.ts'

/** For how many turns an undo keeps detection away from a dimension. */
export const HOLD_TURNS = 10

/** Everything known in one context: its own estimate, the one over all contexts, and turns left without detection. */
export interface Learned {
  readonly own: Followed
  readonly overall: Followed
  readonly held: Partly<number>
}

export const NOTHING: Learned = { own: UNKNOWN, overall: UNKNOWN, held: {} }

/** States put back by an undo; null where there was none. */
export interface Restored {
  readonly own: Partly<DimensionState | null>
  readonly overall: Partly<DimensionState | null>
}

/** One line of the log. */
export interface Entry {
  readonly kind: 'turn' | 'rating' | 'undo'
  readonly context: string
  readonly evidence: Partly<Evidence>
  readonly restored: Restored | null
  /** What was known before it in its own context; null where nothing was read. */
  readonly before: Learned | null
}

export interface Lesson extends FollowedStep {
  readonly learned: Learned
}

/** What a turn or a rating teaches; an explicit request outweighs what was followed so far. */
export function learn(
  before: Learned,
  evidence: Partly<Evidence>,
  settings: Settings,
  kind: 'turn' | 'rating',
): Lesson {
  const where = (holds: (dimension: Dimension) => boolean) => new Set(dimensions.filter(holds))
  const step = follow(before.own, before.overall, vectorsOf(evidence), settings, {
    paused: where((d) => (before.held[d] ?? 0) > 0),
    emphasised: where((d) => evidence[d]?.evidence === 'explicit'),
  })
  const held = kind === 'turn' ? oneTurnLess(before.held) : before.held
  return { ...step, learned: { own: step.own, overall: step.overall, held } }
}

/** The changes that count: a jump is provisional, a rejected one is none. */
export function confirmedChanges(changes: readonly Change[]): readonly Dimension[] {
  return changes.filter(({ kind }) => kind === 'confirmed' || kind === 'shift').map(({ dimension }) => dimension)
}

/** What an undo of changes in these dimensions puts back: the states before them, without the jump that led there. */
export function restoredFrom(before: Learned, undone: readonly Dimension[]): Restored {
  const states = (followed: Followed) =>
    Object.fromEntries(
      undone.map((d) => [d, followed.states[d] === undefined ? null : { ...followed.states[d], pending: null }]),
    )
  return { own: states(before.own), overall: states(before.overall) }
}

/** Puts states back and keeps detection away from their dimensions for a while. */
export function restore(learned: Learned, restored: Restored): Learned {
  const held = Object.fromEntries(Object.keys(restored.own).map((dimension) => [dimension, HOLD_TURNS]))
  return {
    own: put(learned.own, restored.own),
    overall: put(learned.overall, restored.overall),
    held: { ...learned.held, ...held },
  }
}

/** Tells one more line of the log; one from another context teaches only the overall estimate, under its own pause. */
export function tell(learned: Learned, context: string, entry: Entry, settings: Settings): Learned {
  const elsewhere = { own: UNKNOWN, overall: learned.overall, held: entry.before?.held ?? {} }
  const here = entry.context === context ? learned : elsewhere
  const told =
    entry.kind === 'undo'
      ? restore(here, entry.restored ?? { own: {}, overall: {} })
      : learn(here, entry.evidence, settings, entry.kind).learned
  return entry.context === context ? told : { ...learned, overall: told.overall }
}

function vectorsOf(evidence: Partly<Evidence>): Partly<Vector> {
  return Object.fromEntries(dimensions.flatMap((d) => (evidence[d] ? [[d, evidence[d].value]] : [])))
}

function oneTurnLess(held: Partly<number>): Partly<number> {
  return Object.fromEntries(
    Object.entries(held)
      .map(([dimension, turns]) => [dimension, turns - 1] as const)
      .filter(([, turns]) => turns > 0),
  )
}

function put(followed: Followed, states: Partly<DimensionState | null>): Followed {
  const known = Object.entries({ ...followed.states, ...states }).filter(([, state]) => state !== null)
  return { ...followed, states: Object.fromEntries(known) }
}
