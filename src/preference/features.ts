/** A text as hashed counts: word 1-2-grams, character 3-5-grams inside words, negated words, and how it is typed. */

export const BUCKETS = 1 << 14

/** A sparse vector: `values[i]` stands at `buckets[i]`. */
export interface Features {
  readonly buckets: Int32Array
  readonly values: Float32Array
}

/** Signed, so that a hash is a small integer from the start. */
const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193
const TOKEN =
  /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[:;=]['-]?(?:[()/\\|*]|[dpo](?![\p{L}\p{N}]))|<3|[!?]+|\.{2,}|\p{Extended_Pictographic}|[^\s\p{L}\p{N}]/gu
/** The same tokens for a text without any letter or mark outside ASCII, found in a third of the time. */
const ASCII_TOKEN = /[a-z0-9]+(?:['-][a-z0-9]+)*|[:;=]['-]?(?:[()/\\|*]|[dpo](?![a-z0-9]))|<3|[!?]+|\.{2,}|[^\sa-z0-9]/g
const ASCII = /^[\t-~]*$/
const NEGATOR =
  /^(?:not|no|never|none|nobody|nothing|without|hardly|cannot|[a-z]+n't|dont|doesnt|didnt|isnt|wasnt|cant|wont)$/
const LAUGH = /^(?:a?(?:ha){2,}h?|he(?:he)+|lo+l+|lmf?ao+|rofl|ha|😂|🤣|😆|😹|😄|😁)$/
const WORD = /^[\p{L}\p{N}]/u
const NEGATION_REACH = 3
/** The norm of a line of a dozen words. */
const TYPICAL_NORM = 12

export interface Token {
  /** In lower case. */
  readonly text: string
  readonly hash: number
  /** Of the token before it and this one; before the first stands `TEXT`. */
  readonly pair: number
  /** A word or number, no mark. */
  readonly isWord: boolean
  /** Its first character. */
  readonly first: string
}

/** The tokens of a text: words, emoticons, emoji, runs of marks. Names and links become placeholders. */
export function tokensOf(text: string): Token[] {
  const plain = placeholders(text).toLowerCase()
  const found: readonly string[] = plain.match(ASCII.test(plain) ? ASCII_TOKEN : TOKEN) ?? []
  let previous = TEXT
  return found.map((token) => {
    const pair = hashOf(token, hashOf(' ', previous))
    previous = hashOf(token)
    return { text: token, hash: previous, pair, isWord: isWord(token), first: token.charAt(0) }
  })
}

/** What stands before the first token. */
const TEXT = hashOf('^')

function placeholders(text: string): string {
  let plain = text.replaceAll('’', "'")
  if (/[[@<]/.test(plain)) plain = plain.replace(/\[NAME\]|<@[A-Z0-9]{2,20}>|@\w{2,30}/g, ' person ')
  if (/<url>|:\/\//i.test(plain)) plain = plain.replace(/<url>|https?:\/\/\S{1,300}/gi, ' link ')
  return plain
}

function isWord(token: string): boolean {
  const first = token.charCodeAt(0)
  return (first >= A && first <= Z) || (first >= ZERO && first <= NINE) || (first > 127 && WORD.test(token))
}

const [A, Z, ZERO, NINE] = [97, 122, 48, 57]

/** The features of a text. The same function serves training and use, so weights fit only this version of it. */
export function featuresOf(text: string, tokens: readonly Token[] = tokensOf(text)): Features {
  addWords(tokens)
  for (const token of tokens) if (token.isWord) addInside(token.text)
  for (const flag of flagsOf(text, tokens)) add(hashOf(flag))
  return collect()
}

/** Counts of the text at hand and which of them are not zero; `collect` leaves both as it found them. */
const counts = new Uint16Array(BUCKETS)
const touched = new Int32Array(BUCKETS)
let size = 0

function add(hash: number): void {
  const bucket = (hash ^ (hash >>> 15)) & (BUCKETS - 1)
  if (counts[bucket] === 0) touched[size++] = bucket
  counts[bucket]!++
}

/** Log counts over |x|^.75: between unit length and none, since a long text says more than a short one. */
function collect(): Features {
  const buckets = touched.slice(0, size)
  const values = new Float32Array(buckets.length)
  let square = 0
  for (let i = 0; i < buckets.length; i++) {
    const count = counts[buckets[i]!]!
    counts[buckets[i]!] = 0
    const value = count === 1 ? 1 : 1 + Math.log(count)
    values[i] = value
    square += value * value
  }
  size = 0
  const norm = TYPICAL_NORM * (Math.sqrt(square) / TYPICAL_NORM) ** 0.75
  for (let i = 0; i < values.length; i++) values[i]! /= norm || 1
  return { buckets, values }
}

/** `START` stands before the first token for the heads, whose weights were trained with it, where politeness has `TEXT`. */
const [START, NOT, INSIDE] = [hashOf('^  '), hashOf('not '), hashOf('# ')]

function addWords(tokens: readonly Token[]): void {
  let reach = 0
  for (let i = 0; i < tokens.length; i++) {
    const { text, hash, pair, isWord, first } = tokens[i]!
    add(hash)
    add(i === 0 ? hashOf(text, START) : pair)
    if (reach > 0 && isWord) add(hashOf(text, NOT))
    reach = isWord ? (NEGATOR.test(text) ? NEGATION_REACH : reach - 1) : '.!?,;'.includes(first) ? 0 : reach - 1
  }
}

/** The 3-, 4- and 5-grams of `<word>`, each hash grown by one character from the shorter one. */
function addInside(word: string): void {
  for (let start = -1; start < word.length - 1; start++) {
    let hash = INSIDE
    for (let end = start; end <= word.length && end < start + 5; end++) {
      const unit = end < 0 ? OPEN : end === word.length ? CLOSE : word.charCodeAt(end)
      hash = Math.imul(hash ^ unit, FNV_PRIME)
      if (end - start >= 2) add(hash)
    }
  }
}

const [OPEN, CLOSE] = ['<'.charCodeAt(0), '>'.charCodeAt(0)]

function flagsOf(text: string, tokens: readonly Token[]): string[] {
  const flags = [`~length ${Math.min(7, Math.floor(Math.log2(tokens.length + 1)))}`]
  const shouted = shoutedWords(text)
  if (shouted > 0) flags.push(shouted > 2 ? '~shouting' : '~shout')
  if (isElongated(text)) flags.push('~elongated')
  if (tokens.some(({ text: token }) => LAUGH.test(token))) flags.push('~laugh')
  if (text.includes('!')) flags.push('~!')
  const trimmed = text.trimEnd()
  if (text.includes('?')) flags.push('~?', trimmed.endsWith('?') ? '~?end' : '~?inside')
  if (/[A-Za-z']/.test(text) && !/[A-Z]/.test(text)) flags.push('~lower')
  else if (/^\s*[A-Z]/.test(text)) flags.push('~capital')
  if (trimmed.endsWith('.')) flags.push('~stop')
  return flags
}

/** Words of three letters or more, all of them capitals. */
function shoutedWords(text: string): number {
  if (!/[A-Z']{3}/.test(text)) return 0
  return (text.match(/[A-Za-z']{3,}/g) ?? []).filter((word) => word === word.toUpperCase()).length
}

/** Three times the same letter in a row, in whatever case. A loop, since a backreference costs ten times as much. */
function isElongated(text: string): boolean {
  let run = 0
  let previous = 0
  for (let i = 0; i < text.length && run < 3; i++) {
    const letter = text.charCodeAt(i) | CASE
    run = letter < A || letter > Z ? 0 : letter === previous ? run + 1 : 1
    previous = letter
  }
  return run === 3
}

/** The bit that tells a small letter from its capital. */
const CASE = 32

/** FNV-1a over UTF-16 units, going on from another hash. */
export function hashOf(text: string, from = FNV_OFFSET): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash
}
