/** How long a text is, as a point of the length scale (PAMU item 22: clamp(ln(n/8)/ln(64))). */

const WORD = /[\p{L}\p{N}]+(?:['’_.-][\p{L}\p{N}]+)*/gu
/** The same for a text of ASCII, in half the time. */
const ASCII_WORD = /[a-z0-9]+(?:['_.-][a-z0-9]+)*/gi
const ASCII = /^[\t-~]*$/

/** The words of a text, in their own case; punctuation and emoji are none. */
export function wordsOf(text: string): string[] {
  return text.match(ASCII.test(text) ? ASCII_WORD : WORD) ?? []
}

/** 0 at 8 words, 1 at 512; brief < 32 <= moderate < 125 <= detailed. Null for no words: missing is not zero. */
export function lengthValue(words: number): number | null {
  if (words <= 0) return null
  return Math.min(1, Math.max(0, Math.log(words / 8) / Math.log(64)))
}
