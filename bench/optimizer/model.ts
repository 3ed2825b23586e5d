/** A model that obeys a persona, and that advises and rewrites as one would: from what it is shown, mistakes included. */

import type { ChatMessage, Llm } from '../../src/llm/chat.ts'
import { quotedText } from '../../src/persona/ask.ts'
import { type Chance, chance } from '../pamu/random.ts'
import { type Manner, prose } from './prose.ts'

type Scale = keyof Manner
type Direction = 'less' | 'more'
/** Its own three values of a text. */
export type Read = (text: string) => Partial<Manner>

const SCALES: readonly Scale[] = ['length', 'density', 'formality']
/** How it answers when nothing is asked of it, how far a line takes it, and how it trembles. */
const NATURAL: Manner = { length: 0.5, density: 0.5, formality: 0.5 }
const FAR: Readonly<Record<Scale, Readonly<Record<Direction, number>>>> = {
  length: { less: 0.2, more: 0.72 },
  density: { less: 0.1, more: 0.9 },
  formality: { less: 0.1, more: 0.9 },
}
const TREMBLE = 0.06
const LINES: Readonly<Record<Scale, Readonly<Record<Direction, string>>>> = {
  length: { less: 'Keep replies short.', more: 'Answer at length, with reasons.' },
  density: { less: 'Say one thing at a time, simply.', more: 'Pack many facts into each sentence.' },
  formality: { less: 'Use casual, everyday words.', more: 'Use formal, professional words.' },
}
/** A difference that it notices, and how often it advises what nothing speaks for. */
const NOTICED = 0.08
const MISTAKEN = 0.1

/** What it would answer. The same seed gives the same reply. */
export function answer(persona: string, seed: number): string {
  const luck = chance(seed)
  const at = (scale: Scale) => {
    const asked = (['less', 'more'] as const).filter((direction) => persona.includes(LINES[scale][direction]))
    const [direction] = asked
    return (direction === undefined ? NATURAL[scale] : FAR[scale][direction]) + TREMBLE * luck.normal()
  }
  return prose({ length: at('length'), density: at('density'), formality: at('formality') }, luck)
}

export function createModel(read: Read, luck: Chance): Llm {
  return {
    model: 'scripted',
    contextTokens: 8192,
    async chat(messages) {
      return { text: spoken(messages, read, luck), ms: 0, promptTokens: 0, tokens: 0, retried: false }
    },
  }
}

function spoken(messages: readonly ChatMessage[], read: Read, luck: Chance): string {
  const content = messages[0]?.content ?? ''
  if (content.startsWith('You improve the persona')) return JSON.stringify({ advice: advise(content, read, luck) })
  if (content.startsWith('You rewrite the persona')) return JSON.stringify({ lines: rewrite(content) })
  return answer(content, luck.whole(0, 2 ** 31))
}

function within(content: string, tag: string): string {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(content)?.[1] ?? ''
}

/** Towards a reply that was accepted; away from one that was rejected. */
function advise(content: string, read: Read, luck: Chance): readonly string[] {
  const [given, now] = [read(within(content, 'reply')), read(within(content, 'now'))]
  const isAccepted = content.includes('They accepted this reply.')
  return SCALES.flatMap((scale) => {
    if (luck.uniform() < MISTAKEN) return [LINES[scale][luck.uniform() < 0.5 ? 'less' : 'more']]
    const [theirs, mine] = [given[scale], now[scale]]
    if (theirs === undefined || mine === undefined) return []
    if (isAccepted) return Math.abs(theirs - mine) < NOTICED ? [] : [LINES[scale][theirs < mine ? 'less' : 'more']]
    return Math.abs(theirs - 0.5) < NOTICED ? [] : [LINES[scale][theirs > 0.5 ? 'less' : 'more']]
  })
}

/** A line for what two more turns advise than advise the contrary; the contrary line goes. */
function rewrite(content: string): readonly { readonly text: string; readonly turns: readonly number[] }[] {
  const lines = within(content, 'persona').split('\n')
  const advice = within(content, 'advice')
  const advising = (line: string) =>
    advice.split('\n').flatMap((told) => (told.endsWith(quotedText(line)) ? [Number(/\d+/.exec(told)?.[0])] : []))
  const added: { text: string; turns: readonly number[] }[] = []
  let kept = lines
  for (const scale of SCALES) {
    const turns = { less: advising(LINES[scale].less), more: advising(LINES[scale].more) }
    const [wins, loses] =
      turns.less.length > turns.more.length ? (['less', 'more'] as const) : (['more', 'less'] as const)
    if (turns[wins].length - turns[loses].length < 2 || lines.includes(LINES[scale][wins])) continue
    kept = kept.filter((line) => line !== LINES[scale][loses])
    added.push({ text: LINES[scale][wins], turns: turns[wins] })
  }
  const [first = '', ...rest] = kept
  return [{ text: first, turns: [] }, ...added, ...rest.map((text) => ({ text, turns: [] }))]
}
