/** forget: lines of this person's profile. What they said stays; erasing that is for `/persona forget`. */

import { z } from 'zod'
import { contentOf, isWithin } from '../memory/profile-words.ts'
import { linesHere } from '../store/profile.ts'
import { action, shortly } from './action.ts'

const ASKS =
  /(?:^|[.!?,;:]\s*|\b(?:please|to|and|you|now|just)\s+)(?:forget|erase|delete|remove|stop remembering)\b.*\b(?:i|i'm|i've|my|me|mine|that|about)\b/i

export const forget = action({
  name: 'forget',
  description: 'Forgets facts about the person. Only when they ask for it.',
  parameters: z.strictObject({
    fact: z.string().min(2).max(200).describe('the fact to forget, in the words that the person used'),
  }),
  mayHelp: ({ text }) => ASKS.test(text),
  async run({ fact }, { queries, place, question, known }) {
    if (known.isPaused) return { text: `${place.author.name} has paused me: nothing is changed until they resume.` }
    const content = contentOf(fact)
    if (content.size === 0 || !isWithin(content, contentOf(question))) {
      throw new RangeError(`Expected \`fact\` to be what ${place.author.name} asked to forget, got ${shortly(fact)}`)
    }
    const lines = (await linesHere(queries, place)).filter(({ text }) => isWithin(content, contentOf(text)))
    if (lines.length === 0) return { text: 'No fact like that is known.' }
    // The words of the lines are not repeated: what is stored of this turn would hold them on.
    return {
      text: `${lines.length === 1 ? '1 fact is' : `${lines.length} facts are`} forgotten. What was said stays, until \`/persona forget\` erases it.`,
      effect: { kind: 'forget', lineIds: lines.map(({ lineId }) => lineId) },
    }
  },
})
