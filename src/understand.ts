/** Everything before the model is asked: what the words say of the person, and what the person said before. */

import type { IncomingMessage } from './adapter.ts'
import type { Embedded } from './memory/candidates.ts'
import { type Episode, recalledFrom, scanFor } from './memory/episodes.ts'
import { rememberedFrom } from './memory/profile-claims.ts'
import { asked } from './notice.ts'
import type { Parts } from './parts.ts'
import { type Lesson, learn } from './preference/learn.ts'
import { directive } from './preference/verbalize.ts'
import { type Known, loadKnown } from './store/people.ts'
import { settingsOf, TIMEZONE } from './workspace.ts'

/** Turns of the conversation that are put to the model word for word. */
const HISTORY_TURNS = 12
const RECALLED_TURNS = 4
/** What shares no word with the message has to be this near in meaning: small models answer to what they are shown. */
const RECALLED_FROM_COSINE = 0.2

export interface Understood {
  readonly known: Known
  readonly settings: ReturnType<typeof settingsOf>
  readonly reading: ReturnType<Parts['analyse']>
  readonly lesson: Lesson
  /** The style text for the model. */
  readonly style: string
  readonly length: string | undefined
  readonly recalled: readonly Episode[]
  /** What was said on it anywhere, the last turns included. */
  readonly found: () => Promise<readonly Episode[]>
  readonly timezone: string
  /** What is added to the profile at once. */
  readonly remembered: readonly string[]
}

export async function understand(parts: Parts, message: IncomingMessage, question: string): Promise<Understood> {
  const { queries } = parts.database
  const [known, scanned] = await Promise.all([
    loadKnown(queries, message, HISTORY_TURNS),
    vectorOf(parts, question).then((vector) => scanFor(queries, message, question, vector)),
  ])
  const settings = settingsOf(known.tuning)
  const read = parts.analyse(question, known.history.at(-1)?.assistant ?? null)
  const reading = known.isPaused ? { ...read, observed: {} } : read
  const remembered = known.isPaused ? [] : rememberedFrom(question)
  const lesson = learn(known.learned, reading.observed, settings, 'turn')
  const labels = { ...lesson.labels, ...known.pins, ...asked(reading), ...reading.once }
  parts.onStep?.('analysed')

  const timezone = known.tuning.timezone ?? TIMEZONE
  const options = { limit: RECALLED_TURNS, leastCosine: RECALLED_FROM_COSINE, now: message.sentAt, timezone }
  const find = (without: readonly number[]) =>
    recalledFrom(queries, message, question, scanned, { ...options, without })
  const recalled = await find(known.history.map(({ turnId }) => turnId))
  parts.onStep?.('recalled')
  const style = settings.directive ? directive(labels, parts.prompts.manner) : ''
  const length = labels.length
  return { known, settings, reading, lesson, style, length, recalled, found: () => find([]), remembered, timezone }
}

export async function vectorOf({ meaning }: Parts, text: string): Promise<Embedded | null> {
  return (await meaning?.question(text)) ?? null
}
