/** What a line of the profile says, as far as two lines have to be compared: its content words, its sign, its subject. */

import { wordsOf } from '../preference/length.ts'

/** Of two lines: they say the same, they can't both be true now, or they have nothing to do with each other. */
export type Relation = 'same' | 'contrary' | 'other'

const EMPTY = new Set(
  `a an the and or but so i me my mine myself we us our ours you your he him his she her they them their it its this that
  these those there here user person am is are was were be been being have has had do does did will to in on at of for from
  with by as about into than then too very really just also still now new currently recently finally again anymore any more
  no not never longer nor none without stop stopped quit please ok okay that's i'm i've i'd i'll don't doesn't didn't isn't
  aren't wasn't weren't can't cannot won't haven't hasn't stand called call named goes go years old year`.split(/\s+/),
)
/** Verbs of liking are one word, so that a changed mind is seen; their sign is counted by NEGATION. */
const LIKING = new Set('love like enjoy adore prefer hate dislike detest loathe'.split(' ').map(stem))
const NEGATION =
  /\bno longer\b|\bcan't stand\b|\bnot\b|\bnever\b|n't\b|\bcannot\b|\bno\b|\b(?:stopped|quit|gave up|without)\b|\b(?:hates?|hated|dislikes?|disliked|detests?|loathes?)\b/g

/** The stems of the words that carry meaning; verbs of liking count as one. */
export function contentOf(text: string): ReadonlySet<string> {
  const words = wordsOf(plain(text)).filter((word) => !EMPTY.has(word))
  return new Set(words.map(stem).map((word) => (LIKING.has(word) ? 'like' : word)))
}

/** Whether it denies something; two denials are none. */
export function isNegative(text: string): boolean {
  return (plain(text).match(NEGATION)?.length ?? 0) % 2 === 1
}

/** How a newer line stands to an older one. */
export function compare(newer: string, older: string): Relation {
  const [a, b] = [read(newer), read(older)]
  const bySlot = compareSlots(a, b)
  if (bySlot !== null) return bySlot
  if (isWithin(a.content, b.content) && isWithin(b.content, a.content)) {
    return a.negative === b.negative ? 'same' : 'contrary'
  }
  // "I no longer eat meat" ends "I eat meat every Sunday".
  if (a.negative && !b.negative && a.content.size > 0 && isWithin(a.content, b.content)) return 'contrary'
  return a.negative === b.negative && differInNumbers(a, b) ? 'contrary' : 'other'
}

/** What a person has one of, such as a home: `name`, and which one it is. */
export interface Slot {
  readonly name: string
  readonly value: string
  /** There is never more than one, or the line says that this one is new. */
  readonly isOnly: boolean
}

const SUBJECT =
  "^(?:(?:i|he|she|they|the user|user)(?:'m|'ve|'s|'re| am| is| are| have| has)? )?(?:(?:now|currently|just|recently|finally|no longer|don't|not) )*"
const HOME = new RegExp(
  `${SUBJECT}(?:(?:lives?|living|resides?|residing|based|settled) (?:now |currently )?in|(?:moved|relocated) (?:from .+? )?(?:back |over )?to) (.+)$`,
)
const NO_HOME =
  /^(?:an?|another|my|our|team|using|version|line|page|step|linux|windows|mac ?os|android|ios|n?e?o?vim|emacs|vs ?code|python|rust|go|typescript|java|git\w+|slack|discord|postgres\w*)\b|\b(?:team|department|project|company|office|desk|floor|room|shifts?|role|position|plan|version|section|chapter|step)\b/
const SLOTS: readonly (readonly [string, RegExp])[] = [
  ['call', /^(?:from now on,? )?(?:please )?(?:call me|i go by|goes by|go by) (.+)$/],
  ['employer', new RegExp(`${SUBJECT}(?:works?|working) (?:now )?(?:at|for) (.+)$`)],
  ['occupation', new RegExp(`${SUBJECT}(?:works?|working) (?:now )?as (.+)$`)],
  ['age', /^(?:i'm|i am|is|he is|she is|they are) (\d{1,3})(?: years old)?$/],
]
const POSSESSED =
  /^(?:my|his|her|their)? ?(new |current |favou?rite )?((?:[a-z-]+ ){0,2}[a-z-]+?)(?:'s| is| are) (?:now |called |named )*(.+)$/
const ONLY =
  /(?:^| )(?:name|surname|nickname|age|job|role|title|position|employer|company|boss|manager|address|city|town|country|hometown|phone|number|e-?mail|birthday|car|timezone|team|husband|wife|partner|girlfriend|boyfriend)$/

export function slotOf(text: string): Slot | null {
  const line = plain(text)
  const home = HOME.exec(line)?.[1]
  if (home !== undefined) return NO_HOME.test(home) ? null : { name: 'home', value: home, isOnly: true }
  for (const [name, pattern] of SLOTS) {
    const value = pattern.exec(line)?.[1]
    if (value !== undefined) return { name, value, isOnly: true }
  }
  const [, kind = '', thing = '', value = ''] = POSSESSED.exec(line) ?? []
  if (thing === '' || /^(?:i|it|there|that|this|he|she|they|we|you)$/.test(thing)) return null
  const favourite = kind.startsWith('favo') ? 'favourite ' : ''
  return { name: `my ${favourite}${stem(thing)}`, value, isOnly: kind !== '' || ONLY.test(thing) }
}

interface Read {
  readonly content: ReadonlySet<string>
  readonly negative: boolean
  readonly slot: Slot | null
  readonly text: string
}

function read(text: string): Read {
  return { content: contentOf(text), negative: isNegative(text), slot: slotOf(text), text: plain(text) }
}

/** Null where the slots don't decide. */
function compareSlots(a: Read, b: Read): Relation | null {
  if (a.slot === null || a.slot.name !== b.slot?.name) return null
  const [one, two] = [valueIn(a.slot), valueIn(b.slot)]
  const agree = isWithin(one, two) || isWithin(two, one)
  if (a.negative !== b.negative) return agree ? 'contrary' : 'other'
  if (agree) return 'same'
  return !a.negative && (a.slot.isOnly || b.slot.isOnly) ? 'contrary' : null
}

/** A value that is nothing but small words stands for itself. */
function valueIn({ value }: Slot): ReadonlySet<string> {
  const content = contentOf(value)
  return content.size > 0 ? content : new Set([value])
}

const STATE = /\b(?:is|am|are|have|has|weighs?|costs?|'m|'ve)\b/

/** "My daughter is 4" and "my daughter is 5". */
function differInNumbers(a: Read, b: Read): boolean {
  if (!STATE.test(a.text) || !STATE.test(b.text)) return false
  const [x, y] = [numberless(a.content), numberless(b.content)]
  if (x.size === a.content.size || y.size === b.content.size || x.size === 0) return false
  return isWithin(x, y) && isWithin(y, x)
}

function numberless(content: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...content].filter((word) => !/\d/.test(word)))
}

export function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((word) => whole.has(word))
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’ʼ´]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s.!,;]+$/, '')
    .trim()
}

/** Cuts the endings of inflection, so that "lives", "living" and "lived" are one. */
function stem(word: string): string {
  const bare = word
    .replace(/'s$/, '')
    .replace(/^favor/, 'favour')
    .replace(/^color/, 'colour')
  const cut = bare.replace(/ies$/, 'y').replace(/(?<=[^\s]{3})(?:ing|ed|es|e)$|(?<=[^\s]{2}[^s\s])s$/, '')
  return cut.replace(/([bdgklmnprt])\1$/, '$1')
}
