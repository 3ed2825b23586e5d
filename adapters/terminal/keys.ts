/**
 * Keys on their way from the terminal to the line editor: held back while a reply is printed, several pasted lines made
 * one. It knows nothing of prompts and replies.
 */

import { plain } from './plain.ts'

/** Stands for a line break within the one line that is edited. */
export const LINE_BREAK = '\u23ce'

export interface Editor {
  /** Keys as typed; one Enter at most, at the end. */
  press(keys: string): void
  insert(text: string): void
  interrupt(): void
}

export interface Keys {
  feed(chunk: string): void
  /** Lets keys through until the next Enter. */
  open(): void
  close(): void
}

interface Stroke {
  readonly kind: 'press' | 'insert'
  readonly text: string
}

export function createKeys(editor: Editor): Keys {
  const read = createStrokes()
  let held: Stroke[] = []
  let isOpen = false

  function pump() {
    for (let stroke = held[0]; isOpen && stroke; stroke = held[0]) {
      held.shift()
      if (stroke.kind === 'press' && stroke.text.endsWith('\r')) isOpen = false
      editor[stroke.kind](stroke.text)
    }
  }
  return {
    feed(chunk) {
      const strokes = read(chunk)
      const interrupted = strokes.findLastIndex((stroke) => stroke.kind === 'press' && stroke.text.includes('\u0003'))
      if (interrupted >= 0) {
        held = []
        editor.interrupt()
      }
      held.push(...strokes.slice(interrupted + 1))
      pump()
    },
    open() {
      isOpen = true
      pump()
    },
    close() {
      isOpen = false
    },
  }
}

const PASTE_STARTS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'

/** Tells typed from pasted text (bracketed paste, or several lines that arrive at once). */
function createStrokes(): (chunk: string) => Stroke[] {
  let isPasting = false
  let rest = ''
  return (chunk) => {
    const strokes: Stroke[] = []
    let text = rest + chunk
    for (;;) {
      const marker = isPasting ? PASTE_ENDS : PASTE_STARTS
      const at = text.indexOf(marker)
      const whole = at < 0 ? text.slice(0, text.length - startedAtTheEnd(text, marker)) : text.slice(0, at)
      if (whole !== '') strokes.push(...(isPasting ? [pasted(whole)] : typed(whole)))
      rest = at < 0 ? text.slice(whole.length) : ''
      if (at < 0) return strokes
      isPasting = !isPasting
      text = text.slice(at + marker.length)
    }
  }
}

/** How many characters at the end of the text may be the beginning of the marker; a lone Escape is a key. */
function startedAtTheEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 1; length -= 1)
    if (text.endsWith(marker.slice(0, length))) return length
  return 0
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the keys that aren't text, but for Tab and Enter
const SPECIAL_KEY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function typed(text: string): Stroke[] {
  const keys = text.replace(/\r\n?|\n/g, '\r')
  const lines = keys.split(/(?<=\r)/)
  const isPasted = lines.length > 1 && lines.every(isProse)
  if (!isPasted) return lines.flatMap(toStrokes)
  return keys.endsWith('\r') ? [pasted(keys.slice(0, -1)), ENTER] : [pasted(keys)]
}

/** Commands, ratings and control keys that arrive at once were typed ahead, not pasted. */
function isProse(line: string): boolean {
  return !SPECIAL_KEY.test(line) && !/^\/\w|^[+-]\r$/.test(line)
}

const ENTER: Stroke = { kind: 'press', text: '\r' }

/** Readline loses count of the rows when it is given many letters as keys. */
function toStrokes(line: string): Stroke[] {
  const letters = line.replace(/\r$/, '')
  if (letters.length < 2 || SPECIAL_KEY.test(letters)) return [{ kind: 'press', text: line }]
  return letters === line ? [pasted(letters)] : [pasted(letters), ENTER]
}

function pasted(text: string): Stroke {
  return { kind: 'insert', text: plain(text.replace(/\r\n?|\n/g, '\n')).replaceAll('\n', LINE_BREAK) }
}
