/** What an action is: something that the model may call, on the data of the person who is answered and of nobody else. */

import { z } from 'zod'
import type { Embedded } from '../memory/candidates.ts'
import type { Dimension } from '../preference/dimensions.ts'
import type { Queries } from '../store/database.ts'
import type { Known, Place } from '../store/people.ts'

export interface ActionContext {
  readonly queries: Queries
  /** The message's, never taken from arguments: whose data, and what may be told here. */
  readonly place: Place
  /** The message that is answered. */
  readonly question: string
  readonly now: Date
  readonly timezone: string
  readonly known: Known
  readonly vectorOf: (text: string) => Promise<Embedded | null>
  /** Aborts when the turn is given back. */
  readonly signal: AbortSignal
}

/** What is to change. It is carried out in the transaction that stores the turn, so that a crash repeats nothing. */
export type Effect =
  | { readonly kind: 'remember'; readonly text: string; readonly turnIds: readonly number[] }
  | { readonly kind: 'forget'; readonly lineIds: readonly number[] }
  | { readonly kind: 'prefer'; readonly dimension: Dimension; readonly label: string }

export interface Result {
  /** For the model. */
  readonly text: string
  /** Who wrote it, where it is neither the bot nor the person: it is put to the model as data of theirs. */
  readonly source?: string
  /** The turns and lines that it tells of: once one of them is forgotten, so is this. */
  readonly turnIds?: readonly number[]
  readonly lineIds?: readonly number[]
  readonly effect?: Effect
}

/** A message, as far as it decides which actions are offered. */
export interface Asking {
  readonly text: string
  /** The rules have kept something of it already. */
  readonly isKept: boolean
  /** The analyser has read in it how the person wants to be answered. */
  readonly isRead: boolean
}

export interface Action {
  readonly name: string
  /** A sentence for the model. */
  readonly description: string
  /** A JSON schema of an object. */
  readonly parameters: object
  /** @throws RangeError: `Expected … to be …, got …`, for the model */
  readonly run: (given: unknown, context: ActionContext) => Promise<Result>
}

/** One of the bot's own. */
export interface OwnAction extends Action {
  /** A cheap look at the message: false where the action is of no use. What changes data is asked for in so many words. */
  readonly mayHelp: (asking: Asking) => boolean
}

interface Definition<S extends z.ZodObject> extends Omit<OwnAction, 'parameters' | 'run'> {
  /** Every field has a description that goes on from "Expected it to be". */
  readonly parameters: S
  readonly run: (input: z.infer<S>, context: ActionContext) => Promise<Result> | Result
}

/** An action whose arguments are checked before it runs. */
export function action<S extends z.ZodObject>(definition: Definition<S>): OwnAction {
  const { name, description, mayHelp, parameters, run } = definition
  return {
    name,
    description,
    mayHelp,
    parameters: z.toJSONSchema(parameters),
    run: async (given, context) => run(checked(name, parameters, given), context),
  }
}

/** Somebody's or a model's text in a sentence about it. */
export function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const line = text.replace(/[\s`]+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 80)}…` : line}\``
}

/** @throws RangeError when the arguments of the action are no object */
export function objectFor(action: string, given: unknown): Record<string, unknown> {
  if (!isObject(given)) {
    throw new RangeError(`Expected the arguments of \`${action}\` to be an object, got ${shortly(given)}`)
  }
  return given
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Small models give what they leave out as null or as an empty text. */
export function filledIn(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
}

function checked<S extends z.ZodObject>(name: string, parameters: S, given: unknown): z.infer<S> {
  const filled = filledIn(objectFor(name, given))
  const parsed = parameters.safeParse(filled)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = String(issue?.path[0] ?? '')
  const wanted = parameters.shape[field]
  if (wanted === undefined) {
    const fields = Object.keys(parameters.shape).map((key) => `\`${key}\``)
    const list = fields.length === 0 ? 'no arguments' : `no arguments but ${fields.join(', ')}`
    throw new RangeError(`Expected \`${name}\` to get ${list}, got ${shortly(Object.keys(filled).join(', '))}`)
  }
  const value = Object.entries(filled).find(([key]) => key === field)?.[1]
  throw new RangeError(
    `Expected \`${field}\` to be ${z.globalRegistry.get(wanted)?.description ?? 'something else'}, got ${value === undefined ? 'nothing' : shortly(value)}`,
  )
}
