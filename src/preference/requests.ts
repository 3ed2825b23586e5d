/** What a person asks of the bot's way of answering, outright: "shorter please", "don't be so formal", "tl;dr". */
import type { Dimension } from './dimensions.ts'
import { phraseOf } from './request-phrases.ts'
import { type Target, wishOf } from './request-words.ts'

export interface Request extends Target {
  /** Asked for this reply only. */
  readonly once: boolean
}

const SENTENCE_AT_MOST = 400
const CLAUSE_AT_MOST = 160

/** The requests of a person's own words, the last one of each dimension. */
export function requestsOf(text: string): Request[] {
  const found = new Map<Dimension, Request>()
  const about = THING.test(text.toLowerCase())
  for (const sentence of sentencesOf(text)) {
    if (REPORTED.test(sentence)) continue
    const once = ONCE.test(sentence) && !LASTING.test(sentence)
    for (const target of targetsOf(sentence, about)) found.set(target.dimension, { ...target, once })
  }
  return [...found.values()]
}

const ONCE =
  /\b(?:(?:just |only )?(?:for |in )?(?:just |only )?this (?:once|one|time|reply|answer|response|question|message)|just (?:for )?once|for now|just now|this one only|(?:just|only) for today|one[- ]time|one[- ]off)\b/
const LASTING = /\b(?:from now on|always|in (?:the )?future|going forward|every time|not just this)\b/
/** What somebody else said or wants, and what is only imagined. */
const REPORTED =
  /\b(?:he|she|they|we|boss|manager|teacher|professor|colleague|coworker|client|customer|users?|mom|mum|dad|wife|husband|friend|someone|somebody|everyone|everybody|people|team|lead|doctor|therapist|recruiter|who)\b(?: \w+){0,2} (?:said|says|say|told|tells|tell|asked|asks|ask|wants?|wrote|writes|prefers?|likes?|thinks?|needs?|keeps? (?:saying|telling))\b|\b(?:i was|i've been|i got|i am|i'm) (?:told|asked)\b|\b(?:what if|suppose|imagine|pretend i|if i (?:asked|told|said|were|was|wrote|say|ask|tell))\b/
/** What people make that is not the bot's answer. */
const THING =
  /\b(?:report|letter|e-?mails?|function|method|variable|names?|article|essay|post|tweet|blog|docs?|documents?|documentation|paragraph|title|headline|memo|slides?|deck|presentation|speech|script|query|tests?|class|file|section|chapter|meetings?|copy|caption|story|poem|novel|song|resume|cv|cover|bio|commit|pr|ticket|readme|changelog|invitation|invite|announcement|dress|suit|clothes|outfit|video|deadline|sprint|intro|introduction|conclusion|thesis|contract|proposal|statement|error messages?|logs?|codebase|code|loop|regex|url|path|list|table|form|survey|ad|slogan|recipe|trip|hair|skirt|password)\b/

/** Lower-case sentences of a bearable length, each with its end mark. */
function sentencesOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/\btl\s?[;:,]?\s?dr\b(?! ?:)/g, 'tldr')
    .replace(/\b(do|does|did|is|are|was|would|could|should|have|need)nt\b/g, "$1n't")
    .replace(/\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
  return (plain.match(/[^.!?\n;]+[.!?\n;]*/g) ?? []).map((sentence) => sentence.trim().slice(0, SENTENCE_AT_MOST))
}

