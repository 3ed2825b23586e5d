/** What a person asks of the bot's way of answering, outright: "shorter please", "don't be so formal", "tl;dr". */
import type { Dimension } from './dimensions.ts'
import { PHRASED, phraseOf } from './request-phrases.ts'
import { opposite, type Target, WISHED, wishOf } from './request-words.ts'

export interface Request extends Target {
  /** Asked for this reply only. */
  readonly once: boolean
}

const SENTENCE_AT_MOST = 400
const CLAUSE_AT_MOST = 160

/** The requests of a person's own words: the last of each dimension that lasts, and the last for this reply only. */
export function requestsOf(text: string): Request[] {
  const lower = text.toLowerCase()
  if (!ASKING.test(lower)) return []
  const plain = plainOf(lower)
  const [lasting, passing] = [new Map<Dimension, Request>(), new Map<Dimension, Request>()]
  const about = THING.test(plain)
  for (const sentence of sentencesOf(plain.slice(withdrawnUntil(plain)))) {
    if (!ASKING.test(sentence) || REPORTED.test(sentence)) continue
    const once = ONCE.test(sentence) && !LASTING.test(sentence)
    for (const { task, ...target } of targetsOf(sentence, about)) {
      if (once || (task && !LASTING.test(sentence))) passing.set(target.dimension, { ...target, once: true })
      else lasting.set(target.dimension, { ...target, once: false })
      if (task && lasting.has(target.dimension)) passing.delete(target.dimension)
    }
  }
  return [...passing.values(), ...lasting.values()]
}

/** What has none of these words asks for nothing, so that most messages need not be taken apart. */
const ASKING = new RegExp(
  `\\b(?:${[...new Set([...PHRASED, ...WISHED])].sort().join('|').replaceAll(' ', '\\W+').replace('tldr', 'tl\\W{0,3}dr')})\\b`,
)

/** Where the last withdrawal of what was said before ends, or 0. */
function withdrawnUntil(plain: string): number {
  let end = 0
  for (const match of plain.matchAll(WITHDRAWN)) end = match.index + match[0].length
  return end
}

