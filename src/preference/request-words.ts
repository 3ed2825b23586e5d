/** The words by which people ask for a way of answering, and what each asks for. */
import type { Dimension } from './dimensions.ts'

export interface Target {
  readonly dimension: Dimension
  readonly label: string
}

/** What an adjective asks for, and what its negation ("less", "too", "stop being so") asks for. */
export interface Wish {
  readonly more: Target
  readonly less: Target
}

const target = (dimension: Dimension, label: string): Target => ({ dimension, label })

export const BRIEF = target('length', 'brief')
export const DETAILED = target('length', 'detailed')
export const SPARSE = target('density', 'sparse')
export const DENSE = target('density', 'dense')
export const CASUAL = target('formality', 'casual')
export const FORMAL = target('formality', 'formal')
export const HUMOROUS = target('tone', 'humorous')
export const WARM = target('tone', 'warm')
export const EVEN = target('tone', 'neutral')
export const SERIOUS = target('tone', 'serious')
export const BLUNT = target('tone', 'blunt')
const CHEERFUL = target('emotion', 'joyful')
const CALM = target('emotion', 'neutral')
const CURIOUS = target('emotion', 'curious')
const FOCUSED = target('emotion', 'focused')

const WISHES: readonly (readonly [words: string, more: Target, less: Target])[] = [
  [
    'short brief concise succinct terse snappy laconic compact pithy to_the_point one-line one-liner one-word one-sentence',
    BRIEF,
    DETAILED,
  ],
  ['long detailed thorough comprehensive in-depth exhaustive extensive elaborate', DETAILED, BRIEF],
  ['verbose wordy long-winded longwinded rambling chatty lengthy', DETAILED, BRIEF],
  ['dense information-dense technical information-rich factual', DENSE, SPARSE],
  ['simple plain easy basic digestible light_on_jargon complicated-free', SPARSE, DENSE],
  ['complicated complex jargony abstract', DENSE, SPARSE],
  ['formal professional businesslike business-like proper official', FORMAL, CASUAL],
  ['casual informal relaxed chill laid-back laid_back colloquial conversational chilled easygoing', CASUAL, FORMAL],
  ['stiff stuffy corporate uptight', FORMAL, CASUAL],
  ['funny humorous witty playful silly goofy jokey light-hearted lighthearted', HUMOROUS, SERIOUS],
  [
    'friendly warm kind nice gentle polite supportive encouraging empathetic sympathetic personable courteous',
    WARM,
    EVEN,
  ],
  ['cold distant robotic impersonal', EVEN, WARM],
  ['serious earnest grave', SERIOUS, HUMOROUS],
  [
    'blunt direct straight frank honest straightforward candid upfront brutally_honest straight_up critical',
    BLUNT,
    WARM,
  ],
  ['harsh rude mean curt aggressive', BLUNT, WARM],
  ['neutral matter-of-fact objective', EVEN, EVEN],
  ['cheerful upbeat positive happy enthusiastic energetic excited peppy bubbly', CHEERFUL, CALM],
  ['calm level-headed', CALM, CALM],
  ['curious inquisitive', CURIOUS, CALM],
  ['focused', FOCUSED, CALM],
]

/** Comparatives by their adjective. */
const COMPARATIVES = new Map(
  Object.entries({
    shorter: 'short',
    briefer: 'brief',
    terser: 'terse',
    snappier: 'snappy',
    longer: 'long',
    lengthier: 'lengthy',
    wordier: 'wordy',
    chattier: 'chatty',
    denser: 'dense',
    simpler: 'simple',
    plainer: 'plain',
    easier: 'easy',
    funnier: 'funny',
    wittier: 'witty',
    sillier: 'silly',
    friendlier: 'friendly',
    warmer: 'warm',
    kinder: 'kind',
    nicer: 'nice',
    gentler: 'gentle',
    politer: 'polite',
    blunter: 'blunt',
    franker: 'frank',
    straighter: 'straight',
    happier: 'happy',
    calmer: 'calm',
    harsher: 'harsh',
    meaner: 'mean',
    ruder: 'rude',
    looser: 'relaxed',
    formaler: 'formal',
  }),
)

/** The entries of a row: apart by spaces, with `_` for a space of their own. */
export function wordsIn(row: string): string[] {
  return row.split(' ').map((word) => word.replaceAll('_', ' '))
}

const wishes = new Map<string, Wish>(
  WISHES.flatMap(([words, more, less]) => wordsIn(words).map((word): [string, Wish] => [word, { more, less }])),
)

/** The words without which `wishOf` finds nothing. */
export const WISHED: readonly string[] = [...wishes.keys(), ...COMPARATIVES.keys()]

const DEGREE =
  /^(?:a (?:bit|little|lot|touch|tad)(?: bit)?|bit|(?:way|much|far|even|slightly|somewhat|rather|very|really|super|so|more|as|nice and|kind of|kinda|sort of|quite|totally|completely|overly|all|that|this|extra|most|pretty|too much) )(?:(?<= )|(?: |$))/
/** "not too formal" turns around once; so does "too formal" alone. */
const REVERSE =
  /^(?:(?:not|nothing|never|isn't|aren't) (?:be )?(?:all |that |quite |way |really )?too|less|not|too|fewer|no longer|never|no|hardly|least|isn't|aren't|nothing) /

/** What a phrase like "a bit more formal" or "less dense" asks for; null when it is anything else. */
export function wishOf(phrase: string): (Target & { readonly compared: boolean }) | null {
  let [rest, reversed, compared] = [phrase.trim(), false, false]
  for (let cut = true; cut; ) {
    const degree = DEGREE.exec(rest)?.[0]
    const reverse = REVERSE.exec(rest)?.[0]
    cut = degree !== undefined || reverse !== undefined
    if (reverse !== undefined) reversed = !reversed
    if (reverse !== undefined || degree?.startsWith('more')) compared = true
    rest = rest.slice(reverse?.length ?? degree?.length ?? 0)
  }
  const plain = COMPARATIVES.get(rest)
  const wish = wishes.get(plain ?? rest)
  if (!wish) return null
  return { ...(reversed ? wish.less : wish.more), compared: compared || plain !== undefined }
}

/** What refusing a wish asks for; null where that is nothing in particular. */
export function opposite({ dimension, label }: Target): Target | null {
  const pair = OPPOSITES.find((each) => each.includes(label))
  return pair ? target(dimension, label === pair[0] ? pair[1] : pair[0]) : null
}

const OPPOSITES: readonly (readonly [string, string])[] = [
  ['brief', 'detailed'],
  ['sparse', 'dense'],
  ['casual', 'formal'],
  ['humorous', 'serious'],
]
