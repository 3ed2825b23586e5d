/**
 * The format of test vectors for PAMU: streams of observations with what every turn must give.
 *
 * A stream may change parameters on the way, in `reconfigure`: one change or a list of them. A change is
 * `{ at, params }`, where `at` (or `index`, `before`) counts inputs from 0 and `turn` from 1, both meaning "before this
 * input"; `after` counts from 0 and means "after this input". Without `params` the other keys are the parameters.
 * A map from position (from 0) to parameters, pairs `[position, params]`, and a list as long as the input whose
 * entries are parameters or null are read too. Parameters that are not named stay.
 */

import { z } from 'zod'
import { PROFILES, type Settings } from '../src/preference/settings.ts'

const record = z.record(z.string(), z.unknown())
const labels = z.array(z.string()).nullish()

const streamShape = z.looseObject({
  name: z.string(),
  kind: z.enum(['dimension', 'user']),
  type: z.enum(['scalar', 'categorical']).nullish(),
  categories: labels,
  tones: labels,
  emotions: labels,
  params: record.optional(),
  input: z.array(z.unknown()),
  expected: z.array(record),
  reconfigure: z.unknown().optional(),
})

const fileShape = z.object({
  tolerance: z.object({ values: z.number().optional(), scores_relative: z.number().optional() }).optional(),
  streams: z.array(streamShape).min(1),
})

export type Stream = z.infer<typeof streamShape>

export interface VectorFile {
  /** Of values and of the scores C, J and rho; relative above 1, absolute below. */
  readonly tolerance: { readonly values: number; readonly scores: number }
  readonly streams: readonly Stream[]
}

/** Throws an Error in words when the text is not JSON or not a vector file. */
export function parseVectors(text: string): VectorFile {
  const parsed = fileShape.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`Expected a file of PAMU vectors, got one with \`${issue?.path.join('.')}\`: ${issue?.message}`)
  }
  const { tolerance, streams } = parsed.data
  for (const { name, input, expected } of streams) {
    if (input.length === expected.length) continue
    throw new Error(
      `Expected as many inputs as expected turns in \`${name}\`, got ${input.length} and ${expected.length}`,
    )
  }
  return { tolerance: { values: tolerance?.values ?? 1e-9, scores: tolerance?.scores_relative ?? 1e-9 }, streams }
}

/** `{"$num": "NaN"}` is how the format writes a number that JSON has not. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value?.$num === 'string' ? Number(value.$num) : value))
  } catch (error) {
    throw new Error(`Expected JSON, got something else (${error instanceof Error ? error.message : error})`)
  }
}

const NAMES = new Map(Object.entries({ W: 'window', lam: 'lambda', eps: 'epsilon' }))

/** The format's parameters laid over `base`. */
export function settingsFrom(params: Readonly<Record<string, unknown>>, base: Settings = PROFILES.adaptive): Settings {
  const changed = Object.entries(params).map(([name, value]) => [NAMES.get(name) ?? name, value])
  for (const [name] of changed)
    if (!(String(name) in base)) throw new Error(`Expected a known parameter, got \`${name}\``)
  return { ...base, ...Object.fromEntries(changed) }
}

/** The settings in force at each input. */
export function schedule(stream: Stream): Settings[] {
  const changes = changesOf(stream.reconfigure, stream.input.length)
  let settings = settingsFrom(stream.params ?? {})
  return stream.input.map((_, i) => {
    for (const change of changes) if (change.at === i) settings = settingsFrom(change.params, settings)
    return settings
  })
}

interface Reconfiguration {
  readonly at: number
  readonly params: Readonly<Record<string, unknown>>
}

function changesOf(raw: unknown, turns: number): Reconfiguration[] {
  if (raw === undefined || raw === null) return []
  if (Array.isArray(raw)) {
    const parallel = raw.length === turns && raw.some((entry) => entry === null)
    if (parallel) return raw.flatMap((entry, at) => (entry === null ? [] : [{ at, params: record.parse(entry) }]))
    if (typeof raw[0] === 'number') return [{ at: position(raw[0], turns), params: record.parse(raw[1]) }]
    return raw.flatMap((entry) => changesOf(entry, turns))
  }
  const entries = record.parse(raw)
  if (Object.keys(entries).every((key) => /^\d+$/.test(key))) {
    return Object.entries(entries).map(([key, value]) => ({
      at: position(Number(key), turns),
      params: record.parse(value),
    }))
  }
  const { at, index, before, turn, after, params, ...inline } = entries
  const given = at ?? index ?? before ?? (typeof turn === 'number' ? turn - 1 : undefined)
  const place = given ?? (typeof after === 'number' ? after + 1 : undefined)
  return [{ at: position(place, turns), params: params === undefined ? inline : record.parse(params) }]
}

function position(raw: unknown, turns: number): number {
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= turns) return raw
  throw new Error(`Expected a \`reconfigure\` to name one of ${turns} inputs, got \`${JSON.stringify(raw)}\``)
}
