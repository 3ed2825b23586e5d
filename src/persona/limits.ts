/** What a rewritten persona has to keep to, whatever the model made of it: hard limits, checked by code alone. */

import { contentOf } from '../memory/profile-words.ts'
import { PERSONA_CHARACTERS } from '../persona-text.ts'
import { type Surroundings, unfit } from './unfit.ts'

/** Turns that a new line has to rest on. */
const BACKED = 2
const HEADING = '## When to use which action'
const NEW_LINES = 8

/** One line of a rewritten persona, with the turns that the model says it rests on. */
export interface Line {
  readonly text: string
  readonly turns: readonly number[]
}

export interface Grounds extends Surroundings {
  /** What each turn of the batch advises. */
  readonly advice: ReadonlyMap<number, readonly string[]>
}

/** A text that may be compared with the old one, or why it may not. */
export type Checked =
  | { readonly text: string; readonly turnIds: readonly number[]; readonly reason: null }
  | { readonly text: null; readonly reason: string }

export function check(lines: readonly Line[], grounds: Grounds): Checked {
  const text = textOf(lines)
  const old = new Set(linesOf(grounds.persona))
  const added = lines
    .map(({ text: line, turns }) => ({ text: line.trim(), turns }))
    .filter(({ text: line }) => line !== '' && !old.has(line))
  const reason = shapeOf(text, grounds.persona) ?? firstOf(added, (line) => lineOf(line, grounds))
  if (reason !== null) return { text: null, reason }
  if (added.length > NEW_LINES) return { text: null, reason: `${added.length} new lines, more than ${NEW_LINES}` }
  const turnIds = [...new Set(added.flatMap((line) => backing(line, grounds.advice)))].toSorted((a, b) => a - b)
  return { text, turnIds, reason: null }
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Length and sections: who the bot is stays as it was, and so does every action that it knows when to use. */
function shapeOf(text: string, persona: string): string | null {
  const length = [...text].length
  if (length > PERSONA_CHARACTERS) return `${length} characters, more than ${PERSONA_CHARACTERS}`
  const [before, after] = [linesOf(persona), linesOf(text)]
  if (after[0] !== before[0]) return 'its first line, which says who the bot is, was changed'
  if (!before.includes(HEADING)) return null
  const at = after.indexOf(HEADING)
  if (at < 0) return 'the section on actions is missing'
  const kept = new Set(after.slice(at + 1))
  const lost = before.slice(before.indexOf(HEADING) + 1).filter((line) => line.startsWith('- ') && !kept.has(line))
  return lost.length === 0 || lost.every((line) => [...kept].some((other) => isOn(line, other)))
    ? null
    : 'a line on an action is missing'
}

/** Whether a line on actions names all those that another one does. */
function isOn(line: string, other: string): boolean {
  const named =
    line.match(/\b(?:calculate|current_time|recall|profile|read_thread|remember|forget|set_preference|ask back)\b/g) ??
    []
  return named.length > 0 && other.startsWith('- ') && named.every((name) => other.includes(name))
}

function lineOf(line: Line, grounds: Grounds): string | null {
  const reason = unfit(line.text, grounds)
  if (reason !== null) return `a new line holds ${reason}`
  const turns = backing(line, grounds.advice)
  return turns.length >= BACKED ? null : `a new line rests on ${turns.length} of the turns, not on ${BACKED}`
}

/** Of the turns that the line names, those whose advice shares words with it. */
function backing({ text, turns }: Line, advice: ReadonlyMap<number, readonly string[]>): readonly number[] {
  const content = contentOf(text)
  return [...new Set(turns)].filter((turnId) => {
    const words = contentOf((advice.get(turnId) ?? []).join(' '))
    const both = [...content].filter((word) => words.has(word)).length
    return both >= Math.min(2, content.size) && both > 0
  })
}

function firstOf<T>(values: readonly T[], find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}
