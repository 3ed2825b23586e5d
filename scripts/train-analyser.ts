/** Trains the built-in analyser, prints its figures on the test splits, and writes weights and model card. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createAnalyser } from '../src/preference/analyser.ts'
import { BUCKETS, tokensOf } from '../src/preference/features.ts'
import { Weights } from '../src/preference/heads.ts'
import { cardOf, type Figures, tableOf } from './train/card.ts'
import { openData, readEmotions, readFormality, readPoliteness } from './train/corpora.ts'
import { trainEmotions } from './train/emotions.ts'
import { trainScale } from './train/scales.ts'

const VOCABULARY = 2000
const WEIGHTS = new URL('../models/analyser.json', import.meta.url)
const CARD = new URL('../models/MODEL_CARD.md', import.meta.url)

function main(): void {
  const { values } = parseArgs({ options: { data: { type: 'string', default: '../shared/data' } } })
  openData(values.data)
  const emotions = trainEmotions(values.data)
  const formal = trainScale(readFormality(values.data))
  const polite = trainScale(readPoliteness(values.data))
  const weights = Weights.parse({
    buckets: BUCKETS,
    heads: { ...emotions.heads, formal: formal.head, polite: polite.head },
    percentiles: { formal: formal.percentiles, polite: polite.percentiles },
    vocabulary: commonWords(readEmotions(values.data, 'train').map(({ text }) => text)).join(' '),
  })
  const file = `${JSON.stringify(weights, null, 1)}\n`
  writeFileSync(WEIGHTS, file)
  const figures: Figures = {
    ...emotions,
    formality: formal.figures,
    politeness: polite.figures,
    bytes: Buffer.byteLength(file),
    microseconds: speed(
      weights,
      readEmotions(values.data, 'test').map(({ text }) => text),
    ),
  }
  writeFileSync(CARD, cardOf(figures))
  console.log(tableOf(figures))
}

/** In order of frequency; words of one letter other than a and i say nothing of a language. */
function commonWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const token of tokensOf(text))
      if (/^(?:[a-z][a-z']+|a|i)$/.test(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, VOCABULARY)
    .map(([word]) => word)
}

/** Mean microseconds of processor time that a comment takes once warm, so that a busy machine changes little. */
function speed(weights: Weights, texts: readonly string[]): number {
  const analyse = createAnalyser(weights)
  for (const text of texts) analyse(text)
  const start = process.cpuUsage()
  for (const text of texts) analyse(text)
  return process.cpuUsage(start).user / texts.length
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
