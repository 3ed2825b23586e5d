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
    if (corrects(own, ownWords(last.user))) signals.push({ turnId: last.turnId, kind: 'correction' })
    else if (accepts(own)) signals.push({ turnId: last.turnId, kind: 'thanks' })
  }
  const before = earlier.slice(-ASKED_WITHIN).filter(({ assistant }) => assistant !== '')
  const again = before.findLast(({ user }) => isAskedAgain(own, ownWords(user)))
  return again === undefined ? signals : [...signals, { turnId: again.turnId, kind: 'asked-again' }]
}

const LEAD = /^(?:(?:no|nope|hm+|huh|what|um|uh|ugh|well|sorry|but|wait|actually|thanks|ok|okay)(?:[\s,.!?…-]+|$)){0,3}/
const IS = "(?:that|this|it|you|your (?:last )?(?:answer|reply)|the (?:answer|reply))(?: is| was|'s| are| were|'re)"
const SO = '(?:(?:just|simply|still|also|completely|totally|plain|really|quite|at all|not really) )*'
const ASKED =
  "i(?:(?: have|'ve| had|'d)? (?:just )?(?:asked|meant|wanted|said|needed)|(?:'m| am| was) (?:just )?(?:asking|looking))"
/** What a whole clause at the beginning of a message says of the reply before it. */
const COMPLAINT = new RegExp(
  `^(?:${[
    `(?:${IS} |that |this |it )?(?:not|isn't|wasn't) ${SO}(?:what|the (?:thing|question)) ${ASKED}(?: for| about)?`,
    `${IS} ${SO}(?:wrong|incorrect|false|useless|nonsense|outdated|no help|off[- ]topic|beside the point|an? (?:bad|wrong|useless) (?:answer|reply))`,
    `(?:${IS} not|(?:that|this|it|your answer) (?:isn't|wasn't)) ${SO}(?:right|correct|true|helpful|it|my question)`,
    `(?:that|this) ${SO}(?:doesn't|didn't|does not|did not|makes no|made no) ${SO}(?:answer(?: (?:my|the) question)?|help(?: me)?|work|make (?:any )?sense|sense)`,
    `you (?:still )?(?:didn't|did not|haven't|have not|don't|do not) ${SO}(?:answer|answered|understand|understood|read|get)(?: (?:it|me|that|my question|the question|what i (?:asked|meant|said)))?`,
    'you (?:misunderstood|misread|missed|forgot|ignored|skipped)(?: (?:me|that|it|(?:my|the|what) .{1,40}))?',
    'you (?:got|have) (?:that|it|this|me) wrong',
    `${IS} wrong about (?:that|this|it)`,
    "(?:that's |this is )?(?:the )?wrong(?: (?:answer|one|question|thing|language))?",
    "i (?:meant (?!to\\b)|was asking (?:for|about|how|what)|(?:did not|didn't) (?:ask|mean) (?:for|about|that|this)).{0,80}",
    "i (?:do not|don't) (?:understand|get)(?: (?:it|that|this|you|your answer))?",
    '(?:please )?(?:try|answer|read (?:it|that|my (?:question|message))) (?:that |it |this )?again',
  ].join('|')})$`,
)
/** What was asked, told again: a complaint where the words are those of the question. */
const TOLD_AGAIN = /^i (?:asked|said|wanted)\b/
/** Clauses in which a message says what it thinks of the reply. */
const OPENING_CLAUSES = 2
/** A wish that compares is about what was there before. */
const COMPARED = /\b(?:\w{3,}er|more|less|too|enough|tl.{0,2}dr|fewer)\b/

/** `asked`: the question whose reply it may correct. */
function corrects(own: string, asked: string): boolean {
  const plain = spelt(own).replace(LEAD, '')
  if (complains(plain, asked)) return true
  const words = plain.split(/\s+/).length
  return requestsOf(own).some(({ once }) => !once || (words <= PASSING_WORDS && COMPARED.test(plain)))
}

/** A clause that ends with a question mark complains of nothing. */
function complains(plain: string, asked: string): boolean {
  const clauses = plain.split(/[.!,;:\n—]+|\s-+\s|\b(?:because|so|but|please)\b/, OPENING_CLAUSES)
  if (clauses.some((clause) => COMPLAINT.test(clause.trim()))) return true
  if (!TOLD_AGAIN.test(plain)) return false
  const [sentence = ''] = plain.split(/[.!?\n]/, 1)
  const question = contentWords(asked)
  return / not /.test(sentence) || [...contentWords(sentence)].some((word) => question.has(word))
}

/** In lower case, with the apostrophes that people leave out. */
function spelt(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(that|it)s\b/g, "$1's")
    .replace(/\b(do|does|did|is|was|are|were|have|had|has)nt\b/g, "$1n't")
    .replace(/\s+/g, ' ')
    .trim()
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
