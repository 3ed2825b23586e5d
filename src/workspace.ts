/** What admins may set for their workspace: how preferences are followed, and how the bot behaves. */

import { nearest } from './nearest.ts'
import { resolve, type Settings, type Tuning } from './preference/settings.ts'
import { reset, TUNABLES, type Tunable } from './preference/tuning.ts'

/** Only what differs from the defaults. */
export interface WorkspaceTuning extends Tuning {
  readonly notices?: 'on' | 'off'
  /** Days. */
  readonly retention?: number
  /** A name of the IANA database. */
  readonly timezone?: string
  /** What people start from; absent: the one in prompts/. */
  readonly persona?: string
  /** What happens to replies whose question was deleted. */
  readonly deletes?: 'keep' | 'remove'
  /** Days. */
  readonly grace?: number
}

export const TIMEZONE = 'UTC'
export const GRACE_DAYS = 7

const notices: Tunable<WorkspaceTuning> = {
  name: 'notices',
  aliases: [],
  range: '`on` or `off`',
  default: '`on`',
  effect: 'Whether a reply says so when I noticed a change in how you like to be answered.',
  current: (tuning) => tuning.notices ?? 'on',
  write: (tuning, text) => (text === 'on' || text === 'off' ? { ...tuning, notices: text } : undefined),
}

const retention: Tunable<WorkspaceTuning> = {
  name: 'retention',
  aliases: [],
  range: '`off` or a number of days from `1d` to `3650d`',
  default: '`off`',
  effect: 'How long I keep what was said; older turns are erased every night.',
  current: ({ retention: days }) => (days === undefined ? 'off' : `${days}d`),
  write: (tuning, text) => {
    if (text === 'off') {
      const { retention: _, ...others } = tuning
      return others
    }
    const days = /^\d{1,4}d$/.test(text) ? Number(text.slice(0, -1)) : 0
    return days >= 1 && days <= 3650 ? { ...tuning, retention: days } : undefined
  },
}

const timezone: Tunable<WorkspaceTuning> = {
  name: 'timezone',
  aliases: [],
  range: 'the name of a time zone, such as `Europe/Berlin`',
  default: `\`${TIMEZONE}\``,
  effect: 'Where "yesterday" and "at nine" are, for people whose platform does not tell.',
  current: (tuning) => tuning.timezone ?? TIMEZONE,
  write: (tuning, text) => {
    const zone = zoneNamed(text)
    return zone === undefined ? undefined : { ...tuning, timezone: zone }
  },
  meant: (text) => nearestZone(text),
}

const deletes: Tunable<WorkspaceTuning> = {
  name: 'deletes',
  aliases: [],
  range: '`keep` or `remove`',
  default: '`keep`',
  effect: 'Whether my replies to a message that somebody deletes stay or go, too; what was said in it is forgotten.',
  current: (tuning) => tuning.deletes ?? 'keep',
  write: (tuning, text) => (text === 'keep' || text === 'remove' ? { ...tuning, deletes: text } : undefined),
}

const grace: Tunable<WorkspaceTuning> = {
  name: 'grace',
  aliases: [],
  range: 'a number of days from `0d` to `365d`',
  default: `\`${GRACE_DAYS}d\``,
  effect: 'How long I keep everything after I was taken out of this workspace; then all of it is erased.',
  current: (tuning) => `${tuning.grace ?? GRACE_DAYS}d`,
  write: (tuning, text) => {
    const days = /^\d{1,3}d$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN
    return days <= 365 ? { ...tuning, grace: days } : undefined
  },
}

const ZONES: readonly string[] = [TIMEZONE, ...Intl.supportedValuesOf('timeZone')]

/** In either case; old and new names of a place alike, but no offsets, which know nothing of summer. */
function zoneNamed(text: string): string | undefined {
  const known = ZONES.find((zone) => zone.toLowerCase() === text.toLowerCase())
  if (known !== undefined || !/^[a-z]+\/[a-z_/+-]+$/i.test(text)) return known
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** By its whole name, or by its city alone. */
function nearestZone(text: string): string | null {
  const wanted = text.toLowerCase().replaceAll(' ', '_')
  const whole = ZONES.map((zone) => zone.toLowerCase())
  const cities = whole.map((zone) => zone.split('/').at(-1) ?? '')
  const at = wanted.includes('/')
    ? whole.indexOf(nearest(wanted, whole) ?? '')
    : cities.indexOf(nearest(wanted, cities) ?? '')
  return ZONES[at] ?? null
}

/** Everything that `/tune` knows. A new setting is a row here and a field above. */
export const WORKSPACE_TUNABLES: readonly Tunable<WorkspaceTuning>[] = [
  ...TUNABLES.map(widened),
  notices,
  retention,
  timezone,
  deletes,
  grace,
]

/** All settings as they were at first, or one of them. Throws a RangeError when the name is unknown. */
export function resetWorkspace(tuning: WorkspaceTuning, name?: string): WorkspaceTuning {
  return name === undefined ? {} : reset(WORKSPACE_TUNABLES, tuning, name)
}

export function settingsOf(tuning: WorkspaceTuning): Settings {
  return resolve(tuning)
}

/** A row about part of the settings as one about all of them. */
function widened(tunable: Tunable<Tuning>): Tunable<WorkspaceTuning> {
  return {
    ...tunable,
    write: (tuning, text) => {
      const written = tunable.write(tuning, text)
      return written && { ...tuning, ...written }
    },
  }
}
