/** /persona: the five dimensions as a table that reads well in a terminal and in a code block, and recent changes. */

import { shown, UNKNOWN } from '../preference/contexts.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly } from '../preference/dimensions.ts'
import type { Shown } from '../preference/person.ts'
import type { Settings } from '../preference/settings.ts'
import type { Queries } from '../store/database.ts'
import { type Known, loadKnown, type Place } from '../store/people.ts'
import { changesSince, recentlyShown } from '../store/views.ts'
import { settingsOf } from '../workspace.ts'
import { bar, block, columns, sparkline } from './chart.ts'
import type { CommandContext } from './command.ts'
import { dayName, daysBefore } from './dates.ts'
import { amount, labelOf, movements } from './portrait.ts'
import { shownPersona } from './versions.ts'

/** Turns in a sparkline. */
const RECENT_TURNS = 20
const RECENT_DAYS = 30
/** More than anybody changes their mind in that time; it bounds the statement. */
const RECENT_CHANGES = 100

const NEWCOMER =
  'I know nothing yet about how you like to be answered. I learn it as we talk; you can also tell me, ' +
  'as in `/persona set length brief`. All there is: `/persona help`.'

export async function view(context: CommandContext): Promise<string> {
  return `${await portraitOf(context)}\n\n${await shownPersona(context)}`
}

async function portraitOf({ queries, message, now }: CommandContext): Promise<string> {
  const known = await loadKnown(queries, message, 0)
  const settings = settingsOf(known.tuning)
  const { own, overall } = known.learned
  const portrait = shown(own, overall, settings).shown
  if (dimensions.every((d) => portrait[d] === undefined && known.pins[d] === undefined)) return NEWCOMER
  const past = await recentlyShown(queries, message, RECENT_TURNS)
  const rows = dimensions.map((d) => row(d, portrait, known, past, settings))
  const table = block(columns([['Dimension', 'Now', 'Estimate', 'Lately', 'Observed'], ...rows]))
  const sections = [
    `**How you like to be answered**\n${table}`,
    LEGEND,
    bullets([...notes(portrait, known, settings), ...(await changes(queries, message, settings, now))]),
    'Not right? `/persona set length brief` settles one, `/persona undo` takes back the last change, `/persona why` explains my last reply.',
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

/** The ends of the scales, so that a bar can be read. */
const LEGEND = legend()

function legend(): string {
  const scales = dimensions.filter((d) => DIMENSIONS[d].kind === 'scale')
  const ends = scales.map((d) => `${d} from ${DIMENSIONS[d].labels[0]} to ${DIMENSIONS[d].labels.at(-1)}`)
  const others = dimensions.filter((d) => DIMENSIONS[d].kind === 'category')
  return `Bars: ${ends.join(', ')}; of ${others.join(' and ')}, how clear it is. Observed: *here*, or *overall* in this workspace while I know too little here.`
}

function row(
  dimension: Dimension,
  portrait: Partly<Shown>,
  { pins, learned }: Known,
  past: readonly Partly<Shown>[],
  settings: Settings,
): readonly string[] {
  const part = portrait[dimension]
  const pinned = pins[dimension]
  const now = pinned === undefined ? (part?.label ?? '-') : `${pinned} (pinned)`
  if (part === undefined) return [dimension, now, '', '', 'not yet']
  const share = (values: Shown) => amount(dimension, values.value, part.label)
  const line = past.flatMap((turn) => (turn[dimension] === undefined ? [] : [share(turn[dimension])]))
  const where = isOverall(dimension, learned, settings) ? 'overall' : 'here'
  const followed = where === 'here' ? learned.own : learned.overall
  const times = followed.accepted[dimension] ?? 0
  return [dimension, now, bar(share(part)), sparkline(line), `${times} ${where}`]
}

/** Whether the overall estimate speaks: then it also would if this context's own lost all but its count. */
function isOverall(dimension: Dimension, { own, overall }: Known['learned'], settings: Settings): boolean {
  return shown({ ...UNKNOWN, accepted: own.accepted }, overall, settings).shown[dimension] !== undefined
}

function notes(portrait: Partly<Shown>, { pins, learned }: Known, { directive }: Settings): readonly string[] {
  const pinned = dimensions.flatMap((d) => {
    const part = portrait[d]
    const label = part && labelOf(d, part.value)
    return part === undefined || pins[d] === undefined || label === pins[d]
      ? []
      : [`${d} is pinned to ${pins[d]}; from what I notice it would be ${part.label}`]
  })
  const held = dimensions.flatMap((d) => (learned.held[d] === undefined ? [] : [`${d} (${learned.held[d]})`]))
  const away = held.length === 0 ? [] : [`turns in which I look for no change: ${held.join(', ')}`]
  const untold = directive ? [] : ['in this workspace the model is not told any of this']
  return [...pinned, ...away, ...untold]
}

async function changes(queries: Queries, place: Place, settings: Settings, now: Date): Promise<readonly string[]> {
  const turns = await changesSince(queries, place, daysBefore(now, RECENT_DAYS), RECENT_CHANGES)
  const moved = turns.map(({ before, ...turn }) => ({
    ...turn,
    shownBefore: shown(before.own, before.overall, settings).shown,
  }))
  return movements(moved).map(({ askedAt, words }) => `since ${dayName(askedAt, now)}: ${words}`)
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}
