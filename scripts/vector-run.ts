/** Runs a stream of test vectors through the estimator and finds the first turn and field that differ. */

import { type DimensionState, initialState } from '../src/preference/averages.ts'
import { clean } from '../src/preference/clean.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from '../src/preference/dimensions.ts'
import type { Outcome } from '../src/preference/estimate.ts'
import { directiveLine } from '../src/preference/labels.ts'
import { type PersonStep, type Schemes, stepPerson } from '../src/preference/person.ts'
import type { Settings } from '../src/preference/settings.ts'
import { type Stream, schedule, type VectorFile } from './vector-file.ts'

export interface Difference {
  /** From 1. */
  readonly turn: number
  readonly field: string
  readonly expected: unknown
  readonly got: unknown
}

type Tolerance = VectorFile['tolerance']
type States = Partly<DimensionState>

/** Null when every turn agrees. Where a turn gives `state`, the state goes through JSON and on from there. */
export function runStream(stream: Stream, tolerance: Tolerance): Difference | null {
  const schemes = schemesOf(stream)
  const settings = schedule(stream)
  let states: States = {}
  for (const [i, raw] of stream.input.entries()) {
    const now = settings[i]!
    const turn = stepPerson(states, observe(stream, raw, schemes), now, schemes)
    states = turn.states
    const expected = stream.expected[i]!
    if (holdsState(expected)) states = JSON.parse(JSON.stringify(states))
    const got = gotOf(stream, turn, states, now, schemes)
    const found = compareRecords(expected, got, '', tolerance)
    if (found !== null) return { turn: i + 1, ...found }
  }
  return null
}

/** A stream of one dimension is a person of whom only that one is known. */
function soleDimension(stream: Stream): Dimension {
  return stream.type === 'categorical' ? 'tone' : 'density'
}

function schemesOf(stream: Stream): Schemes {
  const tones = stream.kind === 'user' ? stream.tones : stream.categories
  if (stream.kind === 'dimension' && stream.type !== 'categorical') {
    return { ...DIMENSIONS, density: { kind: 'scale', labels: stream.categories ?? DIMENSIONS.density.labels } }
  }
  return {
    ...DIMENSIONS,
    tone: { kind: 'category', labels: tones ?? DIMENSIONS.tone.labels },
    emotion: { kind: 'category', labels: stream.emotions ?? DIMENSIONS.emotion.labels },
  }
}

function observe(stream: Stream, raw: unknown, schemes: Schemes): Partly<Vector> {
  const given = stream.kind === 'user' ? (raw ?? {}) : { [soleDimension(stream)]: raw }
  const values: { [D in Dimension]?: Vector } = {}
  for (const [name, part] of Object.entries(given)) {
    const dimension = dimensions.find((known) => known === name)
    if (dimension === undefined) throw new Error(`Expected a known dimension, got \`${name}\``)
    const value = clean(part, schemes[dimension])
    if (value !== null) values[dimension] = value
  }
  return values
}

function holdsState(expected: Readonly<Record<string, unknown>>): boolean {
  return (
    'state' in expected ||
    'states' in expected ||
    Object.values(asRecord(expected['dims'])).some((dimension) => 'state' in asRecord(dimension))
  )
}

/** What was got in the words of the format. */
function gotOf(stream: Stream, turn: PersonStep, states: States, settings: Settings, schemes: Schemes) {
  const stateOf = (dimension: Dimension) => states[dimension] ?? initialState(settings)
  if (stream.kind === 'dimension') {
    const sole = soleDimension(stream)
    const label = turn.labels[sole] ?? null
    const labelIndex = label === null ? null : schemes[sole].labels.indexOf(label)
    return { ...inFormat(turn.outcomes[sole]), label, labelIndex, state: stateOf(sole) }
  }
  const dims = dimensions.map((dimension) => {
    return [dimension, { ...inFormat(turn.outcomes[dimension]), state: stateOf(dimension) }]
  })
  const all = Object.fromEntries(dimensions.map((dimension) => [dimension, stateOf(dimension)]))
  const { labels, jumps, eager } = turn
  const shown = Object.fromEntries(Object.entries(turn.shown).map(([dimension, { value }]) => [dimension, value]))
  return {
    labels,
    shown,
    jumps,
    eager,
    prompt: directiveLine(labels),
    dims: Object.fromEntries(dims),
    state: all,
    states: all,
  }
}

function inFormat({ lambda, ...rest }: Outcome) {
  return { ...rest, lam: lambda }
}

type Found = Omit<Difference, 'turn'> | null

/** Whatever is expected must be there; of what is shown, nothing else may be. */
function compareRecords(expected: unknown, got: unknown, path: string, tolerance: Tolerance): Found {
  const wanted = asRecord(expected)
  const have = asRecord(got)
  const closed = path === 'labels' || path === 'shown'
  const keys = new Set([...Object.keys(wanted), ...(closed ? Object.keys(have) : [])])
  keys.delete('turn')
  for (const key of keys) {
    const found = compare(wanted[key] ?? null, have[key] ?? null, path === '' ? key : `${path}.${key}`, tolerance)
    if (found !== null) return found
  }
  return null
}

function compare(expected: unknown, got: unknown, field: string, tolerance: Tolerance): Found {
  const different = { field, expected, got }
  if (typeof expected === 'number' && typeof got === 'number') {
    const allowed = /(^|\.)(C|J|rho)$/.test(field) ? tolerance.scores : tolerance.values
    return near(expected, got, allowed) ? null : different
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    if (expected.length !== got.length) return different
    for (const [i, item] of expected.entries()) {
      const found = compare(item, got[i], `${field}.${i}`, tolerance)
      if (found !== null) return found
    }
    return null
  }
  if (Array.isArray(expected) || Array.isArray(got)) return different
  if (isRecord(expected) && isRecord(got)) return compareRecords(expected, got, field, tolerance)
  return expected === got ? null : different
}

function near(expected: number, got: number, allowed: number): boolean {
  if (Object.is(expected, got)) return true
  return Math.abs(expected - got) <= allowed * Math.max(1, Math.abs(expected))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}