const WITHDRAWN =
  /\b(?:never ?mind|nvm|(?:forget|ignore|scratch|disregard|strike) (?:that|it|this|what i (?:just )?(?:said|asked|wrote))|(?:just|only|was|i'm|am) (?:kidding|joking|messing with you|teasing)|jk|on second thoughts?)\b/g
const ONCE =
  /\b(?:(?:just |only )?(?:for |in )?(?:just |only )?this (?:once|one|time|reply|answer|response|question|message)|just (?:for )?once|for now|just now|this one only|for (?:today|tonight|the moment)|today only|(?:only|just) (?:for )?today|one[- ]time|one[- ]off)\b/
const LASTING = /\b(?:from now on|always|in (?:the )?future|going forward|every time|not just (?:this|today))\b/
/** What somebody else said or wants, and what is only imagined. */
const REPORTED =
  /\b(?:he|she|they|we|boss|grandma|grandpa|mother|father|sister|brother|manager|teacher|professor|colleague|coworker|client|customer|users?|mom|mum|dad|wife|husband|friend|someone|somebody|everyone|everybody|people|team|lead|doctor|therapist|recruiter|who)\b(?: \w+){0,2} (?:said|says|say|told|tells|tell|asked|asks|ask|wants?|wrote|writes|prefers?|likes?|thinks?|needs?|keeps? (?:saying|telling))\b|\b(?:i was|i've been|i got|i am|i'm) (?:told|asked)\b|\bas (?!i\b)(?:[\w']+ ){1,4}(?:used to say|says?|said|puts? it|would say|(?:likes?|loved?) to say)\b|\b(?:what if|suppose|imagine|pretend i|if i (?:asked|told|said|were|was|wrote|say|ask|tell))\b/
/** What people make that is not the bot's answer. */
const THING =
  /\b(?:report|letter|e-?mails?|function|method|variable|names?|article|essay|post|tweet|blog|docs?|documents?|documentation|paragraph|title|headline|memo|slides?|deck|presentation|speech|script|query|tests?|class|file|section|chapter|meetings?|copy|caption|story|poem|novel|song|resume|cv|cover|bio|commit|pr|ticket|readme|changelog|invitation|invite|announcement|dress|suit|clothes|outfit|video|deadline|sprint|intro|introduction|conclusion|thesis|contract|proposal|statement|error messages?|logs?|codebase|code|loop|regex|url|path|list|table|form|survey|ad|slogan|recipe|trip|hair|skirt|password)\b/

/** One spelling for "tl;dr" and "don't", no emoji. */
function plainOf(lower: string): string {
  const plain = lower
    .replace(/\btl\s?[;:,]?\s?dr\b(?! ?:)/g, 'tldr')
    .replace(/\b(do|does|did|is|are|was|were|would|could|should|have|need)nt\b/g, "$1n't")
  return (/[^\t-~]/.test(plain) ? plain.replace(EMOJI, ' ') : plain).replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
}

const EMOJI = /\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}/gu

/** Sentences of a bearable length, each with its end mark. */
function sentencesOf(plain: string): string[] {
  return (plain.match(/[^.!?\n;]+[.!?\n;]*/g) ?? []).map((sentence) => sentence.trim().slice(0, SENTENCE_AT_MOST))
}

/** `task`: the manner of one thing that is asked for ("explain briefly what a monad is"), so it ends with the reply. */
type Found = Target & { readonly task: boolean }

function targetsOf(sentence: string, about: boolean): Found[] {
  const targets: Found[] = []
  const question = /\?/.test(sentence)
  const clauses = sentence
    .replace(/[.!?;\n"]+/g, ' ')
    .split(/\s*(?:[,:()…]| - | – |—|\b(?:and|but|or|also|so that|because|since|plus)\b|&)\s*/)
    .filter((clause) => clause.length > 0)
  for (const [i, clause] of clauses.entries()) {
    if (!ASKING.test(clause)) continue
    const next = clauses[i + 1]
    const asks = next !== undefined && ASKS.test(next)
    const alone = clauses.length === 1 || question || asks
    const stated = next !== undefined && !asks && !question && strip(next).core.length > 0
    const place = { about, alone, stated, asks, follows: targets.length > 0 }
    const target = readClause(clause.slice(0, CLAUSE_AT_MOST).trim(), place)
    if (target) targets.push(target)
  }
  return targets
}

const ASKS =
  /^(?:please |pls )?(?:what|how|why|who|where|when|which|explain|describe|tell|give|answer|summari[sz]e|can you|could you)\b/

interface Place {
  /** The message speaks of something that somebody makes, so "make it shorter" may mean that. */
  readonly about: boolean
  /** Nothing is stated beside it. */
  readonly alone: boolean
  /** Something is stated after it: "tl;dr, we ship on friday". */
  readonly stated: boolean
  /** A question or a task comes after it: "in one sentence, what is DNS". */
  readonly asks: boolean
  /** A request came before it in the sentence: "be brief and *formal*". */
  readonly follows: boolean
}

function readClause(clause: string, place: Place): Found | null {
  const { core, asked } = strip(clause)
  if (core.length === 0) return null
  const phrase = phraseOf(core, place)
  if (phrase) return phrase
  const denied = DENIED.exec(core)
  const target = denied ? refused(core.slice(denied[0].length), place) : null
  if (target) return lasting(target)
  const wished = mannerOf(core, place, '') ?? judgedOf(core, place)
  if (wished !== undefined) return lasting(wished)
  const hated = HATED.exec(core)
  const noun = hated ? answerNoun(core.slice(hated[0].length), place.about, 'not ') : answerNoun(core, place.about)
  if (noun) return { ...noun, task: !hated && ONE_ANSWER.test(core) }
  const bare = wishOf(core)
  return bare && !place.about && (bare.compared || asked || place.follows) ? lasting(bare) : null
}

function lasting(target: Target | null): Found | null {
  return target && { dimension: target.dimension, label: target.label, task: false }
}

/** What "don't ..." asks for: the opposite of what it names. */
function refused(rest: string, place: Place): Target | null {
  const phrase = phraseOf(rest, { ...place, alone: true })
  if (phrase) return opposite(phrase)
  const manner = mannerOf(rest, place, 'not ')
  return manner === undefined ? (wish(`not ${rest}`) ?? answerNoun(rest, place.about, 'not ')) : manner
}

/** "be more formal", "keep it short". Null: about something else; undefined: not of this form. */
function mannerOf(core: string, place: Place, sign: string): Target | null | undefined {
  const manner = MANNER.exec(core)
  if (!manner) return undefined
  if (place.about && OBJECT.test(core)) return null
  return wish(sign + core.slice(manner[0].length)) ?? undefined
}

/** "that was too long", "your answers should be shorter", "that's not detailed enough"; null and undefined as above. */
function judgedOf(core: string, place: Place): Target | null | undefined {
  const found = FOUND.exec(core)
  if (found) return place.about && found[1] !== undefined ? null : wish(core.slice(found[0].length))
  const should = SHOULD.exec(core)
  if (should) {
    const phrase = wish(core.slice(should[0].length))
    return should[1] === undefined || (phrase?.compared && !place.about) ? phrase : null
  }
  const lacking = LACKING.exec(core)
  if (lacking && /\bnot |n't /.test(core)) return place.about && lacking[1] !== undefined ? null : wish(lacking[2]!)
  return undefined
}

function wish(phrase: string): (Target & { readonly compared: boolean }) | null {
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
/** "don't be", "try not to sound", "you needn't be": what is named after it is refused. */
const DENIED =
  /^(?:(?:(?:don't|do not|dont|never|(?:try )?not to|refrain from|stop|quit|avoid|cease|enough with|enough of|cut out|no more|spare me|no need(?: to| for)?|not|lay off|weren't|wasn't|wouldn't|(?:you |u )(?:aren't|weren't|wouldn't)|(?:you |u |there's |there is )?(?:don't (?:need|have) to|dont (?:need|have) to|needn't|no need(?: to| for you to)?|shouldn't|do not (?:need|have) to)|i (?:don't|do not|never|no longer) (?:really )?(?:want|need|like|expect) (?:you|u|it|this|your \w+)(?: to)?)(?: ever| always| just| really)*(?: be| being| sound| sounding| act| acting| get| getting| go| going| talk| talking)?|why (?:are|do|must) (?:you|u)(?: always| have to be| being| sound| be)?|why(?= so ))(?: all| the)?) /
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
  /^i (?:really |just )?(?:hate|dislike|(?:don't|do not|never|no longer) (?:really |ever )?(?:like|want|need|enjoy)|can't stand|am tired of|'m tired of) /
/** One answer, summary or version: its manner ends with it. */
const ONE_ANSWER =
  /\b(?:summary|overview|version|description)\b|\b(?:answer|reply|response|explanation) (?:of|on|about|to|for|over)\b/
const ANSWER_NOUN = new RegExp(
  `^(?:(?:give|send|offer|provide|write|use|keep|make|have|get|prefer|like|want|love|need|appreciate|with|in|try|expect)(?: me| to)? )?(?:(?:your|the|a|an|some|only|me) )*((?:[a-z'-]+ ){1,4})(${ANSWERS}|summary|overview|version|description|words|terms|english)(?: (?:of|on|about|to|for|over|than|please|when|only|as|with|from|in|instead)\\b.*)?$`,
)

const LEAD = new RegExp(
  `^(?:${[
    'please|pls|plz|hey|hi|hello|ok|okay|so|well|maybe|perhaps|actually|honestly|seriously|just|now|then|always|generally|bot|attune|ugh+|argh+|hmm+|um|uh|yes|yeah|lol|possibly|haha|sorry|thanks|thank you|thx|kindly|next|again|also|still|way|man|dude|cool|great|oh|damn|omg|wow|right|fine',
    'from now on|going forward|in (?:the )?future|next time|this time|for now|for once|(?:just |only )?(?:for )?this (?:once|one|time|reply|answer|response|question|message)|(?:just |only )?for (?:today|tonight)|if (?:you can|possible|you could)|as always|in general',
    "(?:can|could|would|will|can't|couldn't|won't) (?:you|u|ya|we|i get|i have)|(?:can|could|would)(?= your\\b)|could(?= be (?:a |more |less |much |way |even |[a-z]+er$))|(?:would|do) (?:you|u) mind|any chance (?:you|u) (?:can|could)|is it possible (?:for you )?to|how about (?:you )?|what about",
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
