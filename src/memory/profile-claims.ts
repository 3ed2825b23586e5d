/** What a message says of its author that may be learned: statements in their own words, and those to be kept at once. */

import { ownWords } from '../preference/own-words.ts'
import { slotOf } from './profile-words.ts'

const LONGEST = 200

const QUESTION =
  /\?\s*$|^(?:what|how|why|who|whose|where|when|which|can|could|would|will|do|does|did|is|are|am|should|shall|may|has|have (?:i|you|we))\b/i
const IMAGINED =
  /\b(?:if|imagine|suppose|supposing|pretend|hypothetically|would|could|might|maybe|perhaps|wish|assuming|unless|let's say|as though|(?:i|we|he|she|they)'d)\b/i
const IMAGINED_AT_FIRST = /^(?:if|imagine|suppose|supposing|pretend|hypothetically|what if|let's say|assuming)\b/i
/** Words of others, also when they are about the person. */
const REPORTED =
  /\b(?:said|says|saying|told|tells|claims?|claimed|thinks|thought|believes|wrote|writes|heard|asked|wants me|according to|calls me|called me)\b/i
const ONCE =
  /\b(?:this (?:once|time|answer|reply|question|message)|just once|for now|just now|right now|for today|today only|only today|one[- ](?:time|off))\b/i
/** What is meant to steer the bot, whoever says it. */
const STEERING =
  /\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|rules?|prompts?|guidelines|previous|above|everything|context)\b|\b(?:system|developer) (?:prompt|message)\b|\byou (?:are|must|should|will|have to|may) (?:now )?(?:not |never |always )?\w|\b(?:act|behave|respond|reply) as\b|<\/?\w+>/i
