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
  /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[:;=]['-]?[()DPpO/\\|*]|<3|[!?]+|\.{2,}|\p{Extended_Pictographic}|[^\s\p{L}\p{N}]/gu
const NEGATOR =
  /^(?:not|no|never|none|nobody|nothing|without|hardly|cannot|[a-z]+n't|dont|doesnt|didnt|isnt|wasnt|cant|wont)$/
const LAUGH = /^(?:a?(?:ha){2,}h?|he(?:he)+|lo+l+|lmf?ao+|rofl|ha|😂|🤣|😆|😹|😄|😁)$/u
const WORD = /^[\p{L}\p{N}]/u
const NEGATION_REACH = 3
/** The norm of a line of a dozen words. */
const TYPICAL_NORM = 12

/** The tokens of a text in lower case: words, emoticons, emoji, runs of marks. Names and links become placeholders. */
export function tokensOf(text: string): string[] {
  return placeholders(text).toLowerCase().match(TOKEN) ?? []
}

function placeholders(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\[NAME\]|<@[A-Z0-9]{2,20}>|@\w{2,30}/g, ' person ')
    .replace(/<url>|https?:\/\/\S{1,300}/gi, ' link ')
}

/** The features of a text. The same function serves training and use, so weights fit only this version of it. */
export function featuresOf(text: string): Features {
  const tokens = tokensOf(text)
  addWords(tokens)
  for (const token of tokens) if (WORD.test(token)) addInside(token)
  for (const flag of flagsOf(text, tokens)) add(fnv(flag))
  return collect()
}

/** Counts of the text at hand and which of them are not zero; `collect` leaves both as it found them. */
const counts = new Uint16Array(BUCKETS)
const touched: number[] = []

function add(hash: number): void {
  const bucket = (hash ^ (hash >>> 15)) & (BUCKETS - 1)
  if (counts[bucket] === 0) touched.push(bucket)
  counts[bucket]!++
}

/** Log counts over |x|^.75: between unit length and none, since a long text says more than a short one. */
function collect(): Features {
  const buckets = Int32Array.from(touched)
  const values = new Float32Array(buckets.length)
  let square = 0
  for (let i = 0; i < buckets.length; i++) {
    const count = counts[buckets[i]!]!
    counts[buckets[i]!] = 0
    const value = count === 1 ? 1 : 1 + Math.log(count)
    values[i] = value
    square += value * value
  }
  touched.length = 0
  const norm = TYPICAL_NORM * (Math.sqrt(square) / TYPICAL_NORM) ** 0.75
  for (let i = 0; i < values.length; i++) values[i]! /= norm || 1
  return { buckets, values }
}

function addWords(tokens: readonly string[]): void {
  let previous = fnv('^ ')
  let reach = 0
  for (const token of tokens) {
    const hash = fnv(token)
    add(hash)
    add(fnv(token, Math.imul(previous ^ 32, FNV_PRIME)))
    if (reach > 0 && WORD.test(token)) add(fnv(token, fnv('not ')))
    reach = NEGATOR.test(token) ? NEGATION_REACH : /^[.!?,;]/.test(token) ? 0 : reach - 1
    previous = hash
  }
}

/** The 3-, 4- and 5-grams of `<word>`, each hash grown by one character from the shorter one. */
function addInside(word: string): void {
  const marked = `<${word}>`
  for (let start = 0; start + 3 <= marked.length; start++) {
    let hash = fnv('# ')
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

function fnv(text: string, from = FNV_OFFSET): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash
}
