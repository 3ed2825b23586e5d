/** Trains the built-in analyser, prints its figures on the test splits, and writes weights and model card. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createAnalyser } from '../src/preference/analyser.ts'
import { BUCKETS, featuresOf, tokensOf } from '../src/preference/features.ts'
import { createMargins, valuesOf, Weights } from '../src/preference/heads.ts'
import { cardOf, type Figures, tableOf } from './train/card.ts'
import { openData, readEmotions, readFormality, readPoliteness } from './train/corpora.ts'
import { type Emotions, trainEmotions } from './train/emotions.ts'
import type { HeadWeights } from './train/head.ts'
import { type Others, trainPoliteness } from './train/politeness.ts'
import { trainFormality } from './train/scales.ts'

const VOCABULARY = 2000
const ROUNDS = 8
const WEIGHTS = new URL('../models/analyser.json', import.meta.url)
const CARD = new URL('../models/MODEL_CARD.md', import.meta.url)

function main(): void {
  const { values } = parseArgs({ options: { data: { type: 'string', default: '../shared/data' } } })
  openData(values.data)
  const emotions = trainEmotions(values.data)
  const formal = trainFormality(readFormality(values.data))
  const polite = trainPoliteness(readPoliteness(values.data), othersOf(emotions.heads, formal.weights))
  const weights = Weights.parse({
    buckets: BUCKETS,
    heads: { ...emotions.heads, formal: formal.weights.head, polite: polite.weights.head },
    polite: polite.weights.polite,
    percentiles: { formal: formal.weights.percentiles, polite: polite.weights.percentiles },
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

/** The margins that politeness builds on, from the heads trained before it. */
function othersOf(emotions: Emotions['heads'], formal: { head: HeadWeights; percentiles: number[] }): Others {
  const heads = Weights.shape.heads.parse({ ...emotions, formal: formal.head, polite: formal.head })
  const margins = createMargins({ heads, percentiles: { formal: formal.percentiles, polite: formal.percentiles } })
  return (text) => valuesOf(margins(featuresOf(text)))
}

/** In order of frequency; words of one letter other than a and i say nothing of a language. */
function commonWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const { text: token } of tokensOf(text))
      if (/^(?:[a-z][a-z']+|a|i)$/.test(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, VOCABULARY)
    .map(([word]) => word)
}

/** Mean microseconds of processor time for a comment, in the best of some rounds, so that a busy machine changes little. */
function speed(weights: Weights, texts: readonly string[]): number {
  const analyse = createAnalyser(weights)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage()
    for (const text of texts) analyse(text)
    return process.cpuUsage(start).user / texts.length
  })
  return Math.min(...rounds)
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
