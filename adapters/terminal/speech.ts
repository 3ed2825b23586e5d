/** One reply on a terminal: a sign of typing, then the text as it grows, then its end. */

import type { Speaker } from './floor.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'
import type { Printer } from './printer.ts'

export interface Speech extends Speaker {
  /** Resolves when it has the floor, or will never need it. */
  readonly begun: Promise<void>
  update(text: string): void
  end(text: string): void
  abandon(): void
}

const CLEAR_LINE = '\r\u001b[K'

/**
 * Prints nothing before it begins and after `stop` aborts.
 * @param note a line above the reply
 */
export function createSpeech(printer: Printer, paint: Paint, note: string | undefined, stop: AbortSignal): Speech {
  let state: 'waiting' | 'typing' | 'printing' | 'over' = 'waiting'
  let latest = ''
  const growth = createGrowth(printer)
  let resolve = () => {}
  const begun = new Promise<void>((done) => {
    resolve = done
  })
  const cutOff = () => finish('\n')
  stop.addEventListener('abort', cutOff, { once: true })
  function show() {
    if (state === 'waiting' || state === 'over' || !growth.isNews(latest)) return
    if (state === 'typing') printer.print(CLEAR_LINE)
    state = 'printing'
    growth.print(latest)
  }
  function finish(end: string) {
    if (state === 'typing') printer.print(CLEAR_LINE)
    if (state === 'printing') printer.print(end)
    state = 'over'
    stop.removeEventListener('abort', cutOff)
    resolve()
  }
  return {
    begun,
    begin() {
      if (stop.aborted) return cutOff()
      printer.print(paint.dim(`${note === undefined ? '' : `${note}\n`}…`))
      state = 'typing'
      show()
      resolve()
    },
    update(text) {
      latest = text
      // A slow terminal skips to what is latest.
      if (!printer.isFull()) show()
    },
    end(text) {
      latest = text.trimEnd()
      show()
      finish(growth.endsLine() ? '\n' : '\n\n')
    },
    abandon: () => finish('\n\n'),
  }
}

interface Growth {
  isNews(text: string): boolean
  print(text: string): void
  endsLine(): boolean
}

/** Text that is printed as it grows; what is no continuation (a retry says something else) starts anew below. */
function createGrowth(printer: Printer): Growth {
  let printed = ''
  return {
    isNews(text) {
      const next = plain(text).trimStart()
      return next.trimEnd() !== printed.trimEnd()
    },
    print(text) {
      const next = plain(text).trimStart()
      printer.print(next.startsWith(printed) ? next.slice(printed.length) : `\n${next}`)
      printed = next
    },
    endsLine: () => printed.endsWith('\n'),
  }
}
