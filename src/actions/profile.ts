/** profile: all lines that are known of this person and may be told here; the prompt holds only the best supported. */

import { z } from 'zod'
import { listed } from '../memory/profile.ts'
import { action } from './action.ts'

const TOKENS = 800

export const profile = action({
  name: 'profile',
  description: 'Lists the facts that are known of the person, in their own words.',
  parameters: z.strictObject({}),
  mayHelp: ({ text }) =>
    /\b(?:know|remember|learned|learnt|got|have) (?:about|of|on) me\b|\bwho am i\b|\bmy profile\b|\babout myself\b/i.test(
      text,
    ),
  run(_, { known }) {
    const lines = known.profile
    if (lines.length === 0) return { text: 'Nothing is known yet.' }
    return {
      text: listed(lines, TOKENS),
      turnIds: [...new Set(lines.flatMap(({ turnIds }) => turnIds))],
      lineIds: lines.map(({ lineId }) => lineId),
    }
  },
})
