/** Sets a text that is still being written into the rows of a terminal; nothing that was given is taken back. */

import { asWritten, type Markdown } from './markdown.ts'
import type { Paint } from './paint.ts'
import { wrap } from './wrap.ts'

export interface Look {
  readonly paint: Paint
  /** Of a line outside of fences. */
  readonly markdown: Markdown
  /** The width of the terminal, asked at every new line of the text. */
  columns(): number
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/

/** The function takes what follows, and gives what may be printed by now; at the end that is everything. */
export function createTypeset(look: Look): (text: string, isEnd: boolean) => string {
  let fence = ''
  let line = ''
  let shown = ''
  let columns = look.columns()
  function grow(isWhole: boolean): string {
    const rows = setLine(look, line, fence, columns, isWhole)
    const news = rows.slice(shown.length)
    shown = rows
    return news
  }
  return (text, isEnd) => {
    const [first = '', ...rest] = text.split('\n')
    line += first
    let news = ''
    for (const next of rest) {
      news += `${grow(true)}\n`
      fence = fenceAfter(fence, line)
      line = next
      shown = ''
      columns = look.columns()
    }
    return news + grow(isEnd)
  }
}

/** @param fence what opened the code that the line is in; empty outside */
function setLine(look: Look, line: string, fence: string, columns: number, isWhole: boolean): string {
  const { paint } = look
  // Only its end tells whether it is a fence.
  if (FENCE.test(line) && !isWhole) return ''
  if (fenceAfter(fence, line) !== fence) return wrap([{ text: line, style: paint.dim }], Infinity, isWhole)
  if (fence !== '') return wrap([{ text: line, style: paint.accent }], Infinity, isWhole)
  return wrap(look.markdown(line, isWhole), columns, isWhole)
}

function fenceAfter(fence: string, line: string): string {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
  if (fence === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks
  return marks.startsWith(fence) && rest.trim() === '' ? '' : fence
}

/** Markdown as it is written. */
export const unstyled: Markdown = (line) => [asWritten(line)]
