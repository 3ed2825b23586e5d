/** Cuts a text that is too long for one message of a chat into parts that each stand alone. */

import { type Block, blocksOf, type Fence } from './fences.ts'

const SMALLEST_LIMIT = 50

/** Where a part may end, best first: each match of a pattern ends at such a place. */
const BREAKS: readonly { readonly pattern: RegExp; readonly isInCode: boolean }[] = [
  { pattern: /\n(?<=\n[ \t\r]*\n)/g, isInCode: false },
  { pattern: /\n/g, isInCode: false },
  { pattern: /\n/g, isInCode: true },
  { pattern: /[.!?…]["')\]*_”’»]*\s|[。！？]/g, isInCode: true },
  { pattern: /\s(?![\p{M}\u200d])/gu, isInCode: true },
]

/** What is better left whole: links, entities, code in a line, emphasis, and fences with what stands around them. */
const WHOLE = new RegExp(
  [
    /(?:\S[ \t]*)?(?:`{3,}|~{3,})[^\n]?/,
    /<[^<>\n]{1,500}>/,
    /&[a-zA-Z]{2,8};/,
    /!?\[[^[\]\n]{1,200}\]\([^()\s]{1,500}\)/,
    /`[^`\n]{1,100}`/,
    /(?<mark>\*{1,3}|__?|~~?)[^*_~\n]{1,200}\k<mark>/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'g',
)

const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text with what has to be known of each place in it. */
interface Plan {
  readonly text: string
  readonly limit: number
  /** The fenced block that holds a place, so that a part that begins there has to open it again. */
  blockAt(at: number): Block | undefined
  /** Whether a cut here would take apart what belongs together. */
  isWhole(at: number): boolean
  /** Behind the last character that can be seen. */
  readonly seenEnd: number
}

/**
 * Parts of at most `limit` UTF-16 code units each, as JavaScript, Slack and Discord count. They end at a paragraph, else
 * a line, sentence, word, at worst between two characters as people see them. A fenced block that is cut is closed at
 * the end of a part and opened again in the next, with its language where that leaves room.
 *
 * Without the fences that were added, the parts joined are the text again. No part is blank: what is left out is a
 * stretch of blanks that would fill a part of its own, or that is all there is.
 *
 * To be given what is posted: translate first, then split, since a translation may be longer.
 *
 * @param limit a whole number from 50 up
 * @throws RangeError: Expected `limit` to be a whole number from 50 up, got `…`
 */
export function split(text: string, limit: number): string[] {
  if (!Number.isInteger(limit) || limit < SMALLEST_LIMIT)
    throw new RangeError(`Expected \`limit\` to be a whole number from ${SMALLEST_LIMIT} up, got \`${limit}\``)
  if (text.length <= limit && blocksOf(text, text.length).every((block) => block.isClosed))
    return VISIBLE.test(text) ? [text] : []
  const plan = planOf(text, limit)
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const { part, end } = nextPart(plan, at)
    if (VISIBLE.test(part)) parts.push(part)
    at = end
  }
  return parts
}

/** Without the characters that reverse what follows them, which serve to forge names. Those that Hebrew or Arabic need stay. */
export function withoutOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function planOf(text: string, limit: number): Plan {
  const blocks = blocksOf(text, widest(limit))
  const holder = new Int32Array(text.length + 1).fill(-1)
  const whole = new Uint8Array(text.length + 1)
  for (const [n, block] of blocks.entries()) {
    holder.fill(n, block.opened, block.codeEnd + 1)
    // No empty block at the end of a part or at the start of the next.
    whole[block.code] = 1
    if (block.isClosed) whole[block.codeEnd] = 1
  }
  for (const {
    index,
    0: { length },
  } of text.matchAll(WHOLE))
    whole.fill(1, index + 1, index + length)
  let seenEnd = text.length
  while (seenEnd > 0 && !VISIBLE.test(text.charAt(seenEnd - 1))) seenEnd -= 1
  return { text, limit, seenEnd, blockAt: (at) => blocks[holder[at] ?? -1], isWhole: (at) => whole[at] === 1 }
}

/** Code units before the language that a fence may have: each part has to hold two and still have room for text. */
function widest(limit: number): number {
  return Math.floor(limit / 5)
}

function nextPart(plan: Plan, at: number): { part: string; end: number } {
  const { text, limit, seenEnd } = plan
  const block = plan.blockAt(at)
  const open = block === undefined ? '' : opened(block.fence, limit)
  const seen = block === undefined ? firstSeen(text, at) : at
  if (seen - at >= limit) return { part: '', end: seen }
  let room = limit - open.length
  for (;;) {
    const end = at + breakIn(plan, at, room, seen - at + 1)
    const tail = text.length - end
    // Blanks at the very end go with the last word.
    if (end >= seenEnd && tail > 0 && tail < limit / 4 && seenEnd - 1 > seen) {
      room = seenEnd - 1 - at
      continue
    }
    const part = open + text.slice(at, end)
    const whole = part + closed(part, limit)
    if (whole.length <= limit) return { part: whole, end }
    room = end - at - (whole.length - limit)
  }
}

function firstSeen(text: string, at: number): number {
  const next = text.slice(at).search(VISIBLE)
  return next < 0 ? text.length : at + next
}

function opened({ prefix, marker, info }: Fence, limit: number): string {
  const line = `${prefix}${marker}${info}\n`
  return line.length <= limit / 4 ? line : `${prefix}${marker}\n`
}

/** What the part lacks to leave no block open; read from the part itself, so that it holds however it was cut. */
function closed(part: string, limit: number): string {
  const last = blocksOf(part, widest(limit)).at(-1)
  if (last === undefined || last.isClosed) return ''
  return `${part.endsWith('\n') ? '' : '\n'}${last.fence.prefix}${last.fence.marker}`
}

/** How many of the next `room` code units a part takes: at least half of them where that breaks nothing. */
function breakIn(plan: Plan, at: number, room: number, least: number): number {
  if (at + room >= plan.text.length) return plan.text.length - at
  const ahead = plan.text.slice(at, at + room + 1)
  for (const from of [Math.max(least, room / 2), least])
    for (const { pattern, isInCode } of BREAKS) {
      let best = -1
      for (const { index, 0: found } of ahead.matchAll(pattern)) {
        const size = index + found.length
        if (size < from || size > room || plan.isWhole(at + size)) continue
        if (isInCode || plan.blockAt(at + size) === undefined) best = size
      }
      if (best > 0) return best
    }
  return betweenCharacters(plan, at, room, least)
}

function betweenCharacters(plan: Plan, at: number, room: number, least: number): number {
  let size = room
  while (size > room / 2 && plan.isWhole(at + size)) size -= 1
  if (size <= room / 2) size = room
  const grapheme = graphemes.segment(plan.text.slice(at, at + size + 2)).containing(size)?.index ?? size
  if (grapheme >= least) return grapheme
  const isPair = (plan.text.codePointAt(at + size - 1) ?? 0) > 0xffff
  return isPair && size > 1 ? size - 1 : size
}
