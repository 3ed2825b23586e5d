/** What no line of a persona may hold, whoever proposes it: names, ids, links, orders that have nothing to do with answering. */

import { wordsOf } from '../preference/length.ts'

/** What lines are held against. */
export interface Surroundings {
  /** The persona as it stands; its words are known. */
  readonly persona: string
  /** Everything that was said and answered around the turns, by the person and by others. */
  readonly texts: readonly string[]
  /** Of people in the workspace. */
  readonly names: readonly string[]
}

const LONGEST = 300
/** Words in a row that make a line somebody's own. */
const RUN = 5
const LINK = /https?:|hxxp|www\.|mailto:|\b[\w-]+@[\w-]+|\b[a-z0-9-]{2,}\.[a-z]{2,}\b|\bdot (?:com|org|net|io)\b/i
const ID = /\d{4,}|@\S|#\S|\b[A-Z][A-Z0-9]{5,}\b|\b(?=[a-f]*\d)[a-f\d]{8,}\b|\b\w+:\w+:\S/
const MARKUP = /[<>{}[\]\\|`*_~]/
const UNSEEN = /\p{C}|[^\P{L}A-Za-zÀ-ÖØ-öø-ſ]/u
/** Orders that turn a bot against its people, reach for others' data, or have it act. */
const STEERING = new RegExp(
  String.raw`\b(?:${[
    'ignor(?:e|es|ing)|disregard\\w*|bypass\\w*|overrid\\w+|overrul\\w+|circumvent\\w*|jailbreak\\w*|unrestricted|uncensored',
    'reveal\\w*|disclos\\w+|leak\\w*|expos(?:e|es|ing)|exfiltrat\\w+|passwords?|passphrases?|secrets?|credentials?|api keys?|access tokens?',
    'system prompt|developer (?:mode|message)|(?:previous|above|earlier|prior|these|your|all|other) (?:instructions?|rules?|prompts?|guidelines?)',
    '(?:add|append|write) .*(?:prompt|persona)|from now on you|you are (?:now|no longer)|you must|pretend\\w*|role-?play\\w*|act as|impersonat\\w+',
    'admins?|administrators?|moderators?|superusers?|root access|permissions?',
    'never refuse|without refusing|do anything|no (?:limits|restrictions|rules)|obey\\w*|always agree|agree with (?:everything|whatever)|whatever (?:they|the user) (?:say|ask|want)s?',
    'forget\\w*|eras(?:e|es|ing)|delet(?:e|es|ing)|set_preference|base64|execut(?:e|es|ing)|download\\w*|click\\w*|visit\\w*|forward\\w*|subscrib\\w+|buy|recommend (?:our|the|my) \\w+',
    "other (?:people|users?|persons?|members?)(?: data|’s|'s)?|everyone|everybody|someone else",
    'li(?:e|es) to|mislead\\w*|deceiv\\w+|insult\\w*|mock\\w*|threaten\\w*',
  ].join('|')})\b`,
  'i',
)
/** Capitals within a sentence that name nobody. */
const KNOWN = new Set("I I'm I'd I'll I've OK Markdown English Attune They Their It If No Do".split(' '))
/** First names that are words as well count only with a capital. */
const WORDS_TOO = new Set(
  'will may mark bill art rich grace max frank hope joy rose ray drew jack pat rob sue may dawn faith guy lance miles rusty sandy short brief long young'.split(
    ' ',
  ),
)

/** Why the line may not stand in a persona, or null. */
export function unfit(line: string, { persona, texts, names }: Surroundings): string | null {
  const plain = line.replace(/[’ʼ]/g, "'")
  if (plain.length > LONGEST) return `a line of ${plain.length} characters`
  if (UNSEEN.test(plain)) return 'characters that are unseen, or of another script'
  if (LINK.test(plain)) return 'a link or an address'
  if (ID.test(plain)) return 'an id or a number of many digits'
  if (MARKUP.test(plain.replace(/^\s*(?:#{1,3}|[-*]) /, '').replaceAll(ACTION, ''))) return 'markup'
  if (STEERING.test(plain)) return 'an order that has nothing to do with how to answer'
  if (namesIn(plain, persona, names, texts)) return 'a name'
  return isCopied(plain, texts) ? 'words of a message' : null
}

const ACTION = /\b(?:current_time|read_thread)\b/g

function namesIn(line: string, persona: string, names: readonly string[], texts: readonly string[]): boolean {
  const known = new Set([...KNOWN, ...tokensOf(persona)])
  const people = names.flatMap(tokensOf).filter((token) => token.length > 1 && !known.has(token))
  const exact = new Set([...people, ...mentioned(texts).filter((token) => !known.has(token))])
  const lower = people.map((token) => token.toLowerCase())
  const loose = new Set(lower.filter((token) => token.length > 2 && !WORDS_TOO.has(token)))
  const within = [...line.matchAll(CAPITAL)].map(([word]) => bare(word))
  if (within.some((token) => !known.has(token))) return true
  return tokensOf(line).some((token) => exact.has(token) || loose.has(token.toLowerCase()))
}

const CAPITAL = /(?<=[\p{L}\p{N},;:'")-]\s+['"(]?)\p{Lu}[\p{L}'-]*/gu

/** Words that texts write with a capital where no sentence or item begins, and never without. */
function mentioned(texts: readonly string[]): readonly string[] {
  const small = new Set(texts.flatMap((text) => text.match(/(?<![\p{L}'-])\p{Ll}[\p{L}'-]*/gu) ?? []))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}'-]*/gu)].map(([word]) => bare(word)),
  )
  return [...new Set(names)].filter((name) => !small.has(name.toLowerCase()))
}

function tokensOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}'-]+/gu) ?? []).map(bare)
}

function bare(word: string): string {
  return word.replace(/'s$/, '')
}

function isCopied(line: string, texts: readonly string[]): boolean {
  const runs = runsOf(line)
  return (
    runs.length > 0 &&
    texts.some((text) => {
      const said = ` ${wordsOf(text.toLowerCase()).join(' ')} `
      return runs.some((run) => said.includes(` ${run} `))
    })
  )
}

function runsOf(line: string): readonly string[] {
  const words = wordsOf(line.toLowerCase())
  return words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(' '))
}
