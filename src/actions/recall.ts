/** recall: what this person said before, looked for with words and days that the model chooses. */

import { z } from 'zod'
import { quoted, recall as recalled } from '../memory/episodes.ts'
import { instantOf } from '../memory/zone.ts'
import { action, shortly } from './action.ts'

const MOST_TURNS = 6
const DAY_MS = 24 * 60 * 60 * 1000

const day = (which: string) =>
  z
    .string()
    .refine((text) => dayOf(text) !== null)
    .optional()
    .describe(`${which}, as YYYY-MM-DD`)

const ASKS =
  /\b(?:did|do|have|had|was|were|has) (?:i|we)\b.*\b(?:say|said|tell|told|mention(?:ed)?|ask(?:ed)?|talk(?:ed)?|wr[oi]te|written|discuss(?:ed)?|decide[d]?)\b|\b(?:i|we) (?:said|told|mentioned|asked|talked|discussed|decided|wrote)\b|\bdo you (?:remember|recall)\b|\bremind me (?:of|what|when|who|where|which|how|why|about)\b|\blook (?:it |that )?up in\b.*\bsaid\b/i

export const recall = action({
  name: 'recall',
  description: 'Looks through what the person said in earlier conversations.',
  parameters: z.strictObject({
    query: z.string().min(1).max(300).describe('a few words to look for'),
    from: day('the first day to look at'),
    to: day('the last day to look at'),
  }),
  mayHelp: ({ text }) => ASKS.test(text),
  async run({ query, from, to }, { queries, place, now, timezone, vectorOf }) {
    const first = from === undefined ? undefined : dayOf(from)
    const last = to === undefined ? undefined : dayOf(to)
    if (first && last && first > last) {
      throw new RangeError(`Expected \`to\` to be a day from ${from} on, got ${shortly(to)}`)
    }
    const episodes = await recalled(queries, place, query, {
      vector: await vectorOf(query),
      limit: MOST_TURNS,
      without: [],
      now,
      timezone,
      ...(first && { from: instantOf(first, timezone) }),
      ...(last && { to: instantOf(last + DAY_MS, timezone) }),
    })
    if (episodes.length === 0) return { text: 'Nothing was found.' }
    return { text: quoted(episodes, now), turnIds: episodes.map(({ turnId }) => turnId) }
  },
})

/** The day's beginning as a wall shows it, in milliseconds; null: there is no such day. */
function dayOf(text: string): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined || month === undefined || date === undefined) return null
  const time = Date.UTC(Number(year), Number(month) - 1, Number(date))
  return new Date(time).toISOString().startsWith(text) ? time : null
}
