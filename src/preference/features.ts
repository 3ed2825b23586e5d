/** A text as hashed counts: word 1-2-grams, character 3-5-grams inside words, negated words, and how it is typed. */

export const BUCKETS = 1 << 14

/** A sparse vector: `values[i]` stands at `buckets[i]`. */
export interface Features {
  readonly buckets: Int32Array
  readonly values: Float32Array
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const TOKEN =
  /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[:;=]['-]?(?:[()/\\|*]|[dpo](?![\p{L}\p{N}]))|<3|[!?]+|\.{2,}|\p{Extended_Pictographic}|[^\s\p{L}\p{N}]/gu
/** The same tokens for a text without any letter or mark outside ASCII, found in a third of the time. */
const ASCII_TOKEN = /[a-z0-9]+(?:['-][a-z0-9]+)*|[:;=]['-]?(?:[()/\\|*]|[dpo](?![a-z0-9]))|<3|[!?]+|\.{2,}|[^\sa-z0-9]/g
const ASCII = /^[\t-~]*$/
const NEGATOR =
  /^(?:not|no|never|none|nobody|nothing|without|hardly|cannot|[a-z]+n't|dont|doesnt|didnt|isnt|wasnt|cant|wont)$/
const LAUGH = /^(?:a?(?:ha){2,}h?|he(?:he)+|lo+l+|lmf?ao+|rofl|ha|😂|🤣|😆|😹|😄|😁)$/u
const WORD = /^[\p{L}\p{N}]/u
const ASCII_WORD = /^[a-z0-9]/
const NEGATION_REACH = 3
/** The norm of a line of a dozen words. */
const TYPICAL_NORM = 12

/** The tokens of a text in lower case: words, emoticons, emoji, runs of marks. Names and links become placeholders. */
export function tokensOf(text: string): string[] {
  const plain = placeholders(text).toLowerCase()
  return plain.match(ASCII.test(plain) ? ASCII_TOKEN : TOKEN) ?? []
}

function placeholders(text: string): string {
  let plain = text.replaceAll('’', "'")
  if (/[[@<]/.test(plain)) plain = plain.replace(/\[NAME\]|<@[A-Z0-9]{2,20}>|@\w{2,30}/g, ' person ')
  if (/<url>|:\/\//i.test(plain)) plain = plain.replace(/<url>|https?:\/\/\S{1,300}/gi, ' link ')
  return plain
}

/** True for a word or number among the tokens. */
export function isWord(token: string): boolean {
  return ASCII_WORD.test(token) || (token.charCodeAt(0) > 127 && WORD.test(token))
}

/** The features of a text. The same function serves training and use, so weights fit only this version of it. */
export function featuresOf(text: string): Features {
  const tokens = tokensOf(text)
  addWords(tokens)
  for (const token of tokens) if (isWord(token)) addInside(token)
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

function addWords(tokens: readonly string[]): void {
  let previous = hashOf('^ ')
  let reach = 0
  for (const token of tokens) {
    const hash = hashOf(token)
    add(hash)
    add(hashOf(token, Math.imul(previous ^ 32, FNV_PRIME)))
    if (reach > 0 && isWord(token)) add(hashOf(token, hashOf('not ')))
    reach = NEGATOR.test(token) ? NEGATION_REACH : /^[.!?,;]/.test(token) ? 0 : reach - 1
    previous = hash
  }
}

/** The 3-, 4- and 5-grams of `<word>`, each hash grown by one character from the shorter one. */
function addInside(word: string): void {
  const marked = `<${word}>`
  for (let start = 0; start + 3 <= marked.length; start++) {
    let hash = hashOf('# ')
    for (let end = start; end < marked.length && end < start + 5; end++) {
      hash = Math.imul(hash ^ marked.charCodeAt(end), FNV_PRIME)
      if (end - start >= 2) add(hash)
    }
  }
}

function flagsOf(text: string, tokens: readonly string[]): string[] {
  const words = text.match(/[A-Za-z']+/g) ?? []
  const shouted = words.filter((word) => word.length > 2 && word === word.toUpperCase()).length
  const flags = [`~length ${Math.min(7, Math.floor(Math.log2(tokens.length + 1)))}`]
  if (shouted > 0) flags.push(shouted > 2 ? '~shouting' : '~shout')
  if (/([a-z])\1\1/i.test(text)) flags.push('~elongated')
  if (tokens.some((token) => LAUGH.test(token))) flags.push('~laugh')
  if (text.includes('!')) flags.push('~!')
  if (text.includes('?')) flags.push('~?', text.trimEnd().endsWith('?') ? '~?end' : '~?inside')
  if (words.length > 0 && !/[A-Z]/.test(text)) flags.push('~lower')
  else if (/^\s*[A-Z]/.test(text)) flags.push('~capital')
  if (/[.]\s*$/.test(text)) flags.push('~stop')
  return flags
}

/** FNV-1a over UTF-16 units, going on from another hash. */
export function hashOf(text: string, from = FNV_OFFSET): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash
}
