/** Phrases that ask for a way of answering without an adjective: "tl;dr", "in detail", "stop joking". */
import {
  BLUNT,
  BRIEF,
  CASUAL,
  DENSE,
  DETAILED,
  FORMAL,
  HUMOROUS,
  SERIOUS,
  SPARSE,
  type Target,
  WARM,
  wordsIn,
} from './request-words.ts'

const VERB =
  /^(?:explain|describe|tell|elaborate|discuss|answer|walk|go|cover|break|show|write|respond|reply|talk|speak|say|put|give|summari[sz]e|outline|list|compare|define|teach|help|sum|do|how|what|why|who|when|where|which)\b/

/** `words`: the pattern finds nothing in a clause without one of them. */
type Phrase = readonly [words: string, pattern: RegExp, target: Target]

/** Adverbs count beside a verb that asks ("explain ... in detail") or when nothing is stated beside them. */
const ADVERBS: readonly Phrase[] = [
  [
    'detail details depth length thoroughly extensively comprehensively exhaustively',
    /\b(?:in|with|into) (?:more |great |full |greater |much more |some |a lot of |lots of |a lot more |as much |the |all the |every |finer? )?details?(?: as possible)?\b|\bin[- ]depth\b|\bin more depth\b|\bat length\b|\b(?:thoroughly|extensively|comprehensively|exhaustively)\b/,
    DETAILED,
  ],
  [
    'briefly brief nutshell word words sentence sentences line lines concisely succinctly',
    /\bbriefly\b|\bin brief\b|\bin a nutshell\b|\bin (?:just )?(?:one|two|three|a|a few|a couple(?: of)?|1|2|3|1-2|2-3|few|fewer) (?:short )?(?:words?|sentences?|lines?)\b|\bconcisely\b|\bsuccinctly\b/,
    BRIEF,
  ],
  [
    "simple simpler plain layman layman's laymans easy basic like_i'm like_im simply",
    /\bin (?:very |more )?(?:simple|simpler|plain|layman'?s?|easy|basic)(?: |-)(?:terms|words|english|language)\b|\blike i'?m (?:5|five|a (?:child|kid|beginner|toddler))\b|\bsimply\b/,
    SPARSE,
  ],
  ['formally professionally', /\b(?:formally|professionally)\b(?!.*\binformally\b)/, FORMAL],
  ['informally casually', /\b(?:informally|casually)\b/, CASUAL],
  [
    'bluntly frankly straight candidly sugar-coating sugarcoating',
    /\b(?:bluntly|frankly|straight up|candidly)\b|\bme straight\b|\bwithout sugar-?coating\b/,
    BLUNT,
  ],
]

/** Whole clauses, once asked politely or not is taken off. */
const IDIOMS: readonly Phrase[] = [
  [
    'tldr',
    /^(?:(?:give|get|have|need|just|send)(?: me)? )?(?:a |the |your )?(?:quick |short )?tldr(?: (?:of|on|for|version)\b(?!.* (?:was|is|were|are) ).*)?$/,
    BRIEF,
  ],
  [
    "eli5 like_i'm like_im dumb_it break_it",
    /^(?:eli5|explain like i'?m (?:5|five)\b.*|dumb it down|break it down for me)$/,
    SPARSE,
  ],
  [
    'elaborate expand deeper detail details depth',
    /^(?:elaborate|expand|go deeper|go into (?:more |the )?details?|go (?:more )?in[- ]depth|dig deeper)(?: (?:more|further|a bit|a little|on|into)\b.*)?$/,
    DETAILED,
  ],
  [
    'detail details depth context explanation',
    /^(?:(?:give|get|have|need|want|add|include|provide|use|show|with)(?: me| us)? )?(?:(?:a (?:bit|lot|little)|way|much|even|some|many) )?(?:more|extra|further|additional|all the|full) (?:details?|depth|context|explanation)(?: (?:on|about|of|in|for|to)\b.*)?$/,
    DETAILED,
  ],
  [
    'detail details depth',
    /^(?:(?:there's |that's |it's )?not enough (?:details?|depth)|(?:too|so) (?:little|few) details?)$/,
    DETAILED,
  ],
  [
    'less fewer',
    /^(?:(?:give|get|have|use|with|include)(?: me)? )?(?:(?:a (?:bit|lot)|way|much|even) )?(?:less|fewer) (?:details?|words|text|waffle|rambling|fluff|verbosity|talk|blah|writing|sentences)$/,
    BRIEF,
  ],
  [
    'sentence sentences line lines word words paragraph paragraphs bullet bullets',
    /^(?:keep|make|limit|put) (?:it|this|that|them|your (?:answers?|replies|responses?)) (?:to|in|within|under|at|below|into) (?:just |only |a |one |two |three |\d+ |few |couple |of |max |under |short )+(?:sentences?|lines?|words?|paragraphs?|bullets?|bullet points)(?: max)?$/,
    BRIEF,
  ],
  [
    'wall_of_text too_many too_much',
    /^(?:that's |it's |this is |there's |there is |what a )?(?:(?:a )?(?:huge |giant |big )?wall of text|(?:way |far |much )?too (?:many (?:words|details)|much (?:text|details?|info|information|to read)))$/,
    BRIEF,
  ],
  [
    'detail details fluff waffle preamble intro filler small_talk ramble rambling bs crap point chase short essay essays wall walls long novel novels book books epic epics lecture',
    /^(?:(?:skip|spare me|cut|drop|leave out|lose) (?:all )?(?:the|with the)? ?(?:details?|fluff|waffle|preamble|intro|filler|small talk|rambling|bs|crap)|get to the point|cut to the chase|cut it short|stop rambling|(?:don't|do not|stop) ramble?(?:ing)?|no (?:fluff|waffle|essays?|rambling|filler|walls? of text|long answers?)|(?:don't|dont|do not|stop) (?:write|writing|give|giving|send|sending)(?: me)? (?:an? )?(?:essays?|novels?|books?|walls? of text|epics?)|don't need (?:an? )?(?:essay|novel|lecture|book))$/,
    BRIEF,
  ],
  [
    'facts information info substance data detail details',
    /^(?:(?:give|pack|include|use)(?: me| in)? )?more (?:facts|information|info|substance|data|technical details?)(?: per sentence)?(?: in)?$/,
    DENSE,
  ],
  [
    'jargon technical buzzwords acronyms big_words',
    /^(?:(?:with|use|using) )?(?:less|no|fewer|without|skip the|cut the|drop the|avoid|enough) (?:jargon|technical (?:terms|jargon|language|details)|buzzwords|acronyms|big words)$/,
    SPARSE,
  ],
  [
    'detail details',
    /^(?:without|with no|no|not in|not too much|not so much|not too many) (?:too much |so much |too many |all the |any |the |more )?details?$/,
    BRIEF,
  ],
  ['english words terms language', /^(?:use )?(?:plain|simple|simpler) (?:english|words|terms|language)$/, SPARSE],
  [
    'joke jokes joking kid kidding clowning jest puns humor humour banter serious funny',
    /^(?:(?:stop|quit|don't|dont|do not|no more|enough|cut out|never) (?:with )?(?:the )?(?:joke|jokes|joking|kidding|kid|clowning|jest|puns|humou?r)(?: around| about (?:it|this|that))?|(?:no|fewer|less|cut the|drop the|skip the|lose the|stop the|without) (?:more )?(?:jokes|joking|puns|humou?r|emojis and jokes|banter)|get serious|this is serious|it's not funny)$/,
    SERIOUS,
  ],
  [
    'joke jokes humor humour puns banter fun lighten loosen laugh',
    /^(?:(?:make|use|add|include|tell|crack) )?(?:(?:some|a few) )?more (?:jokes|humou?r|puns|banter|fun)$|^(?:joke around(?: more)?|lighten up|loosen up|have some fun|make me laugh more)$/,
    HUMOROUS,
  ],
  [
    'sugar-coat sugarcoat sugar-coating sugarcoating straight pleasantries niceties politeness flattery flattering praising hold_back',
    /^(?:(?:don't|dont|do not|stop|no) sugar-?coat(?:ing)?(?: (?:it|things|anything|this|that))?|(?:give|tell|say|lay)(?: it)?(?: to)?(?: me)?(?: it)? straight|(?:skip|cut|drop) the (?:pleasantries|niceties|politeness|flattery)|no (?:pleasantries|niceties|flattery)|(?:stop|quit) (?:flattering|praising)(?: me)?|don't hold back|straight talk)$/,
    BLUNT,
  ],
  [
    'warmth empathy kindness politeness',
    /^(?:use )?(?:a )?(?:bit |little )?(?:more )?(?:warmth|empathy|kindness|politeness)$/,
    WARM,
  ],
  [
    'warmth empathy kindness politeness compassion',
    /^(?:show|have|with) (?:me )?(?:a bit |a little |some )?(?:more )?(?:warmth|empathy|kindness|politeness|compassion)$/,
    WARM,
  ],
  [
    'calm chill relax take_it_easy tone_it',
    /^(?:calm down|chill out|relax|take it easy|tone it down)(?: a (?:bit|little))?$/,
    { dimension: 'emotion', label: 'neutral' },
  ],
  [
    'cheer enthusiasm',
    /^(?:cheer up|show some enthusiasm|more enthusiasm)$/,
    { dimension: 'emotion', label: 'joyful' },
  ],
  [
    'formality formalities first_name',
    /^(?:drop the formalit(?:y|ies)|no formalities|skip the formalities|call me by my first name)$/,
    CASUAL,
  ],
]

/** The words without which no phrase asks for anything. */
export const PHRASED: readonly string[] = [...ADVERBS, ...IDIOMS].flatMap(([words]) => wordsIn(words))

/** How a clause stands in its sentence. */
export interface Neighbours {
  /** Nothing is stated beside it. */
  readonly alone: boolean
  /** Something is stated after it. */
  readonly stated: boolean
  /** A question or a task comes after it. */
  readonly asks: boolean
}

/** `core`: a clause in lower case without its courtesies. `task`: the manner of one thing asked for, not of all answers. */
export function phraseOf(core: string, { alone, stated, asks }: Neighbours): (Target & { task: boolean }) | null {
  if (core === 'tldr' && stated) return null
  for (const [, pattern, target] of IDIOMS)
    if (pattern.test(core)) return { ...target, task: ONE_THING.test(core) || (core === 'tldr' && asks) }
  for (const [, pattern, target] of ADVERBS) {
    const match = pattern.exec(core)
    if (!match) continue
    if (match[0] === core) return alone ? { ...target, task: asks } : null
    if (ownWriting(core) || !asksFor(core, match)) continue
    const rest = `${core.slice(0, match.index)}${core.slice(match.index + match[0].length)}`
    return { ...target, task: !ANY_ANSWER.test(rest.replace(/ {2,}/g, ' ').trim()) }
  }
  return null
}

/** "more details on the second step", "a tl;dr of that". */
const ONE_THING =
  /\b(?:elaborate|expand|deeper|deep|details?|depth|context|explanation|tldr)(?: more| further| a bit)? (?:on|about|of|in|for|to|into)\b/
/** What one may ask of all answers: "explain it ... ", "answer me ...". */
const ANY_ANSWER =
  /^(?:(?:always |to )?(?:explain|answer|respond|reply|talk|speak|write|tell|say)(?: (?:it|things|everything|stuff|me|to me|your answers?))?(?: more| very| rather)?|(?:explain|answer|tell) (?:it|things|everything) to me)$/

/** "how do I write more formally": the manner of what they write themselves. */
function ownWriting(core: string): boolean {
  return /^how (?:(?:do|can|could|should|would|might) (?:i|we|one|people)|to) (?:\w+ )?(?:write|speak|talk|sound|e-?mail|reply|respond|answer|say|phrase|explain|ask|put|word|tell|address)\b/.test(
    core,
  )
}

/** "explain it in detail", "briefly explain", "briefly what is": not "we briefly met". */
function asksFor(core: string, match: RegExpExecArray): boolean {
  if (/\b(?:don't|not|never|no need)\b/.test(core.slice(0, match.index))) return false
  const rest = core.slice(match[0].length).trimStart()
  return VERB.test(core) || (match.index === 0 && VERB.test(rest))
}
