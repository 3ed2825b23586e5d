/** What the actions of a turn amount to: what is kept of them, what the turn rests on, and what they change. */

import type { Done } from './act.ts'
import type { Effect } from './actions/action.ts'
import type { Json } from './adapter.ts'
import { enter } from './memory/profile.ts'
import { type Evidence, explicit } from './preference/analyser.ts'
import type { Partly } from './preference/dimensions.ts'
import { learn } from './preference/learn.ts'
import type { Outcome, Rests } from './store/turns.ts'
import { tidyText } from './tidy.ts'
import type { Understood } from './understand.ts'

/** Characters of arguments that are kept. */
const KEPT = 1000

/** As they are stored: the turns that a result quotes are named, so that it goes when they are forgotten. */
export function actionsOf(remembered: readonly string[], done: readonly Done[]): readonly Json[] {
  const taken = done.map(({ action, arguments: given, text, turnIds = [] }) => ({
    action: tidyText(action).slice(0, 100),
    arguments: argumentsOf(given),
    result: tidyText(text),
    ...(turnIds.length > 0 && { turnIds }),
  }))
  return [...remembered.map((remembers) => ({ remembers })), ...taken]
}

function argumentsOf(given: unknown): Json {
  const text = tidyText(
    JSON.stringify(given, (_, value) => (typeof value === 'string' ? tidyText(value) : value)) ?? '{}',
  )
  return text.length > KEPT ? `${tidyText(text.slice(0, KEPT))}…` : JSON.parse(text)
}

/** What the model was shown of the past; if any of it is forgotten before the turn is stored, the turn is not. */
export function restsOn({ known, recalled }: Understood, done: readonly Done[]): Rests {
  const { history, profile } = known
  const shown = [...history, ...recalled].map(({ turnId }) => turnId)
  return {
    turnIds: [...shown, ...[...profile, ...done].flatMap(({ turnIds = [] }) => turnIds)],
    lineIds: [...new Set([...profile.map(({ lineId }) => lineId), ...done.flatMap(({ lineIds = [] }) => lineIds)])],
    isShared: done.some(({ action }) => action === 'read_thread'),
  }
}

/** What a preference that was set teaches: the same as a wish that the analyser reads. */
export function withWishes(understood: Understood, done: readonly Done[]): Understood {
  const wishes = effectsOf(done, 'prefer')
  if (wishes.length === 0) return understood
  const wished: Partly<Evidence> = Object.fromEntries(wishes.map((wish) => [wish.dimension, explicit(wish)]))
  const { known, settings, reading } = understood
  const observed = { ...reading.observed, ...wished }
  return { ...understood, reading: { ...reading, observed }, lesson: learn(known.learned, observed, settings, 'turn') }
}

/** The profile with what the rules and the actions keep; null: nothing. */
export function remembering(texts: readonly string[], done: readonly Done[], at: Date): Outcome['remember'] {
  const kept = [...texts.map((text) => ({ text, turnIds: [] })), ...effectsOf(done, 'remember')]
  if (kept.length === 0) return null
  return (lines, turnId) =>
    kept.reduce((known, { text, turnIds }) => enter(known, { text, turnIds: [...turnIds, turnId], at }), lines)
}

export function forgotten(done: readonly Done[]): readonly number[] {
  return [...new Set(effectsOf(done, 'forget').flatMap(({ lineIds }) => lineIds))]
}

function effectsOf<K extends Effect['kind']>(done: readonly Done[], kind: K): Extract<Effect, { kind: K }>[] {
  return done.flatMap(({ effect }) => (isOfKind(effect, kind) ? [effect] : []))
}

function isOfKind<K extends Effect['kind']>(
  effect: Effect | undefined,
  kind: K,
): effect is Extract<Effect, { kind: K }> {
  return effect?.kind === kind
}
