/** Where a Markdown answer may stop: behind a sentence, a list item, a paragraph or a block of code, never inside one. */

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/
const MARKER = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+|>\s?|#{1,6}\s)*/
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/
const STOP = /[.!?…。！？؟।][\])}"'”’»*_`~]*$/u
const ABBREVIATION = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|cf|approx|e\.g|i\.e|z\.B|d\.h|bzw|\p{Lu})\.$/u

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

interface Line {
  readonly text: string
  readonly start: number
  /** Followed by a line break. */
  readonly complete: boolean
}

/**
 * Positions (UTF-16, ascending) at which the text may be cut. The end of the text is one only when it closes a sentence
 * or a block, and may cease to be one when more text arrives: `It costs 3.` may go on with `50`.
 */
export function stops(text: string): number[] {
  const found: number[] = []
  let fence: string | null = null
  const lines = linesOf(text)
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line.text)
    if (fence !== null) {
      if (!closes(mark, fence)) continue
      fence = null
      found.push(line.start + line.text.length)
    } else if (mark !== null) {
      fence = mark[1] ?? null
    } else {
      found.push(...stopsOfLine(line, lines[index + 1]))
    }
  }
  return found
}

/** What remains of a text that was cut off anywhere: all up to its last stop, if it has one; a block of code keeps its whole lines. */
export function cutBack(text: string): string {
  const fence = openFence(text)
  if (fence !== null) return `${text.slice(0, text.lastIndexOf('\n'))}\n${fence}`
  return text.slice(0, stops(text).at(-1) ?? text.length)
}

/** Whether what comes next is inside a fenced block or between backticks. */
export function isInCode(text: string): boolean {
  return openFence(text) !== null || isOpen(text.slice(text.lastIndexOf('\n') + 1), '`')
}

function openFence(text: string): string | null {
  let fence: string | null = null
  for (const line of linesOf(text)) {
    const mark = FENCE.exec(line.text)
    if (fence === null) fence = mark?.[1] ?? null
    else if (closes(mark, fence)) fence = null
  }
  return fence
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line, index, all) => {
    const here = { text: line, start, complete: index < all.length - 1 }
    start += line.length + 1
    return here
  })
}

function closes(mark: RegExpExecArray | null, fence: string): boolean {
  return mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === ''
}

function stopsOfLine(line: Line, next: Line | undefined): number[] {
  const end = line.text.trimEnd().length
  if (end === 0 || /^\s*(?:#{1,6}\s|\|)/.test(line.text)) return []
  const head = MARKER.exec(line.text)?.[0].length ?? 0
  const found: number[] = []
  for (const { index, segment } of sentences.segment(line.text.slice(head))) {
    const sentence = segment.trimEnd()
    const stop = head + index + sentence.length
    const before = line.text.slice(0, stop)
    if (STOP.test(sentence) && !ABBREVIATION.test(sentence) && !isOpen(before, '`') && !isOpen(before, '**')) {
      found.push(line.start + stop)
    }
  }
  const whole = line.start + end
  if (endsBlock(line, next) && found.at(-1) !== whole) found.push(whole)
  return found
}

/** A list item or the last line of a paragraph needs no full stop. One that ends in a colon announces more. */
function endsBlock(line: Line, next: Line | undefined): boolean {
  if (!line.complete || /[:：]\**\s*$/.test(line.text)) return false
  return LIST_ITEM.test(line.text) || (next?.complete === true && next.text.trim() === '')
}

function isOpen(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 0
}
