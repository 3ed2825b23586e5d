/** What somebody typed after a slash: its words, a safe way to say them back, and sentences about wrong ones. */

import { nearest } from '../nearest.ts'

/** Characters of somebody's text that are said back. */
const ECHO = 80

/** No value is near this long, so that one which is cut is never taken for a right one. */
export function wordsIn(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => cut(printable(word), ECHO))
    .filter((word) => word !== '')
}

/** What stands after the command and so many words, as it was typed. */
export function textAfter(message: string, words: number): string {
  const typed = message.trim().replace(/^\/\s*/, '/')
  return typed.replace(new RegExp(`^(?:\\S+\\s*){1,${1 + words}}`), '')
}

/** `name = value` and `name=value` as `name value`. */
export function withoutEquals(words: readonly string[]): readonly string[] {
  return wordsIn(words.join(' ').replace('=', ' '))
}

/** Somebody's text as inline code that can't end early, on one line. */
export function echo(text: string, length = ECHO): string {
  const safe = cut(printable(text.slice(0, 10 * length)), length)
  return safe === '' ? 'nothing' : `\`${safe}\``
}

/** Names as `a`, `b` or `c`. */
export function either(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

export function notOneOf(known: readonly string[], got: string): RangeError {
  const names = known.map((name) => `\`${name}\``).join(', ')
  return new RangeError(`Expected one of ${names}, got ${echo(got)}${didYouMean(got, known)}`)
}

export function didYouMean(got: string, known: readonly string[]): string {
  const close = nearest(got.toLowerCase(), known)
  return close === null ? '' : `. Did you mean \`${close}\`?`
}

/** Throws a RangeError when there are words. */
export function nothingAfter(command: string, words: readonly string[]): void {
  if (words.length > 0) throw new RangeError(`Expected nothing after \`${command}\`, got ${echo(words.join(' '))}`)
}

/** Backticks would end inline code; invisible characters would move the cursor or hide what was meant. */
function printable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[`\p{C}]/gu, '')
    .trim()
}

function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`
}
