/** set_preference: how the person says outright that they want to be answered. It counts as if the analyser had read it. */

import { z } from 'zod'
import { DIMENSIONS, dimensions } from '../preference/dimensions.ts'
import { action, shortly } from './action.ts'

const LASTING =
  /\b(?:from now on|in (?:the )?future|always|never|please be|(?:can|could) you be|you (?:can|should|may) be|stop being|be (?:more|less))\b.*\b(?:answer\w*|repl(?:y|ies)|respon\w+|tone|style|short\w*|brief\w*|long\w*|detail\w*|formal\w*|casual\w*|funn\w+|humou?r\w*|serious\w*|warm\w*|blunt\w*|dense|simpl\w+|playful|jok\w+|friendly|direct|terse|chatty)\b/i
const WISH =
  /\bi(?:'d| would)? (?:really |much )?(?:prefer|like|love|want|need|hate|dislike)\b.*\b(?:answers|replies|responses|explanations|you to (?:be|sound|answer|reply|talk|write|speak)|your (?:tone|style))\b/i

const LABELS = dimensions.map((dimension) => `${dimension}: ${DIMENSIONS[dimension].labels.join(', ')}`).join('; ')

export const setPreference = action({
  name: 'set_preference',
  description: `Sets how the person wants to be answered from now on. Only when they say so. Values by dimension: ${LABELS}.`,
  parameters: z.strictObject({
    dimension: z.enum(dimensions).describe(`one of ${dimensions.join(', ')}`),
    value: z.string().describe('one of the values of that dimension'),
  }),
  mayHelp: ({ text, isRead }) => !isRead && (LASTING.test(text) || WISH.test(text)),
  run({ dimension, value }, { place, known }) {
    const labels: readonly string[] = DIMENSIONS[dimension].labels
    const label = labels.find((one) => one === value.trim().toLowerCase())
    if (label === undefined) {
      throw new RangeError(`Expected \`value\` to be one of ${labels.join(', ')}, got ${shortly(value)}`)
    }
    if (known.isPaused) return { text: `${place.author.name} has paused me: nothing is kept until they resume.` }
    const pin = known.pins[dimension]
    if (pin !== undefined && pin !== label) {
      return { text: `Not changed: ${dimension} is pinned to ${pin}; \`/persona unset ${dimension}\` lets go of it.` }
    }
    return {
      text: `From now on ${dimension} is ${label}, this reply included.`,
      effect: { kind: 'prefer', dimension, label },
    }
  },
})
