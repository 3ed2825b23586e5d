/** remember: a fact that the person wants kept, if it is in their own words. It becomes a line of their profile. */

import { z } from 'zod'
import { evidenceOf } from '../memory/evidence.ts'
import { rememberedFrom } from '../memory/profile-claims.ts'
import { action, shortly } from './action.ts'

/** Stands for the turn under way, which has no id yet. */
const THIS_TURN = 0
const ASKS = /\b(?:remember|keep in mind|don't forget|do not forget|note (?:that|down|it)|make a note|memori[sz]e)\b/i
const QUESTION =
  /\b(?:do|did|can|could) (?:you|i) (?:still )?remember (?:what|when|who|where|which|how|why|my|me|the)\b|\bi (?:can't|don't|do not|cannot) remember\b/i

export const remember = action({
  name: 'remember',
  description: 'Keeps a fact about the person for good. Only when they ask for it.',
  parameters: z.strictObject({
    fact: z.string().min(3).max(200).describe('one sentence in the first person and in their own words'),
  }),
  mayHelp: ({ text, isKept }) => !isKept && ASKS.test(text) && !QUESTION.test(text),
  run({ fact }, { place, question, known }) {
    if (known.isPaused) return { text: `${place.author.name} has paused me: nothing is kept until they resume.` }
    const said = new Map([
      ...known.history.map(({ turnId, user }) => [turnId, [user]] as const),
      [THIS_TURN, [question]] as const,
    ])
    const [text] = rememberedFrom(`Remember that ${fact}`)
    const turnIds = text === undefined ? [] : evidenceOf({ text, turnIds: [...said.keys()] }, said, place.author.name)
    if (text === undefined || turnIds.length === 0) {
      throw new RangeError(
        `Expected \`fact\` to be something that ${place.author.name} said of themselves, got ${shortly(fact)}`,
      )
    }
    return {
      text: `Kept: ${text}`,
      effect: { kind: 'remember', text, turnIds: turnIds.filter((turnId) => turnId !== THIS_TURN) },
    }
  },
})
