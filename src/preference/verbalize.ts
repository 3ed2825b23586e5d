/** A preference in words: the paper's line (PAMU, Algorithm 1), and under it sentences that a small model can follow. */

import { DIMENSIONS, type Dimension, dimensions, type Partly } from './dimensions.ts'
import { directiveLine } from './labels.ts'

/** The words for one label. */
interface Words {
  /** What the model is asked to do. */
  readonly sentence: string
  /** As it stands in "I'll … from now on." */
  readonly change: string
}

/** The words for every label of every dimension. */
export type Manner = { readonly [D in Dimension]: Readonly<Record<string, Words>> }

/** Sentences in this order: the last is followed best, and length is what people notice first. */
const SENTENCES: readonly Dimension[] = ['tone', 'emotion', 'formality', 'density', 'length']

/** How many tokens an answer of this length may take, generously. */
const TOKENS: Readonly<Record<string, number>> = { brief: 120, moderate: 360, detailed: 1000 }
const TOKENS_UNKNOWN = 600

/**
 * Reads the table of words: `| dimension | label | sentence | change |`.
 * @throws Error naming the label that has no row, or the row that has no label
 */
export function readManner(table: string): Manner {
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*:?-/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .slice(1)
  const manner: { [D in Dimension]: Record<string, Words> } = {
    tone: {},
    length: {},
    emotion: {},
    density: {},
    formality: {},
  }
  for (const [, dimension = '', label = '', sentence = '', change = ''] of rows) {
    const known = dimensions.find((name) => name === dimension)
    const labels: readonly string[] = known ? DIMENSIONS[known].labels : []
    if (known === undefined || !labels.includes(label)) {
      throw new Error(
        `Expected each row of prompts/style.md to name a dimension and its label, got \`${dimension} ${label}\``,
      )
    }
    manner[known][label] = { sentence, change }
  }
  for (const dimension of dimensions) {
    for (const label of DIMENSIONS[dimension].labels) {
      const words = manner[dimension][label]
      if (!words?.sentence || !words.change) {
        throw new Error(
          `Expected prompts/style.md to have a sentence and a change for \`${dimension} ${label}\`, got none`,
        )
      }
    }
  }
  return manner
}

/** The style text that is put to the model: empty when nothing is known. */
export function directive(labels: Partly<string>, manner: Manner): string {
  const sentences = SENTENCES.flatMap((dimension) => manner[dimension][labels[dimension] ?? '']?.sentence ?? [])
  return `${directiveLine(labels)}${sentences.join(' ')}`.trim()
}

/** Tokens that an answer of this length may take. */
export function answerTokens(length: string | undefined): number {
  return TOKENS[length ?? ''] ?? TOKENS_UNKNOWN
}

/** Tells the person that the bot changed its manner; empty when none of these labels is known. */
export function changeNotice(changed: readonly Dimension[], labels: Partly<string>, manner: Manner): string {
  const changes = changed.flatMap((dimension) => manner[dimension][labels[dimension] ?? '']?.change ?? [])
  if (changes.length === 0) return ''
  const last = changes.at(-1) ?? ''
  const said = changes.length === 1 ? last : `${changes.slice(0, -1).join(', ')} and ${last}`
  return `_I'll ${said} from now on._ \`/persona undo\``
}
