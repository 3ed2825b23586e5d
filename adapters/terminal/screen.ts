/**
 * Replies on a terminal as they stream, one after another. Whatever may be open at once, one reply has the floor; the
 * others wait with what they have.
 */

import type { Draft, TurnRecord } from '../../src/adapter.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'
import type { Printer } from './printer.ts'

export interface Screen {
  /** @param note a line above the reply, for one that doesn't answer the line just typed */
  open(key: string, note: string | undefined, onStored: (record: TurnRecord) => void): Draft
  /** Whether a reply has the floor. */
  isTaken(): boolean
}

/** What is told before the first reply takes the floor and after the last one left it. */
export interface Prompt {
  hide(): void
  show(): void
}

const CLEAR_LINE = '\r\u001b[K'

/** Prints nothing once `stop` aborts. */
export function createScreen(printer: Printer, paint: Paint, prompt: Prompt, stop: AbortSignal): Screen {
  const floor: Speech[] = []

  function begin(speech: Speech) {
    if (floor.length === 1) prompt.hide()
    speech.begin()
  }
  function leave(speech: Speech) {
    const at = floor.indexOf(speech)
    if (at < 0) return
    floor.splice(at, 1)
    const next = floor[0]
    if (at === 0 && next) next.begin()
    if (!next) prompt.show()
  }
  return {
    isTaken: () => floor.length > 0,
    open(key, note, onStored) {
      const speech = createSpeech(printer, paint, note, stop)
      floor.push(speech)
      if (floor[0] === speech) begin(speech)
      return {
        update: speech.update,
        async finish(reply) {
          await speech.begun
          speech.end(reply.text)
          leave(speech)
          return [`terminal:post:${key}`]
        },
        stored(record) {
          // A rating may be stored without a word.
          speech.abandon()
          onStored(record)
          leave(speech)
        },
        abandon() {
          speech.abandon()
          leave(speech)
        },
      }
    },
  }
}

interface Speech {
  /** Resolves when it has the floor, or will never need it. */
  readonly begun: Promise<void>
  begin(): void
  update(text: string): void
  end(text: string): void
  abandon(): void
}

function createSpeech(printer: Printer, paint: Paint, note: string | undefined, stop: AbortSignal): Speech {
  let state: 'waiting' | 'typing' | 'printing' | 'over' = 'waiting'
  let latest = ''
  let printed = ''
  let start = () => {}
  const begun = new Promise<void>((resolve) => {
    start = resolve
  })
  const print = (text: string) => {
    if (!stop.aborted) printer.print(text)
  }
  stop.addEventListener('abort', start, { once: true })

  function show() {
    const text = plain(latest).trimStart()
    if (text === '' || text === printed) return
    if (state === 'typing') print(CLEAR_LINE)
    state = 'printing'
    // A retry says something else: it starts anew below.
    const isGrowth = text.startsWith(printed)
    print(isGrowth ? text.slice(printed.length) : `\n${text}`)
    printed = text
  }
  function over() {
    if (state === 'typing') print(CLEAR_LINE)
    state = 'over'
    stop.removeEventListener('abort', start)
    start()
  }
  return {
    begun,
    begin() {
      if (note !== undefined) print(`${paint.dim(note)}\n`)
      print(paint.dim('…'))
      state = 'typing'
      show()
      start()
    },
    update(text) {
      latest = text
      // A slow terminal skips to what is latest.
      if ((state === 'typing' || state === 'printing') && !printer.isFull()) show()
    },
    end(text) {
      if (state === 'over') return
      latest = text.trimEnd()
      if (printed.trimEnd() !== plain(latest).trimStart()) show()
      if (printed !== '') print(printed.endsWith('\n') ? '\n' : '\n\n')
      over()
    },
    abandon() {
      if (state === 'printing') print('\n\n')
      over()
    },
  }
}
