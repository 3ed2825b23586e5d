/** A model's Markdown as Discord shows it: near to Markdown, with gaps of its own, and without anything like a ping. */

import { type Dialect, translate } from './translate.ts'

const MARKS = { strong: '**', em: '*', del: '~~' }
/** A space without width: parts what Discord would read as one. */
const GAP = '\u200b'

const dialect: Dialect = {
  literal: (text) =>
    text
      .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
      .replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
      .replace(/~~|\|\|/g, (pair) => `\\${pair.charAt(0)}\\${pair.charAt(0)}`)
      .replace(/\](?=\()/g, ']\\')
      .replace(/(?<![\p{L}\p{N}])@(?=(?:everyone|here)\b)/giu, `@${GAP}`)
      .replace(/<@(?=[!&]?\d)/g, `<@${GAP}`),
  mark: (kind, inner) => MARKS[kind] + inner + MARKS[kind],
  code(text) {
    if (!text.includes('`')) return `\`${text}\``
    return `\`\` ${text.replace(/`(?=`)/g, `\`${GAP}`)} \`\``
  },
  fence(text, language) {
    const [name = ''] = /^[\w+.#-]+$/.exec(language.split(/\s/)[0] ?? '') ?? []
    return `\`\`\`${name}\n${text.replace(/`(?=``)/g, `\`${GAP}`)}\n\`\`\``
  },
  link(address, words) {
    const target = address.trim().replace(/[\s<>()\p{Cc}]/gu, (char) => PARENTHESES[char] ?? encodeURIComponent(char))
    return words === '' ? address.trim().replace(/[\s<>\p{Cc}]/gu, encodeURIComponent) : `[${label(words)}](${target})`
  },
  isLinkable: (address) => /^\s*https?:\/\/[^\s]/i.test(address),
  heading: (inner, depth) => (depth <= 3 ? `${'#'.repeat(depth)} ${inner}` : `**${inner}**`),
  line: (text) => (/^(?:#{1,3}|-#|>{1,3}|[-+]) /.test(text) ? `\\${text}` : text),
  bullet: () => '- ',
  indent: (mark) => ' '.repeat(mark.length),
  gap: (before, after) => (/[*_~`]/.test(before) && /[*_~`]/.test(after) ? GAP : ''),
}

/** `encodeURIComponent` leaves these as they are, and they would end the address. */
const PARENTHESES: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' }

/**
 * Tables and indented or tilde-fenced code become fenced code, headings beyond the third bold, images links; only http
 * and https are linked. Marks that are not Markdown but Discord's mean nothing: `||`, `-# `, `>>> `.
 *
 * `@everyone`, `@here`, `<@1>` and `<@&1>` stay readable but are no mentions, though `allowed_mentions` keeps them from
 * notifying anybody anyway: a reply shall not look as if it did. Split it afterwards (`split`).
 */
export function toDiscord(markdown: string): string {
  return translate(markdown, dialect)
}

function label(words: string): string {
  return dialect.literal(words).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'))
}
