/** A model's Markdown in Slack's own markup, in which nothing that it says can notify anybody. */

import { type Dialect, translate } from './translate.ts'

const BULLETS = ['• ', '◦ ', '▪ ']
const MARKS = { strong: '*', em: '_', del: '~' }

/**
 * Slack has no sign that makes the next one literal. A space without width (U+200B) does: after a star, an underline or
 * a tilde that would format, between backticks, before a line's `>`, after the `@` of `@here`. It also stands where
 * formatting touches a letter, or Slack would show the stars.
 */
const GAP = '\u200b'

const dialect: Dialect = {
  literal: (text) =>
    escaped(
      text
        .replace(/(?<![\p{L}\p{N}])@(?=(?:here|channel|everyone)\b)/giu, `@${GAP}`)
        .replace(/([`~])(?=\1)/g, `$1${GAP}`)
        .replace(/(?<![\p{L}\p{N}])([*_~`])(?=[^\s\u200b])(?=[^\n]{0,300}?\S\1)/gu, `$1${GAP}`),
    ),
  mark: (kind, inner) => MARKS[kind] + inner + MARKS[kind],
  // A code span of Slack's can't hold a backtick; this one looks alike.
  code: (text) => `\`${escaped(text.replaceAll('`', 'ˋ'))}\``,
  fence: (text) => `\`\`\`\n${escaped(text.replace(/`(?=``)/g, `\`${GAP}`))}\n\`\`\``,
  link: (address, words) => {
    const target = escaped(address.trim().replace(/[\s<>|`\p{Cc}]/gu, encodeURIComponent))
    return words === '' ? `<${target}>` : `<${target}|${escaped(words.replaceAll('|', '¦'))}>`
  },
  isLinkable: (address) => /^\s*(?:https?:\/\/|mailto:)[^\s]/i.test(address),
  heading: (inner) => `*${inner}*`,
  line: (text) => (/^(?:&gt;|[•◦▪] )/.test(text) ? GAP + text : text),
  bullet: (depth) => BULLETS[Math.min(depth, 2)] ?? '• ',
  indent: () => '    ',
  gap: (before, after) => (/^[\s([{"'\u200b]?$/.test(before) || /^[\s)\]}.,:;!?"'\u200b]?$/.test(after) ? '' : GAP),
}

/**
 * Of `<…>` only links to http, https and mailto can come out: no `<!channel>`, `<@U1>`, `<#C1>`, `<!subteam^S1>`.
 * Not blank where the Markdown isn't. Longer than the Markdown where there is much to escape, so it is split afterwards (`split`, which keeps links whole).
 */
export function toMrkdwn(markdown: string): string {
  return translate(markdown, dialect)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
