/** How much of the evidence recall shows, and how fast; by the product's own recall, and with parts of it left out. */

import { candidatesOf, type Scan, scan } from '../../src/memory/candidates.ts'
import { recall } from '../../src/memory/episodes.ts'
import { inFirstPerson, wordsToFind } from '../../src/memory/question.ts'
import { ranked, ranking } from '../../src/memory/rank.ts'
import { WEIGHTS, type Weights } from '../../src/memory/score.ts'
import type { Queries } from '../../src/store/database.ts'
import type { Asked, Conversation } from './data.ts'
import { EMBEDDER, type Embed } from './embed.ts'
import type { Stored } from './store.ts'

const MOST = 20
/** More than any number of words that is looked at takes. */
const ROOM_TOKENS = 10_000

/** What was shown for a question: ids of turns, best first. */
export interface Shown {
  readonly conversation: Conversation
  readonly asked: Asked
  readonly ids: readonly string[]
  /** What recall gives for a budget, to see how much a number of words holds. */
  readonly more: readonly string[]
  readonly ms: number
  /** By name of what was left out. */
  readonly ablated: ReadonlyMap<string, readonly string[]>
}

interface Ablation {
  readonly weights: Weights
  /** Without the question's vector, or without its words. */
  readonly without?: 'vector' | 'words'
}

const NONE = Object.fromEntries(Object.keys(WEIGHTS).map((name) => [name, 0])) as Weights
const without = (...names: readonly (keyof Weights)[]): Ablation => ({
  weights: { ...WEIGHTS, ...Object.fromEntries(names.map((name) => [name, 0])) },
})

export const ABLATIONS: ReadonlyMap<string, Ablation> = new Map([
  ['vectors alone', { weights: NONE, without: 'words' }],
  ['full text alone', { weights: { ...NONE, words: 1 }, without: 'vector' }],
  ['without a vector, all else', { weights: WEIGHTS, without: 'vector' }],
  ['without words', without('words', 'passage', 'session')],
  ['without speaker', without('speaker')],
  ['without time asked about', without('time')],
  ['without dates for “when”', without('dated')],
  ['without substance, asking', without('substance', 'asks')],
  ['without neighbours', without('before', 'after', 'answers')],
  ['without answers', without('answers')],
  ['without passage', without('passage')],
  ['without session', without('session')],
])

/** Questions without evidence are left out. */
export async function retrieve(
  queries: Queries,
  conversation: Conversation,
  { place, ids }: Stored,
  embed: Embed,
): Promise<Shown[]> {
  const questions = conversation.asked.filter(({ evidence }) => evidence.length > 0)
  const vectors = await embed(questions.map(({ question }) => inFirstPerson(question, conversation.speakers)))
  const now = conversation.said.at(-1)!.at
  const all: Shown[] = []
  for (const [i, asked] of questions.entries()) {
    const vector = { embedder: EMBEDDER, numbers: vectors[i]! }
    const started = performance.now()
    const episodes = await recall(queries, place, asked.question, { vector, limit: MOST, without: [], now })
    const ms = performance.now() - started
    const room = { vector, budget: ROOM_TOKENS, without: [], now }
    const roomy = await recall(queries, place, asked.question, room)
    const scanned = await scan(queries, place, wordsToFind(asked.question), vector)
    const ablated: [string, readonly string[]][] = []
    for (const [name, ablation] of ABLATIONS) {
      const order = ranking(asked.question, lacking(scanned, ablation), { without: [], now }, ablation.weights)
      const candidates = await candidatesOf(queries, place, order.best, order.sought.span)
      const best = ranked(order, candidates, { without: [], now }, ablation.weights).slice(0, MOST)
      ablated.push([name, best.map(({ candidate }) => ids.get(candidate.turnId)!)])
    }
    all.push({
      conversation,
      asked,
      ids: episodes.map(({ turnId }) => ids.get(turnId)!),
      more: roomy.map(({ turnId }) => ids.get(turnId)!),
      ms,
      ablated: new Map(ablated),
    })
  }
  return all
}

function lacking(scanned: Scan, { without }: Ablation): Scan {
  if (without === 'vector') return { ...scanned, cosines: null }
  return without === 'words' ? { ...scanned, matches: scanned.matches.map(() => 0) } : scanned
}

/** The turns and those beside them in their sessions. */
export function withNeighbours({ said }: Conversation, ids: readonly string[]): string[] {
  const known = new Set(said.map(({ id }) => id))
  const beside = ids.flatMap((id) => {
    const [session, number] = id.split(':')
    return [-1, 0, 1].map((step) => `${session}:${Number(number) + step}`)
  })
  return [...new Set(beside)].filter((id) => known.has(id))
}

/** The first turns that fit into so many words; one that is too long leaves its room to the next ones. */
export function withinWords({ said }: Conversation, ids: readonly string[], words: number): string[] {
  const texts = new Map(said.map(({ id, text }) => [id, text]))
  let room = words
  return ids.filter((id) => {
    const length = texts.get(id)!.split(/\s+/).length
    if (length > room) return false
    room -= length
    return true
  })
}
