/** Text from elsewhere made fit to be told: plain, with nothing in it that calls people, hides or pretends. */

/** What is not seen, or turns the direction of what is. Joiners stay, which emoji and some scripts need. */
const UNSEEN = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
/** `<@U1>`, `<@U1|ana>`, `<#C1|general>`, `<!channel>`, `<@&1>`. */
const MENTION = /<[@#!][&!]?([^<>|\s]*)(?:\|([^<>]*))?>/g
const EVERYBODY = /@(?=(?:everyone|here|channel|group)\b)/gi
/** A picture is loaded from where it points to, with whatever its address tells. */
const PICTURE = /!\[([^\]]*)\]\([^)]*\)/g
const LINK = /\[([^\]]*)\]\(\s*<?([^\s<>)]*)>?[^)]*\)/g
const CHAT_LINK = /<(https?:[^<>|\s]+)(?:\|([^<>]*))?>/g

/** The text without mentions, pictures and unseen characters; a link shows where it leads. */
export function plain(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replaceAll(MENTION, (_, id: string, label?: string) => label ?? id)
    .replaceAll(PICTURE, '$1')
    .replaceAll(LINK, '$1 ($2)')
    .replaceAll(CHAT_LINK, (_, url: string, label?: string) => (label === undefined ? url : `${label} (${url})`))
    .replaceAll(EVERYBODY, '')
    .trim()
}