function targetsOf(sentence: string, about: boolean): Target[] {
  const targets: Target[] = []
  const question = /\?/.test(sentence)
  const clauses = sentence
    .replace(/[.!?;\n"]+/g, ' ')
    .split(/\s*(?:[,:()…]| - | – |—|\b(?:and|but|or|also|so that|because|since|plus)\b|&)\s*/)
    .filter((clause) => clause.length > 0)
  clauses.forEach((clause, i) => {
    const next = clauses[i + 1]
    const alone = clauses.length === 1 || question || (next !== undefined && ASKS.test(next))
    const target = readClause(clause.slice(0, CLAUSE_AT_MOST).trim(), { about, alone, follows: targets.length > 0 })
    if (target) targets.push(target)
  })
  return targets
}

const ASKS =
  /^(?:please |pls )?(?:what|how|why|who|where|when|which|explain|describe|tell|give|answer|summari[sz]e|can you|could you)\b/

interface Place {
  /** The message speaks of something that somebody makes, so "make it shorter" may mean that. */
  readonly about: boolean
  /** Nothing is stated beside it. */
  readonly alone: boolean
  /** A request came before it in the sentence: "be brief and *formal*". */
  readonly follows: boolean
}

function readClause(clause: string, place: Place): Target | null {
  const { core, asked } = strip(clause)
  if (core.length === 0) return null
  const idiom = phraseOf(core, place.alone)
  if (idiom) return idiom
  const manner = MANNER.exec(core)
  if (manner && place.about && OBJECT.test(core)) return null
  const found = manner && wish(core.slice(manner[0].length))
  if (found) return found
  const denied = DENIED.exec(core)
  if (denied) return wish(`not ${core.slice(denied[0].length)}`)
  for (const pattern of [FOUND, SHOULD]) {
    const judged = pattern.exec(core)
    if (judged) return place.about && judged[1] !== undefined ? null : wish(core.slice(judged[0].length))
  }
  const lacking = LACKING.exec(core)
  if (lacking && /\bnot |n't /.test(core)) return place.about && lacking[1] !== undefined ? null : wish(lacking[2]!)
  const hated = HATED.exec(core)
  const noun = hated ? answerNoun(core.slice(hated[0].length), place.about, 'not ') : answerNoun(core, place.about)
  if (noun) return noun
  const bare = wishOf(core)
  return bare && !place.about && (bare.compared || asked || place.follows) ? bare : null
}

function wish(phrase: string): Target | null {
  return wishOf(
    phrase
      .replace(/ (?:tone|style|way|manner|language)$/, '')
      .replace(/^(?:in an?|an?|the) (?!bit |little |lot |touch |tad )/, ''),
  )
}

const ANSWERS =
  '(?:answers?|repl(?:y|ies)|responses?|explanations?|messages|texts|sentences|wording|tone|style|language|phrasing)'
const THEM = `(?:your|the|all|these|those|its|my)?(?: \\w+)? ?${ANSWERS}`
/** "be", "keep it", "make your answers", "talk to me": an adjective comes next. */
const MANNER = new RegExp(
  `^(?:(?:be|being|sound|act|stay|get|become|go|remain|talk|speak|write|reply|respond|answer|chat|explain|say (?:it|things)|phrase (?:it|things))(?: (?:to|with) me| me| it| this| that| things)?|(?:keep|make|leave|have) (?:it|this|that|things|them|${THEM})(?: be)?) `,
)
/** What may be the thing that the message speaks of. */
const OBJECT = /^(?:keep|make|leave|write|phrase|have) (?:it|this|that|them|things)\b|^write /
const DENIED =
  /^(?:(?:don't|do not|dont|stop|quit|avoid|never|cease|enough with|cut out|no need(?: to)?|not|lay off)(?: be| being| sound| sounding| act| acting| get| getting| go| going| talk| talking| write| writing| the)?|(?:you |u |there's |there is )?(?:don't (?:need|have) to|dont (?:need|have) to|needn't|no need(?: to| for you to)?|shouldn't|do not (?:need|have) to) (?:be|sound|act|talk|write|get)|why (?:are|do|must) (?:you|u)(?: always| have to be| being| sound| be)?|why(?= so ))(?: all)? /
/** "that was too long", "you are too formal": what is found too much is wished less. */
const FOUND = new RegExp(
  `^(?:(it|this|that|these|those)|you|u|${THEM})(?: (?:is|are|was|were|has been|have been|feels?|felt|sounds?|sounded|seems?|seemed|looks?|got|get|keep getting)|'s|'re) (?=(?:still |just |way |much |far |a (?:bit|little|tad|touch) |kinda |kind of |again |really |all |always )*too )(?:still |just |again |all |always )*`,
)
/** "your answers should be shorter". */
const SHOULD = new RegExp(
  `^(?:(it|this|that|these|those)|${THEM})(?: (?:should|could|can|must|needs? to|have to|has to|ought to|be|been|get))+ `,
)
/** "that's not detailed enough": what is found too little is wished more. */
const LACKING = new RegExp(
  `^(?:(?:(it|this|that|these|those)|you|u|${THEM})(?: (?:is|are|was|were|isn't|aren't|wasn't|weren't)|'s|'re) )?(?:still )?(?:not |n't )?((?:\\S+ ){1,3})enough$`,
)

/** "i prefer shorter answers", "a comprehensive explanation of ...", "shorter replies". */
function answerNoun(core: string, about: boolean, sign = ''): Target | null {
  const match = ANSWER_NOUN.exec(core)
  if (!match) return null
  const noun = match[2] ?? ''
  const found = wishOf(sign + (match[1] ?? '').replace(/^(?:your|the|a|an|some|only|me) /, ''))
  if (about && /^(?:version|description)/.test(noun)) return null
  return found?.dimension === 'length' || !/^(?:summary|overview|version|description)/.test(noun) ? found : null
}

const HATED =
  /^i (?:really |just )?(?:hate|dislike|don't (?:really )?like|do not like|can't stand|am tired of|'m tired of) /
const ANSWER_NOUN = new RegExp(
  `^(?:(?:give|send|offer|provide|write|use|keep|make|have|get|prefer|like|want|love|need|appreciate|with|in|try|expect)(?: me| to)? )?(?:(?:your|the|a|an|some|only|me) )*((?:[a-z'-]+ ){1,4})(${ANSWERS}|summary|overview|version|description|words|terms|english)(?: (?:of|on|about|to|for|over|than|please|when|only|as|with|from|in|instead)\\b.*)?$`,
)

const LEAD = new RegExp(
  `^(?:${[
    'please|pls|plz|hey|hi|hello|ok|okay|so|well|maybe|perhaps|actually|honestly|seriously|just|now|then|always|generally|bot|attune|ugh+|argh+|hmm+|um|uh|yes|yeah|lol|haha|sorry|thanks|thank you|thx|kindly|next|again|also|still|way|man|dude|cool|great|oh|damn|omg|wow|right|fine',
    'from now on|going forward|in (?:the )?future|next time|this time|for now|for once|(?:just |only )?(?:for )?this (?:once|one|time)|if (?:you can|possible|you could)|as always|in general',
    "(?:can|could|would|will|can't|couldn't|won't) (?:you|u|ya|we|i get|i have)|(?:can|could|would)(?= your\\b)|(?:would|do) (?:you|u) mind|any chance (?:you|u) (?:can|could)|is it possible (?:for you )?to|how about (?:you )?|what about",
    "(?:i'd|i would|id) (?:really |much )?(?:like|love|prefer|appreciate|rather)(?: it)?(?: (?:if|when) (?:you|u|it)| (?:you|u) to| for you to| to (?:get|have|see))?(?: (?:could|would|were|was|can|be))?",
    "i (?:really |just |do )?(?:want|need|prefer|like|wish|love|expect|asked)(?: (?:you|u|it)(?: to| would| could| were)?| (?:it )?(?:when|if) (?:you|u)(?:'re| are)?| for you to| (?:to (?:get|have|see)))?",
    "(?:it'd|it would|that'd) be (?:great|nice|good|better|cool|awesome|helpful) if (?:you|u)(?: could| would| were)?",
    "(?:you|u) (?:should|could|must|can|may|need to|have to|ought to|might want to|gotta)|try (?:to|and|being)|feel free to|remember to|make sure (?:to|you)|be sure to|let'?s|start|do|tell me|we should",
  ].join('|')})(?: |$)`,
)
const TAIL = new RegExp(
  `(?:^| )(?:${[
    'please|pls|plz|thanks|thank you|thx|ty|ok|okay|maybe|today|again|here|though|tho|lol|haha|alright|always|bot|man|dude|mate|yeah|only|overall|already|either|perhaps|next|now|anymore|any more|instead|all the time|everyone|sir|buddy|um',
    'from now on|going forward|next time|in (?:the )?future|this time|for now|for once|(?:just |only )?(?:for )?(?:just |only )?(?:in )?this (?:once|one|time|reply|answer|response|question|message)|(?:just )?once',
    "with me|to me|for me|if possible|if you (?:can|could|would|don't mind)|(?:in|with|for) (?:your|the|all|future|my)? ?(?:next |future )?(?:answers?|repl(?:y|ies)|responses?|messages|explanations?|tone|style|language|questions?|chats?|words|english)|than (?:that|this|usual|before|now|it was)|when (?:you )?(?:answer|answering|reply|replying|respond|responding|explain|explaining|talk|talking|write|writing)\\b.*|and stuff|at all|about it|like that|like this",
  ].join('|')})$`,
)

/** Takes off whom and how one asks, at both ends; `asked` tells whether anything polite or directed was there. */
function strip(clause: string): { core: string; asked: boolean } {
  let core = clause
  let asked = false
  for (let lead = LEAD.exec(core); lead && lead[0].length > 0; lead = LEAD.exec(core)) {
    core = core.slice(lead[0].length).trimStart()
    if (/please|pls|plz|you\b|\bi\b|i'd|prefer/.test(lead[0])) asked = true
  }
  for (let tail = TAIL.exec(core); tail; tail = TAIL.exec(core)) {
    core = core.slice(0, tail.index).trimEnd()
    if (/please|pls|plz|from now on|next time|for me/.test(tail[0])) asked = true
  }
  return { core, asked }
}
