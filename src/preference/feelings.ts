/** Tone and emotion as distributions over their labels, put together from the heads by rule. */
import { DIMENSIONS } from './dimensions.ts'
import type { Margins } from './heads.ts'

export interface Distribution {
  readonly probabilities: readonly number[]
  readonly label: string
}

const LAUGHTER = /\b(?:a?(?:ha){2,}h?|(?:he){2,}|lo+l+|lmf?ao+|rofl)\b|😂|🤣|😹|😆|😜|🤪|:joy:|:rofl:|:laughing:/
const WORK =
  /\b(?:deploy\w*|build|server|tests?|api|database|deadlines?|quarter\w*|compliance|reports?|requirements?|reviews?|releases?|bugs?|config\w*|errors?|pipeline|tickets?|sprint|migrat\w*|clusters?|logs?|metrics?|budget|contract|schema|query|queries|function|module|service|cache|latency|memory|branch|merge|commit|rollback|staging|production|regulat\w*|statutory|audit|analysis|algorithm|model|parameters?|implement\w*|invoices?|stakeholders?|roadmap|estimate|incident|root cause|backup|endpoint|token|authenticat\w*|index(?:es)?|tables?|rows?|columns?|threads?|locks?|batch|data)\b/g

/** What a text feels like, by the heads' margins for it. */
export function feelingsOf(margins: Margins, text: string): { tone: Distribution; emotion: Distribution } {
  const lower = text.toLowerCase()
  const heard = corrected(margins, lower)
  return { tone: toneOf(heard, lower), emotion: emotionOf(heard, lower) }
}

/** Above its threshold a label outweighs neutral; calm text stays mostly neutral. */
function emotionOf(heard: Margins, lower: string): Distribution {
  const work = Math.min(3, new Set(lower.match(WORK)).size)
  const bias: Readonly<Record<string, number>> = FAVOUR.test(lower) ? { ...EMOTION_BIAS, curious: -2.2 } : EMOTION_BIAS
  const logits = DIMENSIONS.emotion.labels.map((label) => {
    if (label === 'neutral') return NEUTRAL
    if (label === 'focused') return -2.2 + 0.9 * work + 2.2 * (heard.formal - 0.4)
    return MARGIN * heard[label] + (bias[label] ?? 0)
  })
  return softmax(logits, DIMENSIONS.emotion.labels)
}

/** Log-odds of a calm text's neutral mass, and how strongly a margin speaks. */
const NEUTRAL = 0.6
const MARGIN = 1.2
/** Joy's head also fires at mild approval, curiosity's at every question mark. */
const EMOTION_BIAS: Readonly<Record<string, number>> = { joyful: -0.8, curious: -0.8 }
/** A question that asks for a favour. */
const FAVOUR = /\b(?:can|could|would|will|may) (?:you|u|we|i|someone|anyone|somebody)\b/

/** Amusement, thanks and warmth, formality without humour, and anger without politeness, each against neutral. */
function toneOf({ amused, grateful, joyful, angry, polite, formal }: Margins, lower: string): Distribution {
  const humorous = 1.1 * amused + (LAUGHTER.test(lower) ? 1.5 : 0)
  const warm = 0.9 * Math.max(grateful, 0.8 * joyful - 1.2) + 2 * (polite - 0.6) - 0.6 * Math.max(0, humorous)
  const blunt = 1.2 * angry + 1.5 * (0.3 - polite)
  const serious = 6 * (formal - 0.66) - Math.max(0, humorous) - Math.max(0, 0.5 * joyful)
  const logits = { humorous, warm, neutral: NEUTRAL, serious, blunt }
  return softmax(
    DIMENSIONS.tone.labels.map((label) => logits[label]),
    DIMENSIONS.tone.labels,
  )
}

const NEGATED_GOOD =
  /\b(?:not|no|never|hardly|isn't|wasn't|aren't|don't|doesn't|didn't|can't say i)(?: \w+){0,2} (?:funny|happy|good|great|nice|helpful|glad|excited|like|love|fun|cool|amus\w+|pleased|satisfied|thrilled|impressed|enjoy\w*|thankful|grateful|fair|okay|ok|acceptable)\b/

/** The heads see words more than their negation, so "not happy" would count as joy. */
function corrected(margins: Margins, lower: string): Margins {
  if (!NEGATED_GOOD.test(lower)) return margins
  const { joyful, amused, grateful, angry, sad } = margins
  return {
    ...margins,
    joyful: Math.min(joyful - 2, -0.5),
    amused: Math.min(amused - 2, -0.5),
    grateful: Math.min(grateful - 2, -0.5),
    angry: angry + 0.5,
    sad: sad + 0.5,
  }
}

/** The words for a label's evidence. */
export function becauseOf(label: string): string {
  return BECAUSE[label] ?? 'the words'
}

const BECAUSE: Readonly<Record<string, string>> = {
  humorous: 'amusement in the words',
  warm: 'warmth in the words',
  neutral: 'nothing marked in the words',
  serious: 'formal words without humour',
  blunt: 'irritation without politeness',
  joyful: 'joy in the words',
  curious: 'curiosity in the words',
  focused: 'matter-of-fact talk of work',
  sad: 'sadness in the words',
  angry: 'anger in the words',
  anxious: 'worry in the words',
  surprised: 'surprise in the words',
}

function softmax(logits: readonly number[], labels: readonly string[]): Distribution {
  const weights = logits.map((logit) => Math.exp(Math.max(-5, Math.min(3.4, logit))))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const probabilities = weights.map((weight) => weight / sum)
  const best = probabilities.indexOf(Math.max(...probabilities))
  return { probabilities, label: labels[best]! }
}
