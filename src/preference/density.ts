/** How much a text says per word: nouns, names, numbers and statements (PAMU Eq. 1 and item 23), by wink-nlp. */
import model from 'wink-eng-lite-web-model'
import winkNLP, { type PartOfSpeech, type WinkMethods } from 'wink-nlp'

export interface Density {
  /** Statements: subject, verb and what is said of it. */
  readonly K: number
  /** Nouns, proper nouns and numbers. */
  readonly N: number
  /** Words. */
  readonly L: number
  /** From 0 (sparse) to 1 (dense); null when there is no word, since missing is not zero. */
  readonly value: number | null
}

let wink: WinkMethods | undefined

/** Loads the language model once; later calls cost nothing. */
export function loadWink(): WinkMethods {
  wink ??= winkNLP(model, ['pos'])
  return wink
}

/** K, N, L of an English text and its place on the density scale. K / L is the information density of Eq. 1. */
export function density(text: string): Density {
  const { its, readDoc } = loadWink()
  const tokens = readDoc(text).tokens()
  const words = tokens.out()
  const tags = tokens
    .out<PartOfSpeech>(its.pos)
    .map((tag, i) => (tag === 'PUNCT' && SENTENCE_END.test(words[i]!) ? 'X' : tag))
  const N = tags.filter((tag) => NOMINAL.has(tag)).length
  const L = tags.filter((tag) => tag !== 'PUNCT' && tag !== 'SYM' && tag !== 'X' && tag !== 'SPACE').length
  const K = statements(tags)
  return { K, N, L, value: densityValue(K, N, L) }
}

/** (K + N + 10 * .49) / (L + 10): ten imagined words of average density steady short texts; .30 -> 0, .70 -> 1. */
export function densityValue(K: number, N: number, L: number): number | null {
  if (L <= 0) return null
  const perWord = (K + N + 10 * 0.49) / (L + 10)
  return Math.min(1, Math.max(0, (perWord - 0.3) / 0.4))
}

const SENTENCE_END = /^[.!?]/
const NOMINAL: ReadonlySet<PartOfSpeech> = new Set(['NOUN', 'PROPN', 'NUM'])
const SUBJECT: ReadonlySet<PartOfSpeech> = new Set(['NOUN', 'PROPN', 'NUM', 'PRON'])
const SAID: ReadonlySet<PartOfSpeech> = new Set(['NOUN', 'PROPN', 'NUM', 'PRON', 'ADJ', 'ADV'])
const PART_OF_VERB: ReadonlySet<PartOfSpeech> = new Set(['AUX', 'VERB', 'PART', 'ADV'])

/**
 * Triples by part of speech: a group of verbs with a subject before it in its sentence and something said after it.
 * A group without its own subject ("opened it and left") takes the sentence's. X ends a sentence.
 */
function statements(tags: readonly PartOfSpeech[]): number {
  let [count, subject, open] = [0, false, false]
  tags.forEach((tag, i) => {
    if (tag === 'X') [subject, open] = [false, false]
    else if (tag === 'VERB' || tag === 'AUX') open = subject
    else if (open && SAID.has(tag) && !(tag === 'ADV' && PART_OF_VERB.has(tags[i + 1] ?? 'X'))) {
      count++
      open = false
    }
    if (SUBJECT.has(tag)) subject = true
  })
  return count
}
