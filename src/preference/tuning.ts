/** What an admin can set with /tune: names, ranges and effects in words, and text that becomes a setting. */

import { nearest } from '../nearest.ts'
import { PRESETS, PROFILES, resolve, type Tuning } from './settings.ts'

/** A setting that is kept under `name` in `T`, where absent means its default. */
export interface Tunable<T> {
  readonly name: string & keyof T
  /** Other names it answers to; the first is the symbol it has in the paper. */
  readonly aliases: readonly string[]
  /** As it stands after "Expected `name` to be". */
  readonly range: string
  readonly default: string
  /** One sentence. */
  readonly effect: string
  /** The setting in force, as one would type it. */
  readonly current: (settings: T) => string
  /** The settings with this text as the value; undefined where it is outside the range. */
  readonly write: (settings: T, text: string) => T | undefined
  /** A value that somebody probably meant who wrote one outside the range. */
  readonly meant?: (text: string) => string | null
}

const profiles = namesOf(PROFILES)
const presets = namesOf(PRESETS)

export const TUNABLES: readonly Tunable<Tuning>[] = [
  {
    name: 'lambda',
    aliases: ['λ', 'lam'],
    range: 'a number from 0 to 1, `auto` or `dynamic`',
    default: '`auto`; in the paper profile 0.5',
    effect: 'How much the last few turns count against the long run; `auto` weighs them by their variances.',
    current: (tuning) => String(resolve(tuning).lambda),
    write: (tuning, text) => {
      const lambda = text === 'auto' || text === 'dynamic' ? text : decimal(text, (value) => value <= 1)
      return lambda === undefined ? undefined : { ...tuning, lambda }
    },
  },
  {
    name: 'beta',
    aliases: ['β'],
    range: 'a number above 0 and below 1',
    default: '0.9',
    effect: 'How long the long run is: the nearer to 1, the slower it forgets.',
    current: (tuning) => String(resolve(tuning).beta),
    write: (tuning, text) => {
      const beta = decimal(text, (value) => value > 0 && value < 1)
      return beta === undefined ? undefined : { ...tuning, beta }
    },
  },
  {
    name: 'window',
    aliases: ['W'],
    range: 'a whole number from 1 to 64',
    default: '5',
    effect: 'How many turns the last few turns are.',
    current: (tuning) => String(resolve(tuning).window),
    write: (tuning, text) => {
      const window = decimal(text, (value) => /^\d+$/.test(text) && value >= 1 && value <= 64)
      return window === undefined ? undefined : { ...tuning, window }
    },
  },
  {
    name: 'delta',
    aliases: ['δ'],
    range: 'a number above 0, at most 100',
    default: '3; in the paper profile 1.5',
    effect: 'How far the last few turns must leave the long run to count as a change: more means fewer changes.',
    current: (tuning) => String(resolve(tuning).delta ?? 'off'),
    write: (tuning, text) => {
      const delta = decimal(text, (value) => value > 0 && value <= 100)
      return delta === undefined ? undefined : { ...tuning, delta }
    },
  },
  {
    name: 'profile',
    aliases: [],
    range: either(profiles),
    default: '`adaptive`',
    effect: 'Whether detected changes are acted on (`adaptive`) or the equations run as printed (`paper`).',
    current: (tuning) => tuning.profile ?? 'adaptive',
    write: (tuning, text) => {
      const profile = profiles.find((name) => name === text)
      return profile === undefined ? undefined : { ...tuning, profile }
    },
  },
  {
    name: 'preset',
    aliases: [],
    range: either(presets),
    default: 'none',
    effect: 'Leaves a part out or fixes it, to measure what it is worth.',
    current: (tuning) => tuning.preset ?? 'none',
    write: (tuning, text) => {
      const preset = presets.find((name) => name === text)
      return preset === undefined ? undefined : { ...tuning, preset }
    },
  },
]

/** Throws a RangeError in words for the admin when the name is unknown or the value outside its range. */
export function changeTuning(tuning: Tuning, name: string, value: string): Tuning {
  return change(TUNABLES, tuning, name, value)
}

/** Without a name everything is the default again. Throws a RangeError when the name is unknown. */
export function resetTuning(tuning: Tuning, name?: string): Tuning {
  return name === undefined ? {} : reset(TUNABLES, tuning, name)
}

/** `changeTuning` for any table of settings. */
export function change<T>(table: readonly Tunable<T>[], settings: T, name: string, value: string): T {
  const tunable = find(table, name)
  const changed = tunable.write(settings, value)
  if (changed === undefined) {
    const meant = tunable.meant?.(value) ?? null
    const hint = meant === null ? '' : `. Did you mean \`${meant}\`?`
    throw new RangeError(`Expected \`${tunable.name}\` to be ${tunable.range}, got \`${value}\`${hint}`)
  }
  return changed
}

/** `resetTuning` for one setting of any table. */
export function reset<T>(table: readonly Tunable<T>[], settings: T, name: string): T {
  const rest = { ...settings }
  delete rest[find(table, name).name]
  return rest
}

/** By name or alias in either case. Throws a RangeError that names the known ones and the nearest. */
export function find<T>(table: readonly Tunable<T>[], name: string): Tunable<T> {
  const wanted = name.toLowerCase()
  const found = table.find((tunable) =>
    [tunable.name, ...tunable.aliases].some((known) => known.toLowerCase() === wanted),
  )
  if (found !== undefined) return found
  const names = table.map((tunable) => tunable.name)
  const close = nearest(wanted, names)
  const hint = close === null ? '' : `. Did you mean \`${close}\`?`
  throw new RangeError(`Expected one of ${names.map((known) => `\`${known}\``).join(', ')}, got \`${name}\`${hint}`)
}

/** Plain decimal notation only: no sign, exponent, prefix or blank. */
function decimal(text: string, allowed: (value: number) => boolean): number | undefined {
  const value = Number(text)
  return /^(\d+|\d*\.\d+)$/.test(text) && allowed(value) ? value : undefined
}

function either(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length === 1 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

function namesOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[]
}
