/** Finds the fenced code blocks of a Markdown text by its lines; knows nothing of what stands between them. */

export interface Fence {
  /** What stands before the fence on its line: indentation, marks of a quote. A list's bullet has become spaces. */
  readonly prefix: string
  /** Three or more backticks or tildes. */
  readonly marker: string
  /** The language, as it was written. */
  readonly info: string
}

/** A fenced block in a text; all positions are UTF-16 code units from the text's start. */
export interface Block {
  readonly fence: Fence
  /** Right behind the marker that opens. */
  readonly opened: number
  /** Start of the first line of code. */
  readonly code: number
  /** Start of the line that closes, or of the first that no longer belongs to the quote the block is in. */
  readonly codeEnd: number
  /** Right behind the marker that closes. */
  readonly end: number
  readonly isClosed: boolean
}

const OPENS = /^((?:[ \t]*>)*(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})(.*)$/s
const CLOSES = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*$/

/** @param widest fences with more code units before the language than this are ordinary text */
export function blocksOf(markdown: string, widest: number): Block[] {
  const blocks: Block[] = []
  let open: { fence: Fence; opened: number; code: number } | null = null
  for (let start = 0; start < markdown.length; ) {
    const newline = markdown.indexOf('\n', start)
    const lineEnd = newline < 0 ? markdown.length : newline
    const line = markdown.slice(start, lineEnd)
    const next: number = lineEnd + 1
    if (open !== null && isOutside(line, open.fence)) {
      blocks.push({ ...open, codeEnd: start, end: start, isClosed: true })
      open = null
    }
    if (open === null) {
      const fence = opening(line, widest)
      if (fence !== null)
        open = {
          fence,
          opened: start + fence.prefix.length + fence.marker.length,
          code: Math.min(next, markdown.length),
        }
    } else {
      const marker = CLOSES.exec(line)?.[1] ?? ''
      if (marker.startsWith(open.fence.marker)) {
        blocks.push({ ...open, codeEnd: start, end: start + line.trimEnd().length, isClosed: true })
        open = null
      }
    }
    start = next
  }
  if (open !== null) blocks.push({ ...open, codeEnd: markdown.length, end: markdown.length, isClosed: false })
  return blocks
}

function opening(line: string, widest: number): Fence | null {
  if (!line.includes('```') && !line.includes('~~~')) return null
  const [, before = '', marker = '', info = ''] = OPENS.exec(line) ?? []
  if (marker === '' || before.length + marker.length > widest) return null
  return { prefix: before.replace(/[^\s>]/g, ' '), marker, info: info.trimEnd() }
}

/** A block in a quote ends with the quote. */
function isOutside(line: string, fence: Fence): boolean {
  return fence.prefix.includes('>') && !/^[ \t]*>/.test(line)
}
