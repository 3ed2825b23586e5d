/** Prints to a stream no faster than its reader reads, and survives the reader's going away. */

import type { Writable } from 'node:stream'

export interface Printer {
  /** Keeps the text until the stream takes it. Prints nothing once the reader is gone. */
  print(text: string): void
  /** Whether the stream asked to wait. */
  isFull(): boolean
  /** Resolves when more may be printed, or nobody reads any more. */
  ready(): Promise<void>
  /** Resolves when all that was printed has left the process, or nobody reads any more. */
  flushed(): Promise<void>
  /** Aborts when the reader went away. */
  readonly gone: AbortSignal
}

export function createPrinter(output: Writable): Printer {
  const reader = new AbortController()
  const waits = createWaits(reader.signal)
  let held = ''
  let isFull = false
  let unwritten = 0

  function write(text: string) {
    unwritten += 1
    isFull = !output.write(text, () => {
      unwritten -= 1
      waits.settle()
    })
  }
  function leave() {
    held = ''
    reader.abort()
    waits.settle()
  }
  // Stays for good: an error of a stream that nobody listens to ends the process.
  output.on('error', leave)
  output.on('close', leave)
  output.on('drain', () => {
    isFull = false
    const text = held
    held = ''
    if (text !== '') write(text)
    waits.settle()
  })
  return {
    print(text) {
      if (text === '' || reader.signal.aborted) return
      if (isFull) held += text
      else write(text)
    },
    isFull: () => isFull,
    ready: () => waits.until(() => !isFull),
    flushed: () => waits.until(() => held === '' && unwritten === 0),
    gone: reader.signal,
  }
}

interface Waits {
  until(isMet: () => boolean): Promise<void>
  /** Something changed that may have been waited for. */
  settle(): void
}

/** Waits end when their condition is met, and all of them when the reader is gone. */
function createWaits(gone: AbortSignal): Waits {
  const waiting = new Set<{ readonly isMet: () => boolean; readonly resolve: () => void }>()
  return {
    until(isMet) {
      if (gone.aborted || isMet()) return Promise.resolve()
      return new Promise((resolve) => waiting.add({ isMet, resolve }))
    },
    settle() {
      for (const wait of waiting) {
        if (!gone.aborted && !wait.isMet()) continue
        waiting.delete(wait)
        wait.resolve()
      }
    },
  }
}
