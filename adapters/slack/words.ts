/** Slack's way of writing a message, made readable: mentions become names, links and entities what they stand for. */

/** Names of what a message mentions; null where it is not known. */
export interface Names {
  readonly person: (id: string) => string | null
  readonly channel: (id: string) => string | null
}

const TOKEN = /<([^<>\s][^<>]*)>/g
/** Marks that turn the direction of what follows, so that a text reads differently from what it says. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * The words of a message without the mention of the bot. Tokens come first and entities last, each once: what somebody
 * typed as `<@U2>` arrives as `&lt;@U2&gt;` and stays what they typed.
 */
export function readable(text: string, bot: string, names: Names): string {
  const parts: string[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(unescaped(text.slice(end, match.index)), meaningOf(match[1] ?? '', bot, names))
    end = match.index + match[0].length
  }
  parts.push(unescaped(text.slice(end)))
  return parts
    .join('')
    .replace(OVERRIDES, '')
    .replace(/^[\s,:]+|\s+$/g, '')
}

/** The ids of the people that a message mentions, in order, each once. */
export function mentionsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id))]
}

/** The ids of the channels that a message names without saying how they are called. */
export function channelsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/<#([A-Z0-9]+)\|?>/g)].map(([, id = '']) => id))]
}

/** A name without what would turn the direction of the words around it. */
export function nameOf(name: string): string {
  return name.replace(OVERRIDES, '').replace(/\s+/g, ' ').trim().slice(0, 80)
}

function meaningOf(token: string, bot: string, names: Names): string {
  const bar = token.indexOf('|')
  const target = bar < 0 ? token : token.slice(0, bar)
  const label = bar < 0 ? '' : unescaped(token.slice(bar + 1))
  const id = target.slice(1)
  if (target === `@${bot}`) return ''
  if (target.startsWith('@')) return `@${names.person(id) ?? (label.replace(/^@/, '') || 'somebody')}`
  if (target.startsWith('#')) return `#${label || (names.channel(id) ?? 'a channel')}`
  if (target.startsWith('!date^')) return label
  if (target.startsWith('!subteam^')) return label || '@a group'
  if (target.startsWith('!')) return label || `@${id.split('^')[0]}`
  return linkOf(unescaped(target), label)
}

/** A link whose words say where it goes is written once. */
function linkOf(url: string, label: string): string {
  const address = url.replace(/^mailto:|^tel:/, '')
  const isPlain = label === '' || label === address || `${label}/` === address || address.endsWith(`://${label}`)
  return isPlain ? address : `${label} (${address})`
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
