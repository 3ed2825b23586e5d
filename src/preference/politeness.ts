/**
 * How polite a request is, by its words, their pairs, how its sentences open, and its courtesies: the strategies of
 * Danescu-Niculescu-Mizil et al. (ACL 2013). It reads words only; the other heads' margins are given to it.
 */
import { z } from 'zod'
import { hashOf, type Token, tokensOf } from './features.ts'

export const PLACES = 1 << 16

export const PoliteWeights = z.object({
  /** One bit per place in base64, set where the training data have something common enough to tell. */
  listed: z.string(),
  /** One int8 per listed place, in base64, and its step. */
  weights: z.string(),
  scale: z.number().positive(),
  bias: z.number(),
  /** Per other head. */
  margins: z.array(z.number()),
})

export type PoliteWeights = z.infer<typeof PoliteWeights>

/** Marks a place that is not listed, in a table of weights from -127 to 127. */
const UNLISTED = -128

/** Scores a text, in standard units around 0. Throws when the weights do not fit what is listed. */
export function createPoliteness(
  packed: PoliteWeights,
): (text: string, margins: ArrayLike<number>, tokens?: readonly Token[]) => number {
  const table = unpacked(packed)
  const { scale, bias, margins: shares } = packed
  return (text, margins, tokens) => {
    let [sum, listed, score] = [0, 0, bias]
    for (const place of placesOf(text, tokens)) {
      const weight = table[place]!
      if (weight === UNLISTED) continue
      listed++
      sum += weight
    }
    for (let h = 0; h < shares.length; h++) score += shares[h]! * margins[h]!
    return score + (scale * sum) / Math.sqrt(listed || 1)
  }
}

function unpacked({ listed, weights }: PoliteWeights): Int8Array {
  const table = new Int8Array(PLACES).fill(UNLISTED)
  const [bits, bytes] = [Buffer.from(listed, 'base64'), Buffer.from(weights, 'base64')]
  if (bits.length !== PLACES / 8)
    throw new Error(`Expected \`polite.listed\` to be ${PLACES / 8} bytes in base64, got \`${bits.length}\``)
  let next = 0
  for (let place = 0; place < PLACES; place++)
    if ((bits[place >> 3]! >> (place & 7)) & 1) table[place] = bytes.length > next ? bytes.readInt8(next++) : next++
  if (next !== bytes.length)
    throw new Error(`Expected \`polite.weights\` to be ${next} bytes in base64, got \`${bytes.length}\``)
  return table
}

/** The place of a hash. */
export function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (PLACES - 1)
}

/** The distinct places of a text, from 0 to `PLACES` - 1, in the order of its hashes. */
export function placesOf(text: string, tokens: readonly Token[] = tokensOf(text)): number[] {
  const places: number[] = []
  for (const hash of hashesOf(text, tokens)) {
    const place = placeOf(hash)
    if (seen[place] === 0) places.push(place)
    seen[place] = 1
  }
  for (const place of places) seen[place] = 0
  return places
}

/** 1 at the places of the text at hand, and as `placesOf` found it afterwards. */
const seen = new Uint8Array(PLACES)

/** Hashes of words, pairs, the first three words of each sentence, courtesies and the length; some come twice. */
export function hashesOf(text: string, tokens: readonly Token[] = tokensOf(text)): number[] {
  const hashes: number[] = []
  let opening = SENTENCE
  let opened = 0
  for (const { text: token, hash, pair, first } of tokens) {
    hashes.push(hash, pair)
    if (opened < OPENING) {
      opening = hashOf(token, opened === 0 ? opening : hashOf(' ', opening))
      hashes.push(opening)
    }
    opened++
    if ('.!?'.includes(first)) {
      opening = SENTENCE
      opened = 0
    }
  }
  const lower = text.toLowerCase()
  for (const [hash, pattern] of COURTESIES) if (pattern.test(lower)) hashes.push(hash)
  hashes.push(hashOf(`~length ${Math.floor(2 * Math.log2(1 + tokens.length))}`))
  return hashes
}

/** What stands before the first word of a sentence. */
const SENTENCE = hashOf('^^')
const OPENING = 3
const COURTESIES = Object.entries({
  please: /[^.!?]\bplease\b/,
  pleaseFirst: /(?:^|[.!?]\s+)please\b/,
  hedge:
    /\b(?:think|thought|almost|apparently|appears?|around|assumed?|certain|claim|clear|could|couldn't|doubt|estimate|feel|felt|generally|guess|in general|in my (?:opinion|view)|indicate|largely|likely|mainly|may|maybe|might|mostly|often|perhaps|plausible|possibl[ey]|presumably|probabl[ey]|relatively|seems|should|sometimes|somewhat|suggest|suppose|suspect|tend to|typical(?:ly)?|uncertain|unclear|unlikely|usually|wonder(?:ing)?)\b/,
  opinion: /\bi (?:think|believe|feel|guess|suppose|wonder)/,
  fact: /\b(?:really|actually|honestly|surely|in fact|the (?:point|reality|truth))\b/,
  deference: /(?:^|[.!?]\s+)(?:great|good|nice|interesting|cool|excellent|awesome|lovely|thanks)\b/,
  gratitude: /\bthank(?:s| you)|\bi appreciate|grateful/,
  apology: /\b(?:sorry|excuse me|w?oops|forgive me|i apologi[sz]e|apologies)\b/,
  we: /\b(?:we|our|us|ourselves)\b/,
  i: /[^.!?]\s\b(?:i|my|mine|myself|me)\b/,
  iFirst: /(?:^|[.!?]\s+)i\b/,
  you: /[^.!?]\s(?:you|your|yours|yourself)\b/,
  youFirst: /(?:^|[.!?]\s+)(?:you|your)\b/,
  greeting: /(?:^|[.!?]\s+)(?:hi|hello|hey)\b/,
  asked: /(?:^|[.!?]\s+)(?:what|why|who|how|where|when|which)\b/,
  linked: /(?:^|[.!?]\s+)(?:so|then|and|but|or)\b/,
  couldYou: /\b(?:could|would) you\b/,
  canYou: /\b(?:can|will) you\b/,
  byTheWay: /\bby the way|btw\b/,
  ifYou: /\bif you (?:could|can|would|have|don't mind)/,
  wouldLike: /\b(?:would|'d) (?:like|appreciate|be (?:great|nice|helpful|grateful))/,
  why: /\bwhy (?:did|do|are|have|would|were|don't|didn't|haven't|is|not)\b/,
  doYou: /\b(?:do|did|have|are) you\b/,
  questions: /\?.*\?/,
  questionLast: /\?\s*$/,
  exclaimed: /!/,
  help: /\bhelp\b/,
  wonder: /\bwonder(?:ing)?\b/,
  hope: /\bhope\b/,
  mind: /\bmind\b/,
  quote: /"/,
  trailing: /\.\.\./,
}).map(([name, pattern]) => [hashOf(`~${name}`), pattern] as const)
