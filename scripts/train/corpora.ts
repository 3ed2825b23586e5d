/** The four corpora as rows of text and label, and the groupings of emotions that the heads learn. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Emotional {
  readonly text: string
  /** Names of GoEmotions labels. */
  readonly emotions: readonly string[]
}

export interface Scored {
  readonly text: string
  readonly score: number
  readonly source: string
}

const JOY = ['admiration', 'amusement', 'approval', 'caring', 'desire', 'excitement', 'gratitude', 'joy', 'love']
const GLAD = [...JOY, 'optimism', 'pride', 'relief']
const SAD = ['disappointment', 'embarrassment', 'grief', 'remorse', 'sadness']
const AFRAID = ['fear', 'nervousness']

/** The paper's grouping into Ekman's six and neutral. */
export const EKMAN: Readonly<Record<string, readonly string[]>> = {
  anger: ['anger', 'annoyance', 'disapproval'],
  disgust: ['disgust'],
  fear: AFRAID,
  joy: GLAD,
  neutral: ['neutral'],
  sadness: SAD,
  surprise: ['surprise', 'realization', 'confusion', 'curiosity'],
}

/** The grouping for chat, in which a question is not a surprise and a finding is nothing felt. */
export const CHAT: Readonly<Record<string, readonly string[]>> = {
  joyful: GLAD,
  angry: ['anger', 'annoyance', 'disapproval', 'disgust'],
  sad: SAD,
  anxious: AFRAID,
  surprised: ['surprise'],
  curious: ['curiosity', 'confusion'],
  neutral: ['neutral', 'realization'],
}

/** What the heads for tone learn beside the grouping. */
export const TONE: Readonly<Record<string, readonly string[]>> = { amused: ['amusement'], grateful: ['gratitude'] }

/** One folder of the data, or a sentence that says what is missing. */
export function openData(folder: string): void {
  for (const file of ['goemotions/train.tsv', 'pavlick/news.tsv', 'politeness/wikipedia.csv'])
    if (!existsSync(join(folder, file)))
      throw new Error(`Expected the corpora in \`${folder}\`, got no \`${file}\`: name their folder with --data DIR.`)
}

export function readEmotions(folder: string, split: 'train' | 'dev' | 'test'): Emotional[] {
  const names = linesOf(join(folder, 'goemotions', 'labels.txt'))
  return linesOf(join(folder, 'goemotions', `${split}.tsv`)).map((line) => {
    const [text = '', numbers = ''] = line.split('\t')
    return { text, emotions: numbers.split(',').map((number) => names[Number(number)]!) }
  })
}

export function readFormality(folder: string): Scored[] {
  return ['answers', 'blog', 'email', 'news'].flatMap((source) =>
    linesOf(join(folder, 'pavlick', `${source}.tsv`), 'latin1').map((line) => {
      const [score = '', , , text = ''] = line.split('\t')
      return { text: untokenised(text), score: Number(score), source }
    }),
  )
}

export function readPoliteness(folder: string): Scored[] {
  return ['stack-exchange', 'wikipedia'].flatMap((source) =>
    csvRows(readFileSync(join(folder, 'politeness', `${source}.csv`), 'utf8'))
      .slice(1)
      .map(([text = '', score = '']) => ({ text, score: Number(score), source })),
  )
}

/** Undoes the Penn Treebank's tokens, which nobody types. */
export function untokenised(text: string): string {
  return text
    .replace(/ (n't|'(?:s|m|re|ve|ll|d)\b)/gi, '$1')
    .replace(/ ([.,!?;:%)\]])/g, '$1')
    .replace(/([([$]) /g, '$1')
    .replace(/`` ?| ?''/g, '"')
}

function linesOf(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  return readFileSync(path, encoding)
    .split('\n')
    .filter((line) => line.length > 0)
}

/** Rows of a CSV with quoted fields, in which `""` is a quotation mark. */
function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push(row)
    if (end !== ',') row = []
    if (end === '') break
  }
  return rows.filter((cells) => cells.length > 1)
}
