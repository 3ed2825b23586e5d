/** Walks a model's Markdown and writes it anew in the dialect of a chat. Knows no chat. */

import type { MarkedToken, Tokens } from 'marked'
import { BREAK, decoded, known, plain, read } from './markdown.ts'
import { tableLines } from './table.ts'
import { split } from './text.ts'

/** How a chat writes what Markdown means. */
export interface Dialect {
  /** Text that shall mean nothing but itself. */
  literal(text: string): string
  /** Around text of one line that is not blank. */
  mark(kind: Mark, inner: string): string
  /** Code in a line; literal. */
  code(text: string): string
  /** A block of code; literal, and not blank. */
  fence(text: string, language: string): string
  /** To an address that `isLinkable` holds for; words are plain text, or blank for the address itself. */
  link(address: string, words: string): string
  isLinkable(address: string): boolean
  heading(inner: string, depth: number): string
  /** A line of a paragraph, made harmless where its beginning would mean something. */
  line(text: string): string
  bullet(depth: number): string
  /** Indentation of what belongs to a list item, below its mark. */
  indent(mark: string): string
  /** What has to stand between two characters of which one belongs to a mark. */
  gap(before: string, after: string): string
}

type Mark = 'strong' | 'em' | 'del'
interface Line {
  readonly text: string
  /** Must stand at the beginning of its line, whatever it is in. */
  readonly isCode: boolean
}

/** marked takes seconds for some texts of tens of thousands of characters without a paragraph. */
const LONGEST = 5000
const RULE = '─'.repeat(10)

/** What would show nothing, such as an empty code block, is shown as it was written. */
export function translate(markdown: string, dialect: Dialect): string {
  if (markdown.length > LONGEST)
    return split(markdown, LONGEST)
      .map((part) => translate(part, dialect))
      .join('\n')
  try {
    const text = writer(dialect)(read(markdown.replaceAll('\r\n', '\n')))
    return text.trim() === '' ? dialect.literal(markdown.trim()) : text
  } catch (error) {
    // Nested deeper than the stack: the text is shown as it is.
    if (!(error instanceof RangeError)) throw error
    return dialect.literal(markdown)
  }
}

function writer(dialect: Dialect): (tokens: readonly MarkedToken[]) => string {
  const code = (text: string, language: string): Line[] =>
    text.trim() === '' ? [] : linesOf(dialect.fence(text, language), true)

  const paragraph = (text: string): Line[] =>
    linesOf(text.trim()).map((line) => ({ ...line, text: dialect.line(line.text) }))

  const block = (token: MarkedToken, depth: number): Line[] => {
    switch (token.type) {
      case 'heading': {
        const inner = inline(known(token.tokens), new Set(['strong']))
          .replaceAll('\n', ' ')
          .trim()
        return inner === '' ? [] : linesOf(dialect.heading(inner, token.depth))
      }
      case 'paragraph':
      case 'text':
        return paragraph(inline('tokens' in token ? known(token.tokens) : [token]))
      case 'html':
        return paragraph(dialect.literal(token.text))
      case 'code':
        return code(token.text, token.lang ?? '')
      case 'table':
        return code(tableLines(token).join('\n'), '')
      case 'hr':
        return linesOf(RULE)
      case 'blockquote':
        return blocks(known(token.tokens), depth).map((line) =>
          line.isCode || line.text.startsWith('> ') ? line : { ...line, text: `> ${line.text}` },
        )
      case 'list':
        return token.items.flatMap((item, n) => listItem(token, item, n, depth))
      default:
        return []
    }
  }

  const blocks = (tokens: readonly MarkedToken[], depth: number): Line[] => {
    const lines: Line[] = []
    let isApart = false
    for (const token of tokens) {
      const next = block(token, depth)
      if (next.length > 0) {
        if (isApart && lines.length > 0) lines.push({ text: '', isCode: false })
        lines.push(...next)
        isApart = false
      }
      isApart ||= /\n[ \t]*\n$/.test(token.raw)
    }
    return lines
  }

  const listItem = (list: Tokens.List, item: Tokens.ListItem, n: number, depth: number): Line[] => {
    const number = list.ordered ? `${Number(list.start) + n}. ` : dialect.bullet(depth)
    const mark = item.task ? `${dialect.bullet(depth)}${item.checked ? '☑' : '☐'} ` : number
    const lines = blocks(known(item.tokens), depth + 1)
    const first = lines[0]?.isCode === false ? (lines.shift()?.text ?? '') : ''
    const indented = lines.map((line) =>
      line.isCode || line.text === '' ? line : { ...line, text: dialect.indent(number) + line.text },
    )
    return [{ text: mark + first, isCode: false }, ...indented]
  }

  const inline = inlineWriter(dialect)
  return (tokens) =>
    blocks(tokens, 0)
      .map((line) => line.text)
      .join('\n')
}

