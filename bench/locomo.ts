/**
 * Measures recall on LoCoMo: npm run bench:locomo -- --data FILE
 * Both speakers' turns become episodes of one person in a database made for it (embedded, or on the Postgres of
 * DATABASE_URL). `--answers MODEL` has a model of OLLAMA_HOST answer as well. Vectors come from the model in MODELS_DIR.
 */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createLlm } from '../src/llm/client.ts'
import { parseHost } from '../src/llm/host.ts'
import { loadPrompts } from '../src/prompts.ts'
import type { Database } from '../src/store/database.ts'
import { answer, type Marks, styleOf } from './locomo/answers.ts'
import { CATEGORIES, type Conversation, readLocomo } from './locomo/data.ts'
import { type Embed, loadEmbedder } from './locomo/embed.ts'
import { mean, recallAt } from './locomo/metrics.ts'
import { ABLATIONS, retrieve, type Shown, withinWords, withNeighbours } from './locomo/retrieval.ts'
import { type Stored, storeConversation } from './locomo/store.ts'
import { embeddedPlace, serverPlace } from './own/places.ts'
import { quantile, rounded, type Target, targetLine } from './own/report.ts'

const { values: flags } = parseArgs({ options: { data: { type: 'string' }, answers: { type: 'string' } } })
if (flags.data === undefined) throw new Error('Expected `--data` to be a LoCoMo file such as locomo10.json, got none')
const conversations = readLocomo(flags.data)
if (existsSync('.env')) process.loadEnvFile('.env')
const embed = await loadEmbedder(process.env['MODELS_DIR'] ?? '../shared/models')

const server = process.env['DATABASE_URL']
const place = server ? await serverPlace(server) : await embeddedPlace()
const shown: Shown[] = []
const plain: Marks[] = []
const styled: Marks[] = []
try {
  const database = await place.open('attune:bench')
  for (const conversation of conversations) await measure(database, conversation)
  await database.close()
} finally {
  await place.remove()
}
report()

async function measure({ queries }: Database, conversation: Conversation): Promise<void> {
  const started = performance.now()
  const stored = await storeConversation(queries, conversation, embed)
  const results = await retrieve(queries, conversation, stored, embed)
  shown.push(...results)
  const seconds = (performance.now() - started) / 1000
  const main = results.filter(isMain)
  console.log(line(conversation.id, main, byIds), `  ${main.length} questions, ${rounded(seconds)} s`)
  if (flags.answers !== undefined) await answerAll(queries, conversation, stored, embed, flags.answers)
}

async function answerAll(
  queries: Database['queries'],
  conversation: Conversation,
  stored: Stored,
  vectors: Embed,
  model: string,
): Promise<void> {
  const host = parseHost(process.env['OLLAMA_HOST'] ?? 'http://127.0.0.1:11434')
  const llm = createLlm({ host, model, contextTokens: 4096 })
  const style = styleOf(conversation, loadPrompts().manner)
  console.log(`${conversation.id}: style ${JSON.stringify(style)}`)
  plain.push(...(await answer(queries, conversation, stored, vectors, llm, '')))
  styled.push(...(await answer(queries, conversation, stored, vectors, llm, style)))
}

function report(): void {
  const main = shown.filter(isMain)
  console.log(`\n${place.name}: evidence among the first 5 / 10 / 20, %`)
  CATEGORIES.forEach((name, i) => {
    console.log(
      line(
        `${i + 1} ${name}`,
        shown.filter(({ asked }) => asked.category === i + 1),
        byIds,
      ),
    )
  })
  console.log(line('1-4, single turns', main, byIds))
  console.log(line('1-4, turns and neighbours', main, besides))
  for (const name of ABLATIONS.keys()) console.log(line(name, main, ({ ablated }) => ablated.get(name)!))
  const times = shown.map(({ ms }) => ms)
  console.log(
    `\nrecall of a question: p50 ${rounded(quantile(times, 0.5))} ms, p95 ${rounded(quantile(times, 0.95))} ms`,
  )
  if (plain.length > 0) {
    console.log(marksLine('answers, no style', plain))
    console.log(marksLine('answers, learned style', styled))
  }
  for (const target of targets(main)) console.log(targetLine(target))
}

function targets(main: readonly Shown[]): Target[] {
  const most = [76, 84, 89]
  const within = mean(
    main.map((one) => recallAt(Infinity, one.asked.evidence, withinWords(one.conversation, one.more, 350))),
  )
  return [
    ...[5, 10, 20].map((k, i) => ({
      what: `evidence among ${k} turns`,
      value: share(main, k, byIds),
      unit: '%',
      bound: most[i]!,
      atLeast: true,
    })),
    { what: 'evidence within 350 words of single turns', value: 100 * within, unit: '%', bound: 85, atLeast: true },
  ]
}

function isMain({ asked }: Shown): boolean {
  return asked.category <= 4
}

type Pick = (shown: Shown, k: number) => readonly string[]

function byIds({ ids }: Shown): readonly string[] {
  return ids
}

function besides({ conversation, ids }: Shown, k: number): readonly string[] {
  return withNeighbours(conversation, ids.slice(0, k))
}

function share(results: readonly Shown[], k: number, pick: Pick): number {
  return 100 * mean(results.map((one) => recallAt(pick === besides ? Infinity : k, one.asked.evidence, pick(one, k))))
}

function line(name: string, results: readonly Shown[], pick: Pick): string {
  return name.padEnd(34) + [5, 10, 20].map((k) => share(results, k, pick).toFixed(1).padStart(7)).join('')
}

function marksLine(name: string, marks: readonly Marks[]): string {
  const of = (list: readonly Marks[]) =>
    [list.map(({ official }) => official), list.map(({ f1 }) => f1), list.map(({ bleu1 }) => bleu1)]
      .map((values) => (100 * mean(values)).toFixed(1).padStart(6))
      .join('')
  const rows = CATEGORIES.map(
    (category, i) => `\n  ${category.padEnd(32)}${of(marks.filter((one) => one.category === i + 1))}`,
  )
  return `${name.padEnd(34)}${of(marks.filter(({ category }) => category <= 4))}  official F1, A-MEM F1, BLEU-1 (1-4)${rows.join('')}`
}
