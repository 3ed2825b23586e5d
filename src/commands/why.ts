/** /persona why: what went into the last reply to this person in this conversation. */

import type { Json } from '../adapter.ts'
import { day } from '../memory/episodes.ts'
import type { Evidence } from '../preference/analyser.ts'
import { type Dimension, dimensions, type Partly } from '../preference/dimensions.ts'
import { lastReply } from '../store/views.ts'
import { block } from './chart.ts'
import type { CommandContext } from './command.ts'
import { minuteName } from './dates.ts'
import { amount } from './portrait.ts'
import { echo } from './words.ts'

/** Characters of a recalled text, and of what an action did. */
const EXCERPT = 200

const REASONS: { readonly [kind in Evidence['evidence']]: string } = {
  explicit: 'you asked for it',
  accepted: 'you liked it so',
  words: 'from how you wrote',
}

export async function why({ queries, message, now }: CommandContext): Promise<string> {
  const last = await lastReply(queries, message)
  if (last === undefined) return "I haven't answered you in this conversation yet."
  const { turn, evidence } = last
  const sections = [
    `**Why I answered ${echo(turn.question)} as I did**`,
    turn.directive.trim() === ''
      ? 'No style was asked of the model.'
      : `The style that was asked of the model:\n${block(turn.directive.trim())}`,
    readFrom(evidence),
    list(
      'What I recalled',
      turn.recalled.map(({ at, text }) => `${dayOf(at, now)}: ${echo(text, EXCERPT)}`),
    ),
    list('What I did', turn.actions.map(actionText)),
    turn.model === null
      ? `No language model wrote this reply of ${minuteName(turn.answeredAt, now)}.`
      : `The model ${echo(turn.model)} wrote it, ${minuteName(turn.answeredAt, now)}.`,
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function readFrom(evidence: Partly<Evidence> | null): string {
  if (evidence === null) return 'What I read from your message was forgotten since.'
  const read = dimensions.flatMap((dimension) => {
    const found = evidence[dimension]
    return found === undefined ? [] : [reading(dimension, found)]
  })
  return read.length === 0
    ? 'From your message I read nothing about style.'
    : list('What I read from your message', read)
}

function reading(dimension: Dimension, { value, label, evidence, because }: Evidence): string {
  const reason = because.trim() === '' ? '' : `: ${echo(because)}`
  return `${dimension} ${label} (${amount(dimension, value, label).toFixed(2)}), ${REASONS[evidence]}${reason}`
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n${items.map((item) => `- ${item}`).join('\n')}`
}

/** An action as `calculate {"expression":"6*7"}`: `6*7 = 42`; anything else as it is stored. */
function actionText(action: Json): string {
  if (typeof action === 'object' && action !== null && 'action' in action && 'result' in action) {
    const { action: name, arguments: given, result } = action
    return `${echo(`${name} ${JSON.stringify(given ?? {})}`, EXCERPT)}: ${echo(String(result), EXCERPT)}`
  }
  return echo(typeof action === 'string' ? action : JSON.stringify(action), EXCERPT)
}

/** Of a time as it is stored, the day; any other words as they are. */
function dayOf(at: string, now: Date): string {
  return /^\d{4}-\d{2}-\d{2}/.test(at) && !Number.isNaN(Date.parse(at)) ? day(new Date(at), now) : echo(at)
}