type Inline = (tokens: readonly MarkedToken[], active?: ReadonlySet<Mark>) => string

function inlineWriter(dialect: Dialect): Inline {
  const inline: Inline = (tokens, active = new Set()) => {
    let out = ''
    let text = ''
    const add = (piece: string, isMark: boolean) => {
      if (piece === '') return
      const gap = isMark || endsInMark ? dialect.gap(out.slice(-1), piece.charAt(0)) : ''
      out += gap + piece
      endsInMark = isMark
    }
    let endsInMark = false
    const flush = () => {
      add(dialect.literal(text), false)
      text = ''
    }
    for (const token of tokens) {
      const own = literalOf(token)
      if (own !== null) {
        text += own
        continue
      }
      flush()
      add(piece(token, active), token.type !== 'link' && token.type !== 'image')
    }
    flush()
    return out
  }

  const piece = (token: MarkedToken, active: ReadonlySet<Mark>): string => {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del': {
        const inner = inline(known(token.tokens), new Set([...active, token.type]))
        return active.has(token.type) ? inner : byLine(inner, (line) => dialect.mark(token.type, line))
      }
      case 'codespan':
        return token.text.trim() === '' ? dialect.literal(token.raw) : dialect.code(token.text.replaceAll('\n', ' '))
      case 'image':
        return anchor(token.href, token.text.trim() || 'image')
      case 'link': {
        const [only, ...others] = known(token.tokens)
        if (others.length === 0 && (only?.type === 'strong' || only?.type === 'em' || only?.type === 'del'))
          return piece({ ...only, tokens: [{ ...token, tokens: only.tokens }] }, active)
        return anchor(token.href, plain(known(token.tokens)))
      }
      case 'checkbox':
        return ''
      default:
        return inline('tokens' in token ? known(token.tokens) : [], active)
    }
  }

  /** An address that is no link stands behind its words; words that pretend to be another address are left out. */
  const anchor = (address: string, words: string): string => {
    const mail = /^mailto:(.*)$/is.exec(address)?.[1]
    if (mail === words) return dialect.literal(words)
    if (dialect.isLinkable(address)) return dialect.link(address, /^(?:https?:\/\/|www\.)/i.test(words) ? '' : words)
    const isScript = /^\s*(?:javascript|data|vbscript|file):/i.test(address)
    return dialect.literal(isScript || address === words || address === '' ? words : `${words} (${mail ?? address})`)
  }

  return inline
}

/** Neighbours that are text are one text, so that a mark of the chat's is seen where an escape ends. */
function literalOf(token: MarkedToken): string | null {
  if (token.type === 'br') return '\n'
  if (token.type === 'escape') return token.text
  if (token.type === 'html') return BREAK.test(token.text) ? '\n' : token.text
  return token.type === 'text' && token.tokens === undefined ? decoded(token.text) : null
}

function linesOf(text: string, isCode = false): Line[] {
  return text === '' ? [] : text.split('\n').map((line) => ({ text: line, isCode }))
}

/** Marks do not reach over the end of a line, nor hold blanks at their ends. */
function byLine(text: string, write: (line: string) => string): string {
  return text.replace(/\S(?:.*\S)?/g, write)
}