const ASKING =
  /^(?:please |pls |now |then |ok,? |just )*(?:tell|give|show|explain|write|help|make|fix|translate|summari[sz]e|find|list|send|create|generate|answer|check|review|rewrite|compare|draft|describe|let|look|read|convert|remind|forget|erase|delete|remove)\b|\bi(?:'d| would)? (?:want|need|like) (?:you|it) to\b/i
const FIRST_PERSON = /\b(?:i|my|mine|we|our)\b/i

/** The statements of a message that its author makes of themselves, as they said them; often none. */
export function claimsOf(message: string): readonly string[] {
  if (/^\s*\//.test(message)) return []
  return sentencesOf(message).filter(
    (sentence) =>
      FIRST_PERSON.test(sentence) &&
      !sentence.includes('"') &&
      ![QUESTION, IMAGINED, REPORTED, ONCE, STEERING, ASKING].some((pattern) => pattern.test(sentence)),
  )
}

/** What is kept at once, as lines of the profile: what the person asks to remember, and changes that they tell of. */
export function rememberedFrom(message: string): readonly string[] {
  if (/^\s*\//.test(message)) return []
  const lines = sentencesOf(message)
    .filter((sentence) => !STEERING.test(sentence) && !REPORTED.test(sentence) && !ONCE.test(sentence))
    .flatMap((sentence) => clausesOf(sentence).flatMap((clause) => lineOf(clause, sentence)))
  return [...new Set(lines)]
}

/** One line of plain text, as it is kept. */
export function asLine(text: string): string {
  const bare = text
    .replace(/[<>`"]|\p{C}/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:;-]+|[\s.!,;:?]+$/g, '')
  const cut = bare.length > LONGEST ? bare.slice(0, LONGEST).replace(/\s+\S*$/, '') : bare
  return cut.charAt(0).toUpperCase() + cut.slice(1)
}

function sentencesOf(message: string): readonly string[] {
  const sentences = ownWords(message).match(/(?:[^.!?\n;]|[.!?;](?=\S))+[.!?;]*/g) ?? []
  return sentences.map((sentence) => sentence.replace(/\s+/g, ' ').trim()).filter((sentence) => sentence !== '')
}

function clausesOf(sentence: string): readonly string[] {
  return sentence.split(
    /,? (?:and|but|so) (?=(?:also |please |then )*(?:i|i'm|i've|my|we|remember|call me|from now on)\b)|, (?=(?:i|i'm|i've|my|please remember|remember|call me|from now on)\b)/i,
  )
}

const REMEMBER =
  /^(?:(?:hey|hi|ok|okay|so|also|and|please|pls|attune|bot|btw)[, ]+)*(?:(?:can|could|would|will) you )?(?:please )?(?:remember|keep in mind|don't forget|do not forget|note)\b(?: for (?:me|later|next time|the future))?(?<that>,? that|:)? +(?<fact>.+)$/i
const OF_OTHERS = /^(?:he|she|they|you|everyone|everybody|nobody|someone|people|@\S+)\b/i
/** A capital at the beginning is a name, unless it is one of these. */
const NO_NAME =
  /^(?:The|A|An|This|That|These|Those|There|It|Every|Each|All|No|Our|My|In|On|At|For|When|From|Dinner|Lunch|Today|Tomorrow|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December)\b/
const OFFICE = /\b(?:admins?|administrators?|moderators?|owners?|root|superusers?|in charge)\b/i

function lineOf(clause: string, sentence: string): readonly string[] {
  const asked = REMEMBER.exec(clause)?.groups
  if (asked?.['fact'] !== undefined) return factOf(asked['fact'], asked['that'] !== undefined)
  if (QUESTION.test(sentence) || IMAGINED.test(sentence)) return []
  const called = calledIn(clause)
  if (called !== null) return [called]
  return CHANGES.some((pattern) => pattern.test(clause)) || isMove(clause) ? [asLine(clause)] : []
}

/** A fact of the person, or of the things around them; of other people it is none. */
function factOf(words: string, isMarked: boolean): readonly string[] {
  const fact = words.replace(/\?$/, '').trim()
  const own = FIRST_PERSON.test(fact) || /^call me\b/i.test(fact)
  if (!isMarked && !/^(?:i|i'm|i've|my|we|our)\b/i.test(fact)) return []
  if (IMAGINED_AT_FIRST.test(fact) || OF_OTHERS.test(fact) || fact.includes('"')) return []
  if (!own && (OFFICE.test(fact) || (/^\p{Lu}\p{L}/u.test(fact) && !NO_NAME.test(fact)))) return []
  const line = calledIn(fact) ?? asLine(fact)
  return line.includes(' ') ? [line] : []
}

const CALL =
  /^(?<lasting>from now on,? )?(?:please )?(?:you (?:can|may) |just )*call me (?<name>[^,;:]{1,60}?)(?:,? (?<after>from now on|please|instead))*$/i

/** "Call me Bo": a name begins with a capital, unless it is said to last. */
function calledIn(clause: string): string | null {
  const { lasting, name, after } = CALL.exec(clause.replace(/[.!]+$/, ''))?.groups ?? {}
  if (name === undefined || /^(?:back|later|when|if|at|on|by|tomorrow|crazy|a|an|again)\b/i.test(name)) return null
  return lasting || after || /^\p{Lu}/u.test(name) ? asLine(`Call me ${name}`) : null
}

const CHANGES: readonly RegExp[] = [
  /^i(?:'m| am)? now (?:live|living|work|working|based)\b .+/i,
  /^i(?:'m| am)? (?:live|living|work|working) (?:in|at|for|as) .+ now[.!]*$/i,
  /^my new [\p{L}\p{N} '-]{1,40}?(?: is| are|'s) .+/iu,
  /^i(?:'m| am)? no longer .+/i,
  /^i(?:'m| am)? (?:don't|do not|not) .+ any ?more[.!]*$/i,
]

function isMove(clause: string): boolean {
  return (
    /^i(?:'ve| have)?(?: \w+ly| just)? (?:moved|relocated) .*\bto /i.test(clause) && slotOf(clause)?.name === 'home'
  )
}
