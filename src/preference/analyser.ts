/** Reads a person's preferences out of one message: what it asks for, what it accepts, how it is worded. */
import { readFileSync } from 'node:fs'
import { density, loadWink } from './density.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from './dimensions.ts'
import { tokensOf } from './features.ts'
import { becauseOf, feelingsOf } from './feelings.ts'
import { createHeads, type Margins, Weights } from './heads.ts'
import { labelIndex } from './labels.ts'
import { createEnglish, isLatin } from './language.ts'
import { lengthValue, wordsOf } from './length.ts'
import { ownWords } from './own-words.ts'
import { accepts, isNod, NOD_WORDS } from './reactions.ts'
import { type Request, requestsOf } from './requests.ts'

/** Why a value is believed, strongest first. */
export type EvidenceKind = 'explicit' | 'accepted' | 'words'

export interface Evidence {
  readonly value: Vector
  readonly label: string
  readonly evidence: EvidenceKind
  /** A short phrase for people; it never quotes the message. */
  readonly because: string
}

export interface Reading {
  /** What the message says of lasting preferences. */
  readonly observed: Partly<Evidence>
  /** Labels asked for in this reply only: they shape it and are not observed. */
  readonly once: Partly<string>
  /** The reason, for each dimension that is not observed. */
  readonly skipped: Partly<string>
}

/** `lastReply` is the reply that the message answers, if there was one. Never throws; costs microseconds. */
export type Analyse = (text: string, lastReply?: string | null) => Reading

type Found = Partial<Record<Dimension, Evidence>>

/** Loads the language model and decodes the weights, so that the first message is as quick as the others. */
export function createAnalyser(weights: Weights): Analyse {
  const margins = createHeads(weights)
  const isEnglish = createEnglish(weights.vocabulary)
  loadWink()
  return (text, lastReply) => {
    if (COMMAND.test(text)) return { observed: {}, once: {}, skipped: skipAll('a command') }
    const own = ownWords(text)
    const [words, tokens] = [wordsOf(own).length, tokensOf(own)]
    const unread = unreadable(text, own, words) ?? (isEnglish(tokens) ? null : FOREIGN)
    const requests = requestsOf(own)
    const worded = unread === null ? fromWords(own, words, margins(own, tokens)) : {}
    const accepted = lastReply && acceptsReply(own, requests) ? fromReply(lastReply) : {}
    return combine({ ...worded, ...accepted }, requests, unread)
  }
}

/** The analyser with the weights that ship beside the source. Throws when their file is missing or malformed. */
export function loadAnalyser(): Analyse {
  const file = new URL('../../models/analyser.json', import.meta.url)
  return createAnalyser(Weights.parse(JSON.parse(readFileSync(file, 'utf8'))))
}

/** Length and density of a reply, as an accepted (thumbs up, thanks) reply teaches them. Empty for no words. */
export function readReply(reply: string): Partly<Vector> {
  const length = lengthValue(wordsOf(reply).length)
  const dense = density(prose(reply)).value
  return { ...(length === null ? {} : { length: [length] }), ...(dense === null ? {} : { density: [dense] }) }
}

const COMMAND = /^\s*\/[a-z][\w-]*(?=\s|$)/i
const REPLY_AT_MOST = 8000
const LONG_WORDS = 32
const DENSE_WORDS = 8
const STYLED_WORDS = 4
const FOREIGN = 'not in English'

/** Why the words say nothing of style in any language, or null when they may. */
function unreadable(text: string, own: string, words: number): string | null {
  if (text.trim().length === 0) return 'an empty message'
  if (words === 0) return /[\p{L}\p{N}]/u.test(text) ? 'no words of their own' : 'no words'
  if (words <= NOD_WORDS && isNod(own)) return 'an acknowledgement'
  if (!isLatin(own)) return FOREIGN
  return words < STYLED_WORDS ? `fewer than ${STYLED_WORDS} words` : null
}

function fromWords(own: string, words: number, margins: Margins): Found {
  const { tone, emotion } = feelingsOf(margins, own)
  const length = words >= LONG_WORDS ? lengthValue(words) : null
  const dense = words >= DENSE_WORDS ? density(own) : null
  const found: Found = {
    tone: { value: tone.probabilities, label: tone.label, evidence: 'words', because: becauseOf(tone.label) },
    emotion: {
      value: emotion.probabilities,
      label: emotion.label,
      evidence: 'words',
      because: becauseOf(emotion.label),
    },
    formality: scale('formality', margins.formal, 'words', FORMALITY_BECAUSE),
  }
  if (length !== null) found.length = scale('length', length, 'words', () => `${words} words long`)
  if (dense?.value != null) found.density = scale('density', dense.value, 'words', (label) => `a ${label} text`)
  return found
}

const FORMALITY_BECAUSE = (label: string) =>
  label === 'neutral' ? 'neither formal nor casual words' : `${label} words`

function fromReply(reply: string): Found {
  const found: Found = {}
  for (const [dimension, value] of Object.entries(readReply(reply)) as [Dimension, Vector][])
    found[dimension] = scale(dimension, value[0]!, 'accepted', (label) => `a ${label} reply was accepted`)
  return found
}

function acceptsReply(own: string, requests: readonly Request[]): boolean {
  return accepts(own) && requests.every(({ dimension }) => dimension !== 'length' && dimension !== 'density')
}

/** Explicit beats accepted beats worded; what is asked for this reply only is kept apart. */
function combine(inferred: Found, requests: readonly Request[], unread: string | null): Reading {
  const observed: Found = { ...inferred }
  const once: Partial<Record<Dimension, string>> = {}
  for (const request of requests) {
    if (request.once) {
      once[request.dimension] = request.label
      delete observed[request.dimension]
    } else observed[request.dimension] = explicit(request)
  }
  const skipped: Partial<Record<Dimension, string>> = {}
  for (const dimension of dimensions) {
    if (observed[dimension]) continue
    if (once[dimension] !== undefined) skipped[dimension] = 'asked for this reply only'
    else skipped[dimension] = unread ?? `fewer than ${dimension === 'length' ? LONG_WORDS : DENSE_WORDS} words`
  }
  return { observed, once, skipped }
}

/** The middle of an outer interval of a scale; nine tenths of a category. */
const [OUTER, MOST] = [0.1, 0.9]

/** What a wish in so many words is worth. */
export function explicit({ dimension, label }: Pick<Request, 'dimension' | 'label'>): Evidence {
  const { kind } = DIMENSIONS[dimension]
  const labels: readonly string[] = DIMENSIONS[dimension].labels
  const place = labels.indexOf(label)
  const value =
    kind === 'scale'
      ? [[OUTER, 0.5, 1 - OUTER][place]!]
      : labels.map((_, j) => (j === place ? MOST : (1 - MOST) / (labels.length - 1)))
  return { value, label, evidence: 'explicit', because: `asked for ${label} replies` }
}

function scale(dimension: Dimension, at: number, evidence: EvidenceKind, because: (label: string) => string): Evidence {
  const label = DIMENSIONS[dimension].labels[labelIndex([at], DIMENSIONS[dimension], null, 0)]!
  return { value: [at], label, evidence, because: because(label) }
}

function skipAll(reason: string): Partly<string> {
  return Object.fromEntries(dimensions.map((dimension): [Dimension, string] => [dimension, reason]))
}

/** A reply without its code, read no further than its style needs. */
function prose(reply: string): string {
  return reply
    .slice(0, REPLY_AT_MOST)
    .split('```')
    .filter((_, i) => i % 2 === 0)
    .join(' ')
    .replace(/`[^`\n]*`/g, ' ')
}
