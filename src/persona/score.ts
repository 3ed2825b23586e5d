/**
 * How well a reply suits a person, in figures: mostly what code can measure in it against how they write and what they
 * ask for themselves (the fused vector of PAMU), a little what they made of replies, as votes may be given by mistake.
 */

import type { Analyse } from '../preference/analyser.ts'
import { explicit, readReply } from '../preference/analyser.ts'
import { type DimensionState, distance } from '../preference/averages.ts'
import type { Followed } from '../preference/contexts.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from '../preference/dimensions.ts'
import { standing } from '../preference/estimate.ts'
import { wordsOf } from '../preference/length.ts'
import type { Settings } from '../preference/settings.ts'
import { type Judged, verdictOf } from './judged.ts'
import { obeyed } from './rules.ts'

/** Where a dimension should be. Within `slack` of it nothing is wrong, as more is not known. */
export interface Aim {
  readonly value: Vector
  /** From 0 to 1, in units of `distance`. */
  readonly slack: number
}

/** What a reply is worth, all from 0 (bad) to 1. */
export interface Score {
  readonly total: number
  /** How far it is from each aim. */
  readonly off: Partly<number>
  readonly rules: number
  /** To what was accepted, or away from what was rejected; null: the turn says neither. */
  readonly closeness: number | null
}

/** Feelings are read out of a reply far less surely than its length. */
const WEIGHTS: { readonly [D in Dimension]: number } = {
  length: 1,
  density: 1,
  formality: 1,
  tone: 0.25,
  emotion: 0.25,
}
const SHARES = { style: 0.8, rules: 0.1, closeness: 0.1 } as const
/** Standard errors of an estimate that are taken for not knowing better. */
const ERRORS = 1.5
/** A pin is a third of a scale wide. */
const PINNED = 0.16
/** From this accepted value on a context's own estimate counts, as in what is shown. */
const OWN_FROM = 3

/** What is known of how somebody likes to be answered in one context. `pins` stand above it. */
export function aimsOf(own: Followed, overall: Followed, pins: Partly<string>, settings: Settings): Partly<Aim> {
  return Object.fromEntries(
    dimensions.flatMap((dimension): [Dimension, Aim][] => {
      const label = pins[dimension]
      if (label !== undefined) return [[dimension, { value: pinnedAt(dimension, label), slack: PINNED }]]
      const isOwn = (own.accepted[dimension] ?? 0) >= OWN_FROM
      const state = isOwn ? own.states[dimension] : (overall.states[dimension] ?? own.states[dimension])
      const aim = state && aimOf(state, dimension, settings)
      return aim ? [[dimension, aim]] : []
    }),
  )
}

function pinnedAt(dimension: Dimension, label: string): Vector {
  const { value } = explicit({ dimension, label })
  return value
}

/** The two means of an estimate and its spread say how sure it is. */
function aimOf(state: DimensionState, dimension: Dimension, settings: Settings): Aim | null {
  const scheme = DIMENSIONS[dimension]
  const { fused, sw, ema } = standing(state, settings, scheme)
  if (fused === null || sw === null || ema === null) return null
  const error = ERRORS * Math.sqrt(state.s2 * state.v)
  return { value: fused, slack: Math.max(error, distance(sw, fused, scheme), distance(ema, fused, scheme)) }
}

/** What can be measured in a reply. What it says in so many words of how to answer is none of its own style. */
export function styleOf(analyse: Analyse, reply: string): Partly<Vector> {
  const { observed } = analyse(reply)
  const worded = dimensions.flatMap((dimension): [Dimension, Vector][] => {
    const evidence = observed[dimension]
    return evidence?.evidence === 'words' ? [[dimension, evidence.value]] : []
  })
  return { ...Object.fromEntries(worded), ...readReply(reply) }
}

export interface Measure {
  readonly analyse: Analyse
  readonly aims: Partly<Aim>
}

/** What the reply to this turn's question is worth. `persona`: by which it was written. */
export function score({ analyse, aims }: Measure, persona: string, turn: Judged, reply: string): Score {
  const style = styleOf(analyse, reply)
  const off: { [D in Dimension]?: number } = {}
  for (const dimension of dimensions) {
    const [aim, value] = [aims[dimension], style[dimension]]
    if (aim && value) off[dimension] = beyond(distance(value, aim.value, DIMENSIONS[dimension]), aim.slack)
  }
  const rules = obeyed(persona, reply)
  const closeness = closenessTo(turn, style, styleOf(analyse, turn.reply), reply)
  const parts = [
    { of: 1 - mean(off), share: SHARES.style },
    { of: rules, share: SHARES.rules },
    { of: closeness ?? 0, share: closeness === null ? 0 : SHARES.closeness },
  ]
  const shares = parts.reduce((sum, { share }) => sum + share, 0)
  return { total: parts.reduce((sum, { of, share }) => sum + of * share, 0) / shares, off, rules, closeness }
}

function beyond(away: number, slack: number): number {
  return Math.max(0, away - slack)
}

function mean(off: Partly<number>): number {
  let [sum, weights] = [0, 0]
  for (const dimension of dimensions) {
    const away = off[dimension]
    if (away === undefined) continue
    sum += away * WEIGHTS[dimension]
    weights += WEIGHTS[dimension]
  }
  return weights === 0 ? 0 : sum / weights
}

function closenessTo(turn: Judged, style: Partly<Vector>, given: Partly<Vector>, reply: string): number | null {
  const verdict = verdictOf(turn)
  if (verdict === 0) return null
  const away: { [D in Dimension]?: number } = {}
  for (const dimension of dimensions) {
    const [mine, theirs] = [style[dimension], given[dimension]]
    if (mine && theirs) away[dimension] = distance(mine, theirs, DIMENSIONS[dimension])
  }
  const near = (1 - mean(away) + shared(reply, turn.reply)) / 2
  return verdict > 0 ? near : 1 - near
}

/** The share of words that two texts have in common (Dice). */
function shared(a: string, b: string): number {
  const [one, other] = [new Set(wordsOf(a.toLowerCase())), new Set(wordsOf(b.toLowerCase()))]
  const both = [...one].filter((word) => other.has(word)).length
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size)
}
