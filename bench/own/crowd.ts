/** The simulated people who fill a database: who speaks how often and where, what they say, and what is read from it. */

import type { Evidence } from '../../src/preference/analyser.ts'
import { DIMENSIONS, dimensions, type Partly } from '../../src/preference/dimensions.ts'
import { labelIndex } from '../../src/preference/labels.ts'
import { people } from '../pamu/people.ts'
import { type Chance, chance } from '../pamu/random.ts'
import { createWriter, type Writer, zipf } from './words.ts'

export const WORKSPACE = 'terminal:bench'
export const SEED = 20251009
const PEOPLE = 200
const CHANNELS = 12

/** The next thing that somebody says. */
export interface Utterance {
  readonly name: string
  readonly person: string
  readonly conversation: string
  readonly context: string
  readonly text: string
  readonly evidence: Partly<Evidence>
}

export interface Crowd {
  next(): Utterance
  readonly writer: Writer
}

/** The busiest says about one in thirty of all messages. Everybody has a direct chat and speaks in some channels. */
export function createCrowd(seed: number): Crowd {
  const by = chance(seed)
  const writer = createWriter(by)
  const tastes = people(PEOPLE, SEED)
  const spoken = new Map<number, number>()
  const speaker = zipf(
    by,
    tastes.map((_, index) => index),
    9,
  )
  function next(): Utterance {
    const index = speaker()
    const turn = spoken.get(index) ?? 0
    spoken.set(index, turn + 1)
    const { observed } = tastes[index]!
    return { ...placeOf(by, index), text: writer.message(), evidence: read(by, observed[turn % observed.length]!) }
  }
  return { next, writer }
}

export function nameOf(index: number): string {
  return `person${index}`
}

/** Who speaks and where, when they speak to the bot alone. */
export function directOf(name: string) {
  return { name, person: `${WORKSPACE}:${name}`, context: 'direct', conversation: `${WORKSPACE}:direct:${name}` }
}

function placeOf(by: Chance, index: number) {
  const direct = directOf(nameOf(index))
  if (by.uniform() < 0.6) return direct
  const channel = `${WORKSPACE}:#channel${(index + by.whole(0, 3)) % CHANNELS}`
  return { ...direct, context: channel, conversation: channel }
}

/** A message in six says nothing of its author, the others something in six dimensions of ten. */
function read(by: Chance, observed: { readonly [D in (typeof dimensions)[number]]: readonly number[] }) {
  if (by.uniform() < 1 / 6) return {}
  const seen = dimensions.filter(() => by.uniform() < 0.6)
  return Object.fromEntries(
    seen.map((dimension): [string, Evidence] => {
      const value = observed[dimension].map((part) => Math.round(part * 1000) / 1000)
      const scheme = DIMENSIONS[dimension]
      const label = scheme.labels[labelIndex(value, scheme, null, 0)]!
      return [dimension, { value, label, evidence: 'words', because: 'the words' }]
    }),
  )
}
