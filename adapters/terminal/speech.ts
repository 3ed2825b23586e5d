/** One reply on a terminal: a sign of typing, then the text as it grows, then its end. */

import { plain } from './plain.ts'
import type { Printer } from './printer.ts'
import { createTypeset, type Look } from './typeset.ts'

/** Whoever waits for its turn to print. */
export interface Speaker {
  /** It has the floor. */
  begin(): void
}

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
export function createSpeech(printer: Printer, look: Look, note: string | undefined, stop: AbortSignal): Speech {
  let state: 'waiting' | 'typing' | 'printing' | 'over' = 'waiting'
  let latest = ''
  const growth = createGrowth(look)
  let resolve = () => {}
  const begun = new Promise<void>((done) => {
    resolve = done
  })
  const cutOff = () => finish('\n')
  stop.addEventListener('abort', cutOff, { once: true })
  function show(isEnd = false) {
    if (state === 'waiting' || state === 'over') return
    const news = growth.next(latest, isEnd)
    if (news === '') return
    if (state === 'typing') printer.print(CLEAR_LINE)
    state = 'printing'
    printer.print(news)
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
      printer.print(look.paint.dim(`${note === undefined ? '' : `${note}\n`}…`))
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
      latest = text
      show(true)
      finish('\n\n')
    },
    abandon: () => finish('\n\n'),
  }
}

interface Growth {
  /** What may be printed of the text by now; at the end that is all that was not. */
  next(text: string, isEnd: boolean): string
}

/** Text that is printed as it grows; what is no continuation (a retry says something else) starts anew below. */
function createGrowth(look: Look): Growth {
  let set = createTypeset(look)
  let known = ''
  let isBegun = false
  let gap = ''
  return {
    next(text, isEnd) {
      const whole = plain(text).trim()
      if (!whole.startsWith(known)) {
        set = createTypeset(look)
        known = ''
        if (isBegun) gap = '\n'
      }
      const news = set(whole.slice(known.length), isEnd)
      known = whole
      if (news === '') return ''
      const printed = gap + news
      isBegun = true
      gap = ''
      return printed
    },
  }
}
