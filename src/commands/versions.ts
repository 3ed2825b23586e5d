/** /persona history, diff, use, edit and auto: the versions of a person's own prompt, and who may write the next one. */

import { structuredPatch } from 'diff'
import { personaOf } from '../persona-text.ts'
import type { PersonaReason } from '../schema.ts'
import { holdPerson, loadKnown } from '../store/people.ts'
import { addVersion, currentPersona, loadVersions, savePersonaAuto, type Version } from '../store/personas.ts'
import { block, columns, quote } from './chart.ts'
import type { CommandContext } from './command.ts'
import { dayName } from './dates.ts'
import { echo, either, textAfter } from './words.ts'

/** Rows of the history that are shown, the latest ones. */
const SHOWN = 30

/** A version, or 0: what the workspace starts people from. */
export interface Text {
  readonly version: number
  readonly text: string
}

/** All versions with the start before them, oldest first. */
export async function versionsOf({ queries, message, persona }: CommandContext) {
  const { tuning } = await loadKnown(queries, message, 0)
  const start: Text = { version: 0, text: tuning.persona ?? persona }
  const versions = await loadVersions(queries, message)
  const texts: readonly Text[] = [start, ...versions]
  return { texts, versions, current: versions.at(-1) ?? start }
}

/** The persona in force, whole. */
export async function shownPersona(context: CommandContext): Promise<string> {
  const { current, versions } = await versionsOf(context)
  const { isAuto } = await currentPersona(context.queries, context.message.workspace, context.message.author.id)
  const last = versions.at(-1)
  const from = last === undefined ? 'everybody starts from it' : sourceOf(last, context.now)
  const rest = isAuto ? '' : ' It is not rewritten at night until `/persona auto on`.'
  return `**Your persona, version ${current.version}** (${from})\n${quote(current.text)}\n\n\`/persona edit <text>\` changes it, \`/persona history\` shows its versions.${rest}`
}

const SOURCES: { readonly [reason in PersonaReason]: string } = {
  improved: 'rewritten at night',
  edited: 'your own words',
  used: 'your choice',
  undone: 'undone',
  returned: 'put back, as the one before did worse',
}

export function sourceOf({ reason, createdAt }: Pick<Version, 'reason' | 'createdAt'>, now: Date): string {
  return `${SOURCES[reason]}, ${dayName(createdAt, now)}`
}

export async function history(context: CommandContext): Promise<string> {
  const { versions } = await versionsOf(context)
  if (versions.length === 0) {
    return 'Your persona has no versions yet: you have what everybody starts from. `/persona` shows it, `/persona edit <text>` writes your own.'
  }
  const shown = versions
    .slice(-SHOWN)
    .map((one) => [
      `${one.version}${one === versions.at(-1) ? ' *' : ''}`,
      one.createdAt.toISOString().slice(0, 10),
      one.of === null ? SOURCES[one.reason] : `${SOURCES[one.reason]} (as version ${one.of})`,
      one.turnIds.length === 0 ? '-' : `${one.turnIds.length} turns`,
      one.score === null ? '-' : `${one.score < 0 ? '' : '+'}${one.score.toFixed(2)}`,
    ])
  const more = versions.length > SHOWN ? ` The ${versions.length - SHOWN} before these are still there.` : ''
  return [
    `**Versions of your persona**\n${block(columns([['No.', 'Date', 'Why', 'Evidence', 'Score'], ...shown]))}`,
    `\`*\` is in force; 0 is what everybody starts from.${more} \`/persona diff 0 1\` compares two, \`/persona use 1\` puts one back.`,
  ].join('\n\n')
}

/** `diff <from> <to>`; one number: against the version in force. */
export async function diff(context: CommandContext, words: readonly string[]): Promise<string> {
  if (words.length < 1 || words.length > 2) {
    throw new RangeError(`Expected two versions after \`/persona diff\`, got ${echo(words.join(' '))}`)
  }
  const { texts, current } = await versionsOf(context)
  const [from, to] = [versionNamed(texts, words[0] ?? ''), words[1] ? versionNamed(texts, words[1]) : current]
  const { hunks } = structuredPatch('', '', `${from.text}\n`, `${to.text}\n`, undefined, undefined, { context: 2 })
  if (hunks.length === 0) return `Versions ${from.version} and ${to.version} have the same text.`
  const lines = hunks.flatMap((hunk, i) => [...(i === 0 ? [] : ['  …']), ...hunk.lines])
  return block([`--- version ${from.version}`, `+++ version ${to.version}`, ...lines].join('\n'), 'diff')
}

/** `use <version>`: its text in force again, as a version of its own. */
export async function use(context: CommandContext, words: readonly string[]): Promise<string> {
  const { queries, message, now } = context
  if (words.length !== 1) {
    throw new RangeError(`Expected one version after \`/persona use\`, got ${echo(words.join(' '))}`)
  }
  await holdPerson(queries, message)
  const { texts, current } = await versionsOf(context)
  const wanted = versionNamed(texts, words[0] ?? '')
  if (wanted.text === current.text) return `The text of version ${wanted.version} is in force already.`
  const chosen = { text: wanted.text, reason: 'used', of: wanted.version } as const
  const version = await addVersion(queries, message, { ...chosen, turnIds: [], score: null, createdAt: now })
  return `The text of version ${wanted.version} is in force again, as version ${version}, from your next message on.`
}

/** `edit <text>`: the person's own words, which are not rewritten until they say so. */
export async function edit(context: CommandContext): Promise<string> {
  const { queries, message, now } = context
  const text = personaOf(textAfter(message.text, 1))
  await holdPerson(queries, message)
  const { current } = await versionsOf(context)
  await savePersonaAuto(queries, message, false)
  const mine = 'I leave it as it is until `/persona auto on`.'
  if (text === current.text) return `That is your persona already, version ${current.version}. ${mine}`
  const written = { text, reason: 'edited', of: null } as const
  const version = await addVersion(queries, message, { ...written, turnIds: [], score: null, createdAt: now })
  return `That is your persona now, version ${version}, from your next message on. ${mine}`
}

/** `auto on` or `auto off`; alone it tells which. */
export async function auto({ queries, message }: CommandContext, words: readonly string[]): Promise<string> {
  const [word, ...more] = words.map((one) => one.toLowerCase())
  if (more.length > 0 || !(word === undefined || word === 'on' || word === 'off')) {
    throw new RangeError(`Expected ${either(['on', 'off'])} after \`/persona auto\`, got ${echo(words.join(' '))}`)
  }
  await holdPerson(queries, message)
  const { isAuto } = await currentPersona(queries, message.workspace, message.author.id)
  const wanted = word === undefined ? isAuto : word === 'on'
  if (wanted !== isAuto) await savePersonaAuto(queries, message, wanted)
  return wanted
    ? 'I may rewrite your persona at night, from what you rated and corrected; `/persona auto off` ends that.'
    : 'I leave your persona as it is; `/persona auto on` has me improve it at night.'
}

function versionNamed(texts: readonly Text[], word: string): Text {
  const found = /^\d+$/.test(word) ? texts.find(({ version }) => version === Number(word)) : undefined
  if (found !== undefined) return found
  const last = texts.at(-1)?.version ?? 0
  throw new RangeError(`Expected a version from 0 to ${last}, got ${echo(word)}`)
}
