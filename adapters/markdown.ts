/** Reads a model's Markdown into marked's tokens, with two slips of models mended, and tells the plain text of tokens. */

import { Marked, type MarkedToken, type Token, type TokenizerExtension } from 'marked'

const ADDRESS = 'https?://[^\\s<>|*]+'
/** `<address|words>` is how Slack writes a link; models also swap the two. */
const SLACK_LINK = new RegExp(`^<(?:(${ADDRESS})\\|([^<>|\\n]+)|([^<>|\\n]+)\\|(${ADDRESS}))>`)
/** `*<address*>`: the star that should follow the bracket. */
const STRAY_STAR = new RegExp(`^(\\*{1,2})<(${ADDRESS})(?:\\|([^<>|\\n]*))?\\1>`)

const slackLink: TokenizerExtension = {
  name: 'slackLink',
  level: 'inline',
  start: (source) => (source.includes('|') ? source.indexOf('<') : -1),
  tokenizer(source) {
    const [raw, address, words, wordsFirst, addressLast] = SLACK_LINK.exec(source) ?? []
    const text = words ?? wordsFirst
    if (raw === undefined || text === undefined) return undefined
    return { type: 'link', raw, href: address ?? addressLast, title: null, text, tokens: this.lexer.inlineTokens(text) }
  },
}

const strayStar: TokenizerExtension = {
  name: 'strayStar',
  level: 'inline',
  start: (source) => source.indexOf('*<'),
  tokenizer(source) {
    const [raw, , href, words] = STRAY_STAR.exec(source) ?? []
    if (raw === undefined || href === undefined) return undefined
    const text = words ?? href
    const link = { type: 'link', raw, href, title: null, text, tokens: [{ type: 'text', raw: text, text }] }
    return { type: 'strong', raw, text, tokens: [link] }
  },
}

const marked = new Marked({ gfm: true }, { extensions: [slackLink, strayStar] })

/** @throws RangeError where the text is nested deeper than the stack */
export function read(markdown: string): readonly MarkedToken[] {
  return known(marked.lexer(markdown))
}

/** marked's tokens are also open to those of extensions; here they all have types of its own. */
export function known(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return (tokens ?? []) as readonly MarkedToken[]
}

/** What a reader sees of the tokens of a line, on one line. */
export function plain(tokens: readonly MarkedToken[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return ' '
      if (token.type === 'html') return BREAK.test(token.text) ? ' ' : token.text
      if (token.type === 'text') return token.tokens === undefined ? decoded(token.text) : plain(known(token.tokens))
      if ('tokens' in token) return plain(known(token.tokens))
      return 'text' in token ? token.text : ''
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The only tag that is more than text to us. */
export const BREAK = /^<br\s*\/?>$/i

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Once: `&amp;lt;` is the text `&lt;`. Entities that nobody writes by hand stay as they are. */
export function decoded(text: string): string {
  return text.replace(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
  })
}
