/** current_time: the date and the time of day when the message was sent, in the time zone of the workspace. */

import { z } from 'zod'
import { action } from './action.ts'

const ASKS =
  /\bwhat(?:'s|s| is)? (?:the |today's )?(?:current )?(?:time|date|day|year|month)\b|\bwhat time\b|\b(?:which|what) (?:day|date|month|year|week) (?:is|do we)\b|\bcurrent (?:time|date)\b|\btime is it\b|\btoday's date\b|\bhow (?:long|many (?:days|weeks|months|hours))\b.*\b(?:until|till|to|before|since|left|ago)\b/i

export const currentTime = action({
  name: 'current_time',
  description: 'Tells the date, the day of the week and the time of day now.',
  // Small models name a date that they made up; it changes nothing.
  parameters: z.object({}),
  mayHelp: ({ text }) => ASKS.test(text),
  run: (_, { now, timezone }) => ({ text: timeIn(now, timezone) }),
})

/** `Sunday, 1 March 2026 at 13:00 (Europe/Berlin)`. */
function timeIn(at: Date, timeZone: string): string {
  const weekday = at.toLocaleDateString('en-GB', { timeZone, weekday: 'long' })
  const day = at.toLocaleDateString('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' })
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return `${weekday}, ${day} at ${time} (${timeZone})`
}
