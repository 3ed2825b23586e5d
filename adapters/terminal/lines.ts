/** Numbered lines of a stream of bytes, in bounded memory. */

import type { Readable } from 'node:stream'

/** Characters in one line; what is longer is skipped. */
export const LONGEST_LINE = 4 * 1024 * 1024

export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number
  /** Without its end (`\n` or `\r\n`); undefined when the line is too long. */
  readonly text: string | undefined
}

/** Ends with the stream or as soon as `stop` aborts; a stream that fails has ended. */
export async function* readLines(input: Readable, stop: AbortSignal, longest = LONGEST_LINE): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  const end = () => input.destroy()
  stop.addEventListener('abort', end, { once: true })
  const split = createSplitter(longest)
  try {
    for await (const chunk of stop.aborted ? [] : input) {
      yield* split(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }), false)
      if (stop.aborted) return
    }
  } catch {
    // A terminal that was closed, a folder as input: what came before it counts.
  } finally {
    stop.removeEventListener('abort', end)
  }
  if (!stop.aborted) yield* split(decoder.decode(), true)
}

function createSplitter(longest: number): (text: string, isEnd: boolean) => Generator<Line> {
  let number = 0
  let pieces: string[] = []
  let length = 0
  function add(piece: string) {
    length += piece.length
    if (length > longest) pieces = []
    else pieces.push(piece)
  }
  function take(): Line {
    const text = length > longest ? undefined : pieces.join('').replace(/\r$/, '')
    pieces = []
    length = 0
    number += 1
    return { number, text }
  }
  return function* split(text, isEnd) {
    const parts = text.split('\n')
    const rest = parts.pop() ?? ''
    for (const part of parts) {
      add(part)
      yield take()
    }
    add(rest)
    if (isEnd && length > 0) yield take()
  }
}
