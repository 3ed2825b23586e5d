/** How much a text says per word: nouns, names, numbers and statements (PAMU Eq. 1 and item 23), by wink-nlp. */
import model from 'wink-eng-lite-web-model'
import winkNLP, { type WinkMethods } from 'wink-nlp'

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
  const words: string[] = tokens.out()
  const tags: string[] = tokens.out(its.pos)
  for (let i = 0; i < tags.length; i++) if (tags[i] === 'PUNCT' && SENTENCE_END.test(words[i] ?? '')) tags[i] = STOP
  const N = tags.filter((tag) => NOMINAL.has(tag)).length
  const L = tags.filter((tag) => !MARK.has(tag)).length
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
/** Stands for a mark that ends a sentence. */
const STOP = 'STOP'
const MARK: ReadonlySet<string> = new Set(['PUNCT', 'SYM', 'SPACE', STOP])
const NOMINAL: ReadonlySet<string> = new Set(['NOUN', 'PROPN', 'NUM'])
const SUBJECT: ReadonlySet<string> = new Set(['NOUN', 'PROPN', 'NUM', 'PRON'])
const SAID: ReadonlySet<string> = new Set(['NOUN', 'PROPN', 'NUM', 'PRON', 'ADJ', 'ADV'])
const PART_OF_VERB: ReadonlySet<string> = new Set(['AUX', 'VERB', 'PART', 'ADV'])

/**
 * Triples by part of speech: a group of verbs with a subject before it in its sentence and something said after it.
 * A group without its own subject ("opened it and left") takes the sentence's.
 */
function statements(tags: readonly string[]): number {
  let count = 0
  let subject = false
  let open = false
  tags.forEach((tag, i) => {
    if (tag === STOP) {
      subject = false
      open = false
    } else if (tag === 'VERB' || tag === 'AUX') open = subject
    else if (open && SAID.has(tag) && !(tag === 'ADV' && PART_OF_VERB.has(tags[i + 1] ?? STOP))) {
      count++
      open = false
    }
    if (SUBJECT.has(tag)) subject = true
  })
  return count
}
