/** /tune: what the admins of a workspace set for everyone in it, from the next turn on. */

import { nearest } from '../nearest.ts'
import { warnings } from '../preference/settings.ts'
import { change, find, type Tunable } from '../preference/tuning.ts'
import { saveTuning } from '../store/people.ts'
import { holdTuning } from '../store/views.ts'
import { resetWorkspace, settingsOf, WORKSPACE_TUNABLES, type WorkspaceTuning } from '../workspace.ts'
import { block, columns, quote } from './chart.ts'
import { type Command, type CommandContext, helpOn } from './command.ts'
import { echo, nothingAfter, notOneOf, textAfter, withoutEquals } from './words.ts'

export const TUNE: readonly Pick<Command, 'usage' | 'about'>[] = [
  { usage: '/tune', about: 'the settings of this workspace and what they do' },
  { usage: '/tune lambda', about: 'one of them' },
  { usage: '/tune lambda 0.3', about: 'sets one, from the next turn on, for everyone' },
  { usage: '/tune persona <text>', about: 'what people start from; `default` puts it back' },
  { usage: '/tune reset lambda', about: 'puts one back; without a name, all of them' },
  { usage: '/tune help', about: 'this list' },
]

const SCOPE = 'from the next turn on, for everyone in this workspace'
/** A preset is the one setting whose default is not a value of its own. */
const NO_PRESET = ['none', 'off']

export async function runTune(context: CommandContext, words: readonly string[]): Promise<string> {
  const { queries, message } = context
  if (!message.author.isAdmin) return 'Only admins of this workspace may use `/tune`.'
  const [first, ...rest] = withoutEquals(words)
  const name = first?.toLowerCase()
  if (name === 'help') {
    nothingAfter('/tune help', rest)
    return helpOn(TUNE)
  }
  const tuning = await holdTuning(queries, message.workspace)
  if (first === undefined) return overview(tuning)
  if (name === 'persona' && rest.length === 0) return defaultPersona(tuning, context)
  // A text is taken as it was typed, its line breaks included.
  const values = name === 'persona' ? [textAfter(message.text, 1).replace(/^=/, '')] : rest
  const wanted = name === 'reset' ? resetOf(tuning, rest) : settingOf(tuning, first, values)
  if (wanted.tuning !== tuning) await saveTuning(queries, message.workspace, wanted.tuning)
  return [wanted.told, ...warnings(settingsOf(wanted.tuning)).map(warning)].join('\n\n')
}

/** The settings after a command, and what to say about it. */
interface Outcome {
  readonly tuning: WorkspaceTuning
  readonly told: string
}

function settingOf(tuning: WorkspaceTuning, name: string, values: readonly string[]): Outcome {
  const tunable = tunableNamed(name)
  const [value, ...more] = values
  if (value === undefined) return { tuning, told: details(tunable, tuning) }
  if (more.length > 0) {
    throw new RangeError(`Expected one value after \`/tune ${tunable.name}\`, got ${echo(values.join(' '))}`)
  }
  if (tunable.name === 'preset' && NO_PRESET.includes(value.toLowerCase())) return resetOf(tuning, ['preset'])
  const typed = tunable.name === 'persona' ? value : value.toLowerCase()
  const changed = tunable.write(tuning, typed) ?? change(WORKSPACE_TUNABLES, tuning, tunable.name, value)
  const [was, is] = [tunable.current(tuning), tunable.current(changed)]
  const told =
    was === is && tuning.persona === changed.persona
      ? `\`${tunable.name}\` is ${asValue(is)}, as before, for everyone in this workspace.`
      : `\`${tunable.name}\` is now ${asValue(is)} (was ${asValue(was)}), ${SCOPE}.`
  return { tuning: changed, told }
}

function resetOf(tuning: WorkspaceTuning, names: readonly string[]): Outcome {
  const [name, ...more] = names
  if (more.length > 0) throw new RangeError(`Expected one name after \`/tune reset\`, got ${echo(names.join(' '))}`)
  if (name === undefined) {
    if (Object.keys(tuning).length === 0) return { tuning, told: 'No setting was changed; all have their defaults.' }
    return { tuning: resetWorkspace(tuning), told: `All settings have their defaults again, ${SCOPE}.` }
  }
  const tunable = find(WORKSPACE_TUNABLES, name)
  const was = asValue(tunable.current(tuning))
  if (tuning[tunable.name] === undefined) return { tuning, told: `\`${tunable.name}\` was not changed; it is ${was}.` }
  const changed = resetWorkspace(tuning, tunable.name)
  const is = asValue(tunable.current(changed))
  return { tuning: changed, told: `\`${tunable.name}\` is ${is} again (was ${was}), ${SCOPE}.` }
}

/** Throws a RangeError that names everything that may follow `/tune`, when a word near to that was meant. */
function tunableNamed(word: string): Tunable<WorkspaceTuning> {
  const known = [...WORKSPACE_TUNABLES.map(({ name }) => name), 'reset', 'help']
  const meant = nearest(word.toLowerCase(), known)
  if (meant === 'reset' || meant === 'help') throw notOneOf(known, word)
  return find(WORKSPACE_TUNABLES, word)
}

/** What people start from, whole. */
function defaultPersona({ persona }: WorkspaceTuning, context: CommandContext): string {
  const whose = persona === undefined ? 'is `default`' : 'was set here'
  return [
    `\`persona\` ${whose}. It is what people start from in this workspace:`,
    quote(persona ?? context.persona),
    '`/tune persona <text>` sets another, `/tune persona default` puts it back. Who has a version of their own keeps it.',
  ].join('\n\n')
}

function overview(tuning: WorkspaceTuning): string {
  const rows = WORKSPACE_TUNABLES.map((tunable) => [
    `${title(tunable)}${tuning[tunable.name] === undefined ? '' : ' *'}`,
    tunable.current(tuning),
    tunable.default.replaceAll('`', ''),
  ])
  const effects = WORKSPACE_TUNABLES.map(({ name, range, effect }) => `- \`${name}\`: ${effect} Takes ${range}.`)
  return [
    `**The settings of this workspace**\n${block(columns([['Setting', 'In force', 'Default'], ...rows]))}`,
    'A `*` marks what was set here.',
    effects.join('\n'),
    ...warnings(settingsOf(tuning)).map(warning),
    'As in `/tune window 7`; `/tune reset window` puts it back.',
  ].join('\n\n')
}

function details(tunable: Tunable<WorkspaceTuning>, tuning: WorkspaceTuning): string {
  const changed = tuning[tunable.name] === undefined ? '' : ', set here'
  const value = asValue(tunable.current(tuning))
  return `\`${title(tunable)}\` is ${value}${changed}. Default: ${tunable.default}. Takes ${tunable.range}. ${tunable.effect}`
}

function title({ name, aliases }: Tunable<WorkspaceTuning>): string {
  return aliases[0] === undefined ? name : `${name} (${aliases[0]})`
}

/** Words are quoted, numbers are not. */
function asValue(text: string): string {
  return /^[\d.]+$/.test(text) ? text : `\`${text}\``
}

function warning(sentence: string): string {
  return `Note: ${sentence}`
}
