/** How much a text says per word: nouns, names, numbers and statements (PAMU Eq. 1 and item 23), by wink-nlp. */
import model from 'wink-eng-lite-web-model'
import winkNLP, { type PartOfSpeech, type WinkMethods } from 'wink-nlp'

export interface Density {
  /** Statements: subject, verb and what it is about. */
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
  wink ??= winkNLP(model, ['sbd', 'pos'])
  return wink
}

/** K, N, L of an English text and its place on the density scale. */
export function density(text: string): Density {
  const { its, readDoc } = loadWink()
  let [K, N, L] = [0, 0, 0]
  readDoc(text)
    .sentences()
    .each((sentence) => {
      const tags = (sentence.tokens().out(its.pos) as PartOfSpeech[]).filter((tag) => tag !== 'SPACE')
      K += statements(tags)
      N += tags.filter((tag) => tag === 'NOUN' || tag === 'PROPN' || tag === 'NUM').length
      L += tags.filter((tag) => tag !== 'PUNCT' && tag !== 'SYM').length
    })
  return { K, N, L, value: densityValue(K, N, L) }
}

/** (K + N + 10 * .49) / (L + 10): ten imagined words of average density steady short texts; .30 -> 0, .70 -> 1. */
export function densityValue(K: number, N: number, L: number): number | null {
  if (L <= 0) return null
  const perWord = (K + N + 10 * 0.49) / (L + 10)
  return Math.min(1, Math.max(0, (perWord - 0.3) / 0.4))
}

function statements(tags: readonly PartOfSpeech[]): number {
  return tags.filter((tag) => tag === 'VERB').length
}
