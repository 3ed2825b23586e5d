/** What admins may set for their workspace: how preferences are followed, and how the bot behaves. */

import { nearest } from './nearest.ts'
import { PERSONA_CHARACTERS, personaOf } from './persona-text.ts'
import { resolve, type Settings, type Tuning } from './preference/settings.ts'
import { reset, TUNABLES, type Tunable } from './preference/tuning.ts'

/** Only what differs from the defaults. */
export interface WorkspaceTuning extends Tuning {
  readonly notices?: 'on' | 'off'
  /** Days. */
  readonly retention?: number
  /** A name of the IANA database. */
  readonly timezone?: string
  /** When its night begins, on its own clock: `04:00`. */
  readonly night?: string
  /** What people start from; absent: the one in prompts/. */
  readonly persona?: string
  /** What happens to replies whose question was deleted. */
  readonly deletes?: 'keep' | 'remove'
  /** Days. */
  readonly grace?: number
}

export const TIMEZONE = 'UTC'
export const GRACE_DAYS = 7
export const NIGHT = '04:00'
/** Characters of a persona in a table. */
const EXCERPT = 40

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

const night: Tunable<WorkspaceTuning> = {
  name: 'night',
  aliases: [],
  range: 'a time of day from `00:00` to `23:59`',
  default: `\`${NIGHT}\``,
  effect: 'When the work of the night begins, on the clock of `timezone`.',
  current: (tuning) => tuning.night ?? NIGHT,
  write: (tuning, text) => (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? { ...tuning, night: text } : undefined),
  meant: (text) => nearestTime(text),
}

/** What is near to a time of day: "4", "4:5", "0430", "4.30pm" and "25:00"; 24:00 is midnight. */
function nearestTime(text: string): string | null {
  const found = /^(\d{1,2}?)(?:[:.h-](\d{1,2})|(\d{2}))?\s*(am|pm)?$/i.exec(text.trim())
  if (found === null) return null
  const [, hours = '', apart, together, half] = found
  const minutes = apart ?? together ?? '0'
  const afternoon = half?.toLowerCase() === 'pm' && Number(hours) < 12 ? 12 : 0
  const hour = half?.toLowerCase() === 'am' && hours === '12' ? 0 : Number(hours) + afternoon
  if (hour === 24 && Number(minutes) === 0) return '00:00'
  return [Math.min(hour, 23), Math.min(Number(minutes), 59)].map((part) => String(part).padStart(2, '0')).join(':')
}

const persona: Tunable<WorkspaceTuning> = {
  name: 'persona',
  aliases: [],
  range: `\`default\` or a text of at most ${PERSONA_CHARACTERS} characters`,
  default: '`default`',
  effect: 'What people start from, who have no persona of their own: who I am to them, and when to use which action.',
  current: ({ persona: text }) => (text === undefined ? 'default' : excerpt(text)),
  write: (tuning, text) => {
    if (text.trim().toLowerCase() !== 'default') return { ...tuning, persona: personaOf(text) }
    const { persona: _, ...others } = tuning
    return others
  },
}

function excerpt(text: string): string {
  const characters = [...text.replaceAll('`', "'").replace(/\s+/g, ' ')]
  return characters.length <= EXCERPT ? characters.join('') : `${characters.slice(0, EXCERPT).join('')}…`
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
  night,
  persona,
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
