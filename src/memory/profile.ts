/** The profile: at most 50 lines about a person. How a line enters: it joins one that says the same and ends what it contradicts. */

import { estimateTokens } from '../llm/budget.ts'
import type { Line } from '../store/profile.ts'
import { compare } from './profile-words.ts'

export const MOST_LINES = 50
/** What the profile may take of every prompt. */
const TOKENS = 300

export interface Proposal {
  readonly text: string
  /** The turns that it rests on, at least one. */
  readonly turnIds: readonly number[]
  /** When the last of them was said. */
  readonly at: Date
}

/** The lines with a proposal among them. What it contradicts was true until then, or, said later, ends the proposal. */
export function enter(lines: readonly Line[], proposal: Proposal): readonly Line[] {
  const { text, turnIds, at } = proposal
  const isKnown = lines.some(
    (line) => line.validUntil !== null && compare(text, line.text) === 'same' && holds(line.turnIds, turnIds),
  )
  if (isKnown) return lines
  const isContrary = (line: Line) => line.validUntil === null && compare(text, line.text) === 'contrary'
  const later = lines.find((line) => isContrary(line) && last(line.turnIds) > last(turnIds))
  if (later !== undefined) {
    return limited([...lines, { lineId: null, text, turnIds, learnedAt: at, validUntil: later.learnedAt }])
  }
  const known = lines.map((line) => (isContrary(line) ? { ...line, validUntil: at } : line))
  const twin = known.find((line) => line.validUntil === null && compare(text, line.text) === 'same')
  if (twin === undefined) return limited([...known, { lineId: null, text, turnIds, learnedAt: at, validUntil: null }])
  return known.map((line) => (line === twin ? { ...line, turnIds: union(line.turnIds, turnIds) } : line))
}

/** Lines for the prompt, best supported first, as many as its share of the prompt holds; empty without any. */
export function listed(lines: readonly { readonly text: string }[], tokens: number = TOKENS): string {
  let room = tokens
  const shown: string[] = []
  for (const { text } of lines) {
    const line = `- ${text.replace(/\s+/g, ' ').replace(/[<>]/g, '')}`
    room -= estimateTokens(line) + 1
    if (room < 0) break
    shown.push(line)
  }
  return shown.join('\n')
}

/** What is over goes first, the longest ago first; then what rests on the fewest turns, the oldest first. */
function limited(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= MOST_LINES) return lines
  const worth = (line: Line) => (line.validUntil === null ? 1 : 0)
  const least = lines.toSorted(
    (a, b) =>
      worth(a) - worth(b) ||
      (a.validUntil?.getTime() ?? 0) - (b.validUntil?.getTime() ?? 0) ||
      a.turnIds.length - b.turnIds.length ||
      a.learnedAt.getTime() - b.learnedAt.getTime(),
  )
  const gone = new Set(least.slice(0, lines.length - MOST_LINES))
  return lines.filter((line) => !gone.has(line))
}

function holds(whole: readonly number[], part: readonly number[]): boolean {
  return part.every((id) => whole.includes(id))
}

function union(a: readonly number[], b: readonly number[]): readonly number[] {
  return [...new Set([...a, ...b])].toSorted((x, y) => x - y)
}

function last(ids: readonly number[]): number {
  return Math.max(...ids)
}
