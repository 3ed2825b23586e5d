/** Whether a text mentions words that somebody wants forgotten. */

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const LETTER = /[\p{L}\p{N}\p{M}]/u
const LETTER_LAST = /[\p{L}\p{N}\p{M}]$/u

export type Mentions = (text: string) => boolean

/**
 * A text mentions the words when each of them stands in it, in any order and either case, at the beginning of a word:
 * `cat` is found in "cats", not in "bobcat". In scripts without spaces it may stand anywhere. No words: nothing does.
 */
export function mentioning(words: readonly string[]): Mentions {
  const wanted = words.map(folded).filter((word) => word !== '')
  return (text) => {
    const where = folded(text)
    return wanted.length > 0 && wanted.every((word) => stands(word, where))
  }
}

function stands(word: string, text: string): boolean {
  const isFree = !LETTER.test(word.slice(0, 2)) || UNSPACED.test(word)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isFree || !LETTER_LAST.test(text.slice(Math.max(0, at - 2), at))) return true
  }
  return false
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[’ʼ´]/g, "'").replace(/\s+/g, ' ')
}
