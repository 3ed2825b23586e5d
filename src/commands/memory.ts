/** /persona memory: what is known of the person, line by line, with when and from what it was learned. */

import type { Queries } from '../store/database.ts'
import { loadKnown } from '../store/people.ts'
import { type Line, loadLines } from '../store/profile.ts'
import { saidIn } from '../store/views.ts'
import type { CommandContext } from './command.ts'
import { dayName } from './dates.ts'
import { echo } from './words.ts'

const NOTHING =
  'I keep no lines about you yet. I make one when you say so, as in "remember that I take the night train", and from what you tell me of yourself.'
const MORE =
  'To have something forgotten: `/persona forget <words>`. Everything that I keep: `/persona export`. To be left alone: `/persona pause`.'
/** Characters of a turn that a line rests on. */
const EXCERPT = 60

export async function memory({ queries, message, now }: CommandContext): Promise<string> {
  const lines = await loadLines(queries, message)
  const { isPaused } = await loadKnown(queries, message, 0)
  const paused = isPaused ? 'I am paused for you: I add nothing. `/persona resume` ends that.' : ''
  if (lines.length === 0) return [NOTHING, paused].filter((part) => part !== '').join('\n\n')
  const sources = await sourcesOf(queries, message, lines)
  const isTrue = (line: Line) => line.validUntil === null
  const ordered = [...lines.filter(isTrue), ...lines.filter((line) => !isTrue(line))]
  const numbered = ordered.map((line, i) => `${i + 1}. ${told(line, sources, now)}`)
  return [`**What I know of you**\n${numbered.join('\n')}`, paused, MORE].filter((part) => part !== '').join('\n\n')
}

type Sources = ReadonlyMap<number, { readonly askedAt: Date; readonly question: string }>

async function sourcesOf(
  queries: Queries,
  message: CommandContext['message'],
  lines: readonly Line[],
): Promise<Sources> {
  const rows = await saidIn(queries, message, [...new Set(lines.flatMap(({ turnIds }) => turnIds))])
  return new Map(rows.map((row) => [row.turnId, row]))
}

function told({ text, turnIds, learnedAt, validUntil }: Line, sources: Sources, now: Date): string {
  const latest = sources.get(turnIds.at(-1) ?? 0)
  const others = turnIds.length - 1
  const said = latest && `you said ${echo(latest.question, EXCERPT)} (${dayName(latest.askedAt, now)})`
  const more = others === 0 ? '' : ` and in ${others} other message${others === 1 ? '' : 's'}`
  const until = validUntil === null ? '' : `, true until ${dayName(validUntil, now)}`
  const what = validUntil === null ? echo(text, 200) : `~~${echo(text, 200)}~~`
  return `${what}: learned ${dayName(learnedAt, now)}${until}; ${said ?? 'from what you said'}${more}`
}
