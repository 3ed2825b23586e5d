/** Makes a prompt that fits the context: system prompt and question whole, of the history as many of the latest turns as there is room for. */

import type { ChatMessage } from './chat.ts'
import { LlmError } from './errors.ts'

/** One earlier turn. A reply that was never given is blank. */
export interface Exchange {
  readonly user: string
  readonly assistant: string
}

/** Tokens that a chat template adds to each message, and to the prompt as a whole. */
const PER_MESSAGE = 8
const PER_PROMPT = 16

/**
 * Characters per token. Held against server counts of 22 kinds of text, the sum is 1.0 to 2.2 times that of qwen2.5-coder; of
 * the tiny smollm2 0.7 to 1.7 in Latin scripts, 0.4 at worst.
 */
const RATES = {
  /** Keys, hashes, addresses. */
  run: 1.25,
  /** A space before one belongs to it. */
  digit: 1,
  letter: 3.6,
  /** Line breaks too: code and tables. */
  punctuation: 1.3,
}
/** Of what is not ASCII; a kind is taken out of the text before the next is counted. */
const OTHERS: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Latin}/gu, 0.6], // an accent breaks its word into pieces
  [/\p{Script=Cyrillic}/gu, 1.3],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}\p{Script=Greek}]/gu,
    1,
  ],
  [/\p{Extended_Pictographic}/gu, 0.4],
  [/./gsu, 0.8],
]
const RUN = /[A-Za-z0-9+/=_-]{24,}/g
/** Tokens of each ASCII character by its code. */
const ASCII = Float64Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\d/.test(character)) return 1 / RATES.digit
  return 1 / (/[A-Za-z ]/.test(character) ? RATES.letter : RATES.punctuation)
})

/** Tokens of a text, more often too many than too few. */
export function estimateTokens(text: string): number {
  let tokens = 0
  const rest = text.replace(RUN, (run) => {
    tokens += run.length / RATES.run
    return ''
  })
  let isAscii = true
  for (let i = 0; i < rest.length; i++) {
    const code = rest.charCodeAt(i)
    if (code >= ASCII.length) isAscii = false
    else if (code === SPACE && isDigit(rest.charCodeAt(i + 1))) tokens += 1 / RATES.digit
    else tokens += ASCII[code]!
  }
  return Math.ceil(isAscii ? tokens : tokens + tokensOfOthers(rest))
}

const SPACE = 32

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function tokensOfOthers(text: string): number {
  let rest = text.replace(/[\p{ASCII}]+/gu, '')
  let tokens = 0
  for (const [pattern, perToken] of OTHERS) {
    let length = 0
    rest = rest.replace(pattern, () => {
      length++
      return ''
    })
    tokens += length / perToken
  }
  return tokens
}

/**
 * The messages of one call. `history` comes oldest first and loses whole turns from its beginning.
 * @throws LlmError `too-long` when system prompt, question and answer alone don't fit
 */
export function fitPrompt(prompt: {
  readonly system: string
  readonly history: readonly Exchange[]
  readonly question: string
  readonly contextTokens: number
  readonly answerTokens: number
}): ChatMessage[] {
  const system: ChatMessage[] = prompt.system.trim() === '' ? [] : [{ role: 'system', content: prompt.system }]
  const question: ChatMessage = { role: 'user', content: prompt.question }
  const forQuestion = prompt.contextTokens - prompt.answerTokens - PER_PROMPT - cost(system)
  let room = forQuestion - cost([question])
  if (room < 0) throw tooLong(prompt.question, forQuestion - PER_MESSAGE)
  const turns: ChatMessage[][] = []
  for (const exchange of prompt.history.toReversed()) {
    const turn = messagesOf(exchange)
    room -= cost(turn)
    if (room < 0) break
    turns.unshift(turn)
  }
  return [...system, ...turns.flat(), question]
}

/** Blank messages make servers refuse the call. */
function messagesOf(exchange: Exchange): ChatMessage[] {
  const messages: ChatMessage[] = [
    { role: 'user', content: exchange.user },
    { role: 'assistant', content: exchange.assistant },
  ]
  return messages.filter(({ content }) => content.trim() !== '')
}

function cost(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content) + PER_MESSAGE, 0)
}

function tooLong(question: string, room: number): LlmError {
  if (room < 1) return new LlmError('too-long', 'The instructions leave no room for a message: raise OLLAMA_CONTEXT.')
  const words = question.split(/\s+/).filter(Boolean).length
  const tokens = estimateTokens(question)
  // Chinese or a long key has no words to speak of.
  const [unit, size] = words * 4 < tokens ? ['characters', [...question].length] : ['words', words]
  const readable = rounded(size * (room / tokens), Math.floor)
  return new LlmError(
    'too-long',
    `Your message has about ${rounded(size, Math.ceil)} ${unit}; I can read about ${readable} at once. Please send a shorter part of it.`,
  )
}

/** Two significant digits with thousands separators. */
function rounded(value: number, round: (value: number) => number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return (round(value / step) * step).toLocaleString('en-US')
}

/** The first characters of a text that is longer. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  // So much more is looked at that a character of several units is not halved.
  const characters = [...text.slice(0, 2 * length)]
  return characters.length > length || text.length > 2 * length
    ? `${characters.slice(0, length).join('').trimEnd()}…`
    : text
}
