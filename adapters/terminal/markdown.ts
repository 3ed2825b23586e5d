/** The light Markdown of one line as styled text. Markers without a partner are text, and so are names_like_this. */

import type { Paint } from './paint.ts'
import { type Piece, settled } from './wrap.ts'

// Stricter than CommonMark, so that `2**3**4`, `src/*.ts, test/*.ts` and `__init__` keep what they are made of.
const CODE = /(?<![`\\])(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\k<ticks>(?!`)/
const BOLD = /(?<![\w*\\])\*\*(?=\*?[^\s*])(?<bold>.+?)(?<=[^\s\\])\*\*(?![\w*])/
const STAR = /(?<![\w*/\\.)\]}])\*(?=[^\s*])(?<star>.+?)(?<=[^\s*\\])\*(?![\w*/\\([{])/
const LINE = /(?<![\p{L}\p{N}_/\\.)\]}])_(?=[^\s_])(?<line>.+?)(?<=[^\s_\\])_(?![\p{L}\p{N}_/\\([{])/u
const LINK = /(?<!\\)!?\[(?<label>[^\]]+)\]\((?<url>[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)/
/** Where any of these may begin that what follows may still end. */
const OPENER =
  /(?<opener>(?<![`\\])`+|(?<![\w*\\])\*+(?=[^\s*])|(?<![\p{L}\p{N}_\\])_(?=[^\s_])|(?<!\\)!?\[[^\]]*(?:\]\(\S*)?$)/u
const SPAN = new RegExp([CODE, BOLD, STAR, LINE, LINK, OPENER].map((part) => part.source).join('|'), 'gu')
const HEADING = /^ {0,3}#{1,6}[ \t]+/

export type Markdown = (line: string, isWhole: boolean) => readonly Piece[]

/**
 * The function takes a line outside of fences. While the line is not whole, it gives the beginning that can't change
 * any more: up to the first marker without a partner, but for the last word.
 */
export function createMarkdown(paint: Paint): Markdown {
  function spans(text: string, isWhole: boolean): Piece[] {
    const pieces: Piece[] = []
    let from = 0
    for (const { 0: whole, index, groups = {} } of text.matchAll(SPAN)) {
      pieces.push(asWritten(text.slice(from, index)))
      from = index + whole.length
      const { code, bold, star, line, label, url } = groups
      const italic = star ?? line
      if (code !== undefined) pieces.push({ text: code, style: paint.accent })
      else if (bold !== undefined) pieces.push(...within(paint.bold, spans(bold, true)))
      else if (italic !== undefined) pieces.push(...within(paint.italic, spans(italic, true)))
      else if (label !== undefined) pieces.push(...spans(label, true), asWritten(label === url ? '' : ` (${url})`))
      else if (isWhole) pieces.push(asWritten(whole))
      else return pieces
    }
    return [...pieces, asWritten(text.slice(from))]
  }
  return (line, isWhole) => {
    const text = isWhole ? line : settled(line)
    const [marks] = HEADING.exec(text) ?? []
    if (marks === undefined) return spans(text, isWhole)
    if (marks === text) return isWhole ? [asWritten(text)] : []
    return within(paint.bold, spans(text.slice(marks.length), isWhole))
  }
}

export function asWritten(text: string): Piece {
  return { text, style: (part) => part }
}

function within(style: Piece['style'], pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) => ({ text: piece.text, style: (text) => style(piece.style(text)) }))
}
