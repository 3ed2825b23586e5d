/** What became of a message, in the form that `--json` prints. */

import type { IncomingMessage, Rating, TurnRecord } from './adapter.ts'
import type { Reading } from './preference/analyser.ts'
import { shown as shownNow } from './preference/contexts.ts'
import { DIMENSIONS, dimensions, type Partly, type Vector } from './preference/dimensions.ts'
import type { Lesson } from './preference/learn.ts'
import type { Shown } from './preference/person.ts'
import type { Known } from './store/people.ts'
import type { NewTurn } from './store/turns.ts'
import { settingsOf } from './workspace.ts'

/** `text` is the reply as posted, the bot's own notice included. */
export function turnRecord(done: {
  readonly message: IncomingMessage
  readonly text: string
  readonly reading: Reading
  readonly lesson: Lesson
  readonly pins: Partly<string>
  readonly turn: NewTurn
  readonly ms: TurnRecord['ms']
}): TurnRecord {
  const { directive, recalled, actions, model } = done.turn
  return {
    as: done.message.author.name,
    reply: done.text,
    directive,
    observed: observed(done.reading),
    estimate: estimate(done.lesson.shown, done.pins),
    events: done.lesson.events,
    recalled,
    actions,
    model: model !== null,
    ms: done.ms,
  }
}

/** Of a command, or of an apology: nothing was observed. */
export function commandRecord(
  message: { readonly author: { readonly name: string } },
  text: string,
  known: Known,
  own: number,
): TurnRecord {
  const { own: mine, overall } = known.learned
  const now = shownNow(mine, overall, settingsOf(known.tuning)).shown
  return {
    ...nothing(message.author.name),
    reply: text,
    estimate: estimate(now, known.pins),
    ms: { own, model: 0 },
  }
}

export function ratingRecord(rating: Rating, rated: Rating['rating'] | null): TurnRecord {
  return { ...nothing(rating.author.name), rated }
}

function nothing(as: string): TurnRecord {
  return {
    as,
    reply: '',
    directive: '',
    observed: {},
    estimate: {},
    events: [],
    recalled: [],
    actions: [],
    model: false,
    ms: { own: 0, model: 0 },
  }
}

/** A scale's value is its number; a category's is its label, with the weight of each label beside it. */
function observed(reading: Reading): TurnRecord['observed'] {
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const evidence = reading.observed[dimension]
      if (evidence === undefined) return []
      const { kind, labels } = DIMENSIONS[dimension]
      const read =
        kind === 'scale'
          ? { value: evidence.value[0] ?? 0 }
          : { value: evidence.label, probabilities: weights(labels, evidence.value) }
      return [[dimension, read]]
    }),
  )
}

/** The labels as they are put to the model. A category's value is the weight of its label. */
function estimate(shown: Partly<Shown>, pins: Partly<string>): TurnRecord['estimate'] {
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const { kind, labels } = DIMENSIONS[dimension]
      const label = pins[dimension] ?? shown[dimension]?.label
      if (label === undefined) return []
      const index = (labels as readonly string[]).indexOf(label)
      const value = shown[dimension]?.value ?? pinnedValue(kind, labels.length, index)
      return [[dimension, { label, value: (kind === 'scale' ? value[0] : value[index]) ?? 0 }]]
    }),
  )
}

/** A pin of something that was never observed: the middle of its label, or all of its weight. */
function pinnedValue(kind: 'scale' | 'category', count: number, index: number): Vector {
  return kind === 'scale' ? [(index + 0.5) / count] : Array.from({ length: count }, (_, i) => (i === index ? 1 : 0))
}

function weights(labels: readonly string[], value: Vector): Record<string, number> {
  return Object.fromEntries(labels.map((label, index) => [label, value[index] ?? 0]))
}
