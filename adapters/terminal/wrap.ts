/** Breaks one line of styled text into the rows of a terminal, between words. */

import stringWidth from 'fast-string-width'

/** Text of one look. The style is put around it, and around parts of it. */
export interface Piece {
  readonly text: string
  style(text: string): string
}

/** These are written without spaces: a row may end behind each, but for the marks that belong to it. */
const IDEOGRAPH = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'
const WORD = new RegExp(`([ \\t]*)(${IDEOGRAPH}[、。，．：；！？…ー）」』】》”’]*|(?:(?!${IDEOGRAPH})[^ \\t])+)`, 'gu')
const SETTLED = new RegExp(`^.*(?:[ \\t]|${IDEOGRAPH})`, 'su')
const INDENT = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The beginning of an unfinished line, without its last word. */
export function settled(text: string): string {
  return SETTLED.exec(text)?.[0] ?? ''
}

/**
 * What follows the first row is indented like the line, or like the text of the list item. Only a word that is wider
 * than a row is broken itself. The white space at the end is left out.
 * @param columns width of a row, at least 1
 * @param isWhole false: the line goes on, and its last word is kept back. Growing text gives growing results.
 */
export function wrap(pieces: readonly Piece[], columns: number, isWhole: boolean): string {
  const text = pieces.map((piece) => piece.text).join('')
  const indent = stringWidth(INDENT.exec(text)?.[0] ?? '')
  const hang = indent >= columns / 2 ? 0 : indent
  let rows = ''
  let column = 0
  function place(part: string, at: number, gap: string) {
    const width = stringWidth(part)
    const lead = stringWidth(gap)
    const isNewRow = column + lead > hang && column + lead + width > columns
    if (!isNewRow) rows += gap
    else if (rows !== '') rows += `\n${' '.repeat(hang)}`
    rows += slice(pieces, at, at + part.length)
    column = (isNewRow ? hang : column + lead) + width
  }
  for (const { 0: whole, 1: gap = '', 2: word = '', index } of text.matchAll(WORD)) {
    if (!isWhole && index + whole.length === text.length) break
    const at = index + gap.length
    if (stringWidth(word) <= columns - hang) place(word, at, gap)
    else for (const part of graphemes.segment(word)) place(part.segment, at + part.index, part.index === 0 ? gap : '')
  }
  return rows
}

function slice(pieces: readonly Piece[], from: number, to: number): string {
  let start = 0
  let styled = ''
  for (const { text, style } of pieces) {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start))
    if (part !== '') styled += style(part)
    start += text.length
  }
  return styled
}
