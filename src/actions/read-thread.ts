/** read_thread: what was said to the bot in this very conversation, by anybody in it, and what it answered. */

import { z } from 'zod'
import { cut, estimateTokens } from '../llm/budget.ts'
import { lastOfThread, type Spoken } from '../store/thread.ts'
import { action } from './action.ts'
import { plain } from './plain.ts'

const MOST_TURNS = 20
/** Of all lines together, and characters of one message; an answer of the bot's own is cut shorter. */
const TOKENS = 450
const CHARACTERS = 1400
const MESSAGE = 240
const ANSWER = 160

const PLACE = '(?:this |the |our |that )?(?:thread|conversation|discussion|channel|chat)'
const ASKS = new RegExp(
  [
    `\\b(?:read|summari[sz]e|sum up|recap|go through|look (?:at|through)|check)\\b.*\\b${PLACE}\\b`,
    `\\b(?:earlier|above|before|so far|said|discussed|decided|written|asked|going on|happened|happening) (?:in|on) ${PLACE}\\b`,
    '\\bcatch me up\\b|\\bfill me in\\b|\\btl;?dr\\b|\\bwhat (?:did|have) (?:i|we) miss(?:ed)?\\b|\\bscroll (?:up|back)\\b',
    '\\bwhat (?:has|have|did|was|were|is) (?:\\S+ ){1,3}(?:said|say|ask|asked|discussed?|decided?|agreed?|propose[ds]?|suggest(?:ed)?) (?:here|above|so far|earlier|just now)\\b',
    '\\bwhat (?:did|has|have) (?:everyone|everybody|anyone|anybody|the others|others|people|they|the team|[A-Z]\\w+) (?:say|said|ask|asked|decided?|think|suggest(?:ed)?|propose[ds]?)\\b',
  ].join('|'),
  'i',
)

export const readThread = action({
  name: 'read_thread',
  description: 'Reads the last messages to you in this conversation, those of others too, with your answers.',
  // Small models name a thread that they made up; it changes nothing.
  parameters: z.object({}),
  mayHelp: ({ text }) => ASKS.test(text),
  async run(_, { queries, place, timezone }) {
    const spoken = await lastOfThread(queries, place, MOST_TURNS)
    const shown = newestWithin(spoken.map((turn) => ({ turnId: turn.turnId, lines: linesOf(turn, timezone) })))
    if (shown.length === 0) return { text: 'Nothing was said to me here before.' }
    return {
      text: shown.map(({ lines }) => lines).join('\n'),
      source: 'the people in this conversation',
      turnIds: shown.map(({ turnId }) => turnId),
    }
  },
})

interface Shown {
  readonly turnId: number
  readonly lines: string
}

function linesOf({ at, name, question, reply }: Spoken, timeZone: string): string {
  const day = at.toLocaleDateString('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const asked = `${day} ${time}, ${quote(name, 40).replaceAll(/[:,]/g, '')}: "${quote(question, MESSAGE)}"`
  return reply.trim() === '' ? asked : `${asked}\nYou answered: "${quote(reply, ANSWER)}"`
}

function quote(text: string, length: number): string {
  return cut(plain(text).replaceAll(/\s+/g, ' '), length).replaceAll('"', "'")
}

/** As many of the last as there is room for, oldest first. */
function newestWithin(turns: readonly Shown[]): readonly Shown[] {
  let [tokens, characters] = [TOKENS, CHARACTERS]
  const from = turns.findLastIndex(({ lines }) => {
    tokens -= estimateTokens(lines)
    characters -= lines.length + 1
    return tokens < 0 || characters < 0
  })
  return turns.slice(from + 1)
}
