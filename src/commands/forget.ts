/** /persona forget: erases what somebody said, or everything of them, after they saw what would go. */

import { type Mentions, mentioning } from '../memory/mentions.ts'
import { countAll, eraseAll, KEPT } from '../store/erase.ts'
import { eraseSaid, type Found, findSaid } from '../store/forget.ts'
import { loadKnown } from '../store/people.ts'
import { settingsOf } from '../workspace.ts'
import type { CommandContext } from './command.ts'
import { dayName } from './dates.ts'
import { echo } from './words.ts'

/** Matches that are shown; the others are counted. */
const SHOWN = 10

export async function forget(context: CommandContext): Promise<string> {
  const typed = typedWords(context)
  const isConfirmed = typed.length > 1 && typed.at(-1)?.toLowerCase() === 'yes'
  const words = isConfirmed ? typed.slice(0, -1) : typed
  if (words.length === 0) {
    throw new RangeError('Expected words or `all` after `/persona forget`, got `nothing`')
  }
  if (words.length === 1 && words[0]?.toLowerCase() === 'all') return forgetAll(context, isConfirmed)
  return forgetSaid(context, words, isConfirmed)
}

/** As typed: words in general are cut, and a long one could not be found. */
function typedWords({ message }: CommandContext): readonly string[] {
  return message.text
    .trim()
    .replace(/^\/\s*/, '')
    .split(/\s+/)
    .slice(2)
}

async function forgetSaid({ queries, message, now }: CommandContext, words: readonly string[], isConfirmed: boolean) {
  const mentions: Mentions = mentioning(words)
  const what = echo(words.join(' '))
  if (isConfirmed) {
    const settings = settingsOf((await loadKnown(queries, message, 0)).tuning)
    const gone = await eraseSaid(queries, message, mentions, settings)
    return isNothing(gone)
      ? nothingWith(what)
      : `Forgotten: ${countOf(gone)} that mentioned ${what}, with my replies, your ratings and what I learned from them.`
  }
  const found = await findSaid(queries, message, mentions)
  if (isNothing(found)) return nothingWith(what)
  const command = echo(`/persona forget ${words.join(' ')} yes`, 400)
  return [
    `This would erase ${countOf(found)} that mention ${what}:`,
    listOf(found, now),
    `With them go my replies, your ratings, what I learned from them, and quotations of them elsewhere. To go ahead: ${command}.`,
  ].join('\n\n')
}

function isNothing({ turns, lines, versions, quoting }: Found): boolean {
  return turns.length + lines.length + versions.length + quoting.length === 0
}

function nothingWith(what: string): string {
  return `Nothing that I keep of you mentions ${what}. Each word has to be there, at least its beginning.`
}

function countOf({ turns, lines, versions, quoting }: Found): string {
  const parts = [
    counted(turns.length, 'message'),
    counted(lines.length, 'line of what I know of you', 'lines of what I know of you'),
  ]
  const texts = versions.length === 0 ? [] : [counted(versions.length, ...VERSIONS)]
  return [...parts, ...texts, ...(quoting.length > 0 ? [counted(quoting.length, 'quotation')] : [])].join(' and ')
}

function listOf({ turns, lines, versions }: Found, now: Date): string {
  const items = [
    ...versions.map((version) => `- version ${version} of your persona`),
    ...lines.map(({ text, learnedAt }) => `- ${dayName(learnedAt, now)}, known: ${echo(text, 120)}`),
    ...turns.toReversed().map(({ askedAt, question }) => `- ${dayName(askedAt, now)}: ${echo(question, 120)}`),
  ]
  const rest = items.length - SHOWN
  return [...items.slice(0, SHOWN), ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

const VERSIONS = ['version of your persona', 'versions of your persona'] as const
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  turns: ['message with its reply', 'messages with their replies'],
  profile_lines: ['line of what I know of you', 'lines of what I know of you'],
  observations: ['observation', 'observations'],
  estimates: ['estimate of how you like to be answered', 'estimates of how you like to be answered'],
  ratings: ['rating', 'ratings'],
  personas: VERSIONS,
}

async function forgetAll({ queries, message }: CommandContext, isConfirmed: boolean): Promise<string> {
  const counts = await countAll(queries, message)
  const what = Object.entries(NAMES)
    .map(([table, [one, many]]) => counted(counts[table] ?? 0, one, many))
    .join(', ')
  // The letter that asks is itself kept for the moment.
  const isKnown = KEPT.some(({ table, isLocked }) => (table === 'people' || !isLocked) && (counts[table] ?? 0) > 0)
  if (!isKnown) {
    if (isConfirmed) await eraseAll(queries, message)
    return 'I keep nothing of you in this workspace.'
  }
  if (!isConfirmed) {
    return `This would erase everything that I keep of you in this workspace: ${what}, your pins, and that you paused me if you did. It can't be undone; \`/persona export\` shows all of it.\n\nTo go ahead: \`/persona forget all yes\`.`
  }
  await eraseAll(queries, message)
  return `Forgotten: ${what}, your pins and your name. Nothing of you is left in this workspace; if you write again, I begin with a stranger.`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`
}
