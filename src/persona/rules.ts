/** Rules of a persona that code can check in a reply: how long, in which form. What else it says, only a reader could. */

import { wordsOf } from '../preference/length.ts'

type Holds = (reply: string) => boolean

const COUNT: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, ten: 10 }
const NUMBER = String.raw`(\d{1,3}|one|two|three|four|five|six|ten)`
const BOUND = new RegExp(
  String.raw`\b(?:in|at most|within|no more than|up to|under) (?:one or )?${NUMBER} (?:short |full |plain )*(words?|sentences?|lines?)\b`,
  'i',
)
const LIST = /^\s*(?:[-*•]|\d+[.)])\s/m
const EMOJI = /\p{Extended_Pictographic}/u

/** By the words of a line; a line may be several rules. */
const FORMS: readonly (readonly [RegExp, Holds])[] = [
  [/\b(?:no|without|avoid|never use|don't use) (?:any )?emojis?\b/i, (reply) => !EMOJI.test(reply)],
  [/\b(?:no|without|avoid|never use|don't use) (?:any )?exclamation marks?\b/i, (reply) => !reply.includes('!')],
  [
    /\b(?:no|without|avoid|never use|don't use) (?:any )?(?:bullets?|bullet points?|lists?)\b/i,
    (reply) => !LIST.test(reply),
  ],
  [
    /^(?!.*\b(?:no|without|avoid|never|don't)\b).*\b(?:use|as|with|in) (?:a )?(?:short )?(?:bullets?|bullet points?|bulleted lists?)\b/i,
    (reply) => LIST.test(reply),
  ],
]

/** The share of the persona's own rules that the reply obeys, from 0 to 1; 1 where it has none: a rule alone earns nothing. */
export function obeyed(persona: string, reply: string): number {
  const rules = persona.split('\n').flatMap(rulesIn)
  return rules.length === 0 ? 1 : rules.filter((holds) => holds(reply)).length / rules.length
}

function rulesIn(line: string): readonly Holds[] {
  const forms = FORMS.filter(([pattern]) => pattern.test(line)).map(([, holds]) => holds)
  const [, number = '', unit = ''] = BOUND.exec(line) ?? []
  const most = COUNT[number.toLowerCase()] ?? Number(number)
  return unit === '' ? forms : [...forms, (reply) => count(reply, unit.toLowerCase()) <= most]
}

function count(reply: string, unit: string): number {
  if (unit.startsWith('word')) return wordsOf(reply).length
  if (unit.startsWith('line')) return reply.split('\n').filter((line) => line.trim() !== '').length
  return reply.match(/[^.!?\n]+(?:[.!?]+|\n|$)/g)?.filter((sentence) => /\p{L}/u.test(sentence)).length ?? 0
}
