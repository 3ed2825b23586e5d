/** What a message says of the replies before it without rating them: a correction, a question asked again, thanks. Words alone decide. */

import { contentOf, isNegative, isWithin } from './memory/profile-words.ts'
import { ownWords } from './preference/own-words.ts'
import { accepts, isNod } from './preference/reactions.ts'
import { requestsOf } from './preference/requests.ts'
import type { SignalKind } from './schema.ts'

/** A signal of the turn whose reply it judges. */
export interface Signal {
  readonly turnId: number
  readonly kind: SignalKind
}

/** An earlier turn of the person in the conversation; `assistant` is empty where no model answered. */
export interface Judged {
  readonly turnId: number
  readonly user: string
  readonly assistant: string
}

/** A question asked again refers to one of so many last turns. */
const ASKED_WITHIN = 2
/** Of the words of both questions, the share that they have in common. */
const SHARED = 0.8
const LEAST_WORDS = 2
/** A wish for this reply alone is a correction only where nothing else is asked beside it. */
const PASSING_WORDS = 8

/** What the message says of `earlier`, oldest first, in the same conversation. A reply that no model wrote is not judged. */
export function signalsOf(message: string, earlier: readonly Judged[]): readonly Signal[] {
  const own = ownWords(message)
  const last = earlier.at(-1)
  const signals: Signal[] = []
  if (last !== undefined && last.assistant !== '') {
    if (corrects(own)) signals.push({ turnId: last.turnId, kind: 'correction' })
    else if (accepts(own)) signals.push({ turnId: last.turnId, kind: 'thanks' })
  }
  const before = earlier.slice(-ASKED_WITHIN).filter(({ assistant }) => assistant !== '')
  const again = before.findLast(({ user }) => isAskedAgain(own, ownWords(user)))
  return again === undefined ? signals : [...signals, { turnId: again.turnId, kind: 'asked-again' }]
}

const LEAD = String.raw`(?:(?:no|nope|hm+|um|uh|ugh|well|sorry|but|wait|actually|thanks|ok|okay)[\s,.!…-]+){0,3}`
const IT = "(?:that|this|it|you)(?:'s| is| was|'re| are| were)"
/** Stands at the beginning of a message, where it is said of the reply before it. */
const COMPLAINT = new RegExp(
  `^${LEAD}(?:${[
    `(?:${IT}|that|this|it)(?:n't| not|nt)? (?:not )?(?:really |quite |at all )?(?:what|the (?:thing|question)) i(?:'ve| have|'d| had)? (?:just )?(?:asked|meant|wanted|said|was asking|needed|am asking)`,
    `(?:not|isn't|wasn't) (?:really |quite |at all )?what i (?:asked|meant|wanted|said|was asking|needed)`,
    `${IT} (?:just |simply |still |completely |totally |plain )?(?:wrong|incorrect|false|not (?:right|correct|true|helpful|it)|no help|useless|nonsense|off[- ]topic|beside the point)`,
    `(?:that|this|it) (?:isn't|wasn't) (?:right|correct|true|helpful|it)\\b`,
    `(?:that|this|it) (?:doesn't|didn't|does not|did not) (?:answer|help|work|make sense)`,
    `you (?:didn't|did not|haven't|have not|don't|do not|still didn't) (?:really |even )?(?:answer|understand|read|get|listen)`,
    `you (?:misunderstood|misread|missed (?:the|my)|got (?:that|it|this|me) wrong|(?:are|were) wrong)`,
    `(?:that's |this is )?(?:the )?wrong (?:answer|one|question|thing)`,
    `i (?:meant|didn't (?:ask|mean)|did not (?:ask|mean)|asked (?:for|about|you (?:for|about|to)|how|what|why|when|where|who|which|whether|if))\\b`,
    `(?:try|answer) (?:that |it |this )?again\\b`,
    'wrong$',
  ].join('|')})`,
)
/** A wish that compares is about what was there before. */
const COMPARED = /\b(?:\w{3,}er|more|less|too|enough|tl.{0,2}dr|fewer)\b/

function corrects(own: string): boolean {
  const plain = own
    .toLowerCase()
    .replace(/[.!?\s]+$/, '')
    .trim()
  if (COMPLAINT.test(plain)) return true
  const words = plain.split(/\s+/).length
  return requestsOf(own).some(({ once }) => !once || (words <= PASSING_WORDS && COMPARED.test(plain)))
}

const QUESTION =
  /\?|^(?:(?:so|and|but|please|hey|hi|ok|again|sorry|no)[\s,]+){0,3}(?:what|how|why|who|whom|whose|where|when|which|can|could|would|will|should|is|are|was|were|do|does|did|has|have)\b/i
/** Words of asking; two questions are not alike for having them. */
const ASKING = new Set(
  "what how why who whom whose where when which can could would will should tell know explain say ask mean again sorry hello hey hi thanks what's how's who's where's when's one give need want".split(
    ' ',
  ),
)

/** The same words in another form: all of one question's are in the other, which has hardly more. */
function isAskedAgain(question: string, before: string): boolean {
  if (!QUESTION.test(question) || !QUESTION.test(before) || isNod(question)) return false
  if (isNegative(question) !== isNegative(before)) return false
  const [now, then] = [contentWords(question), contentWords(before)]
  const [few, many] = now.size < then.size ? [now, then] : [then, now]
  if (few.size < LEAST_WORDS || few.size < SHARED * many.size || !isWithin(few, many)) return false
  return [...many].every((word) => few.has(word) || !/\d/.test(word))
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set([...contentOf(text)].filter((word) => !ASKING.has(word)))
}
