/** The terminal as a chat platform: a person at a prompt, lines through a pipe, or JSON lines for tests and replays. */

import type { Readable, Writable } from 'node:stream'
import type { Platform } from '../src/adapter.ts'
import { createPipe } from './terminal/pipe.ts'
import { createPrinter } from './terminal/printer.ts'
import { createTty } from './terminal/tty.ts'
import { createWaiting } from './terminal/waiting.ts'

export interface TerminalOptions {
  readonly input: Readable
  /** Replies, and nothing else unless a person is at it. */
  readonly output: Writable
  readonly notices: Writable
  /** `tty` only where input and output are a terminal; `json` is described at `parseRequest` and `toRecordLine`. */
  readonly mode: 'tty' | 'lines' | 'json'
  /** Name of the person at the terminal: 1 to 80 characters on one line. */
  readonly as: string
  /** Like a name, without a colon. */
  readonly workspace: string
  /** Different in every run: messages without a given id are new in each. */
  readonly runId: string
  readonly colour: boolean
  readonly now?: () => Date
  /** Ctrl-C at the prompt, where the terminal sends no signal. Absent: `run` ends. */
  readonly onInterrupt?: () => void
}

export interface Terminal extends Platform {
  /** Tells the person something that is no reply: between the replies, or where notices go. */
  notice(text: string): void
}

export function createTerminal(options: TerminalOptions): Terminal {
  const { mode, now = () => new Date(), onInterrupt = () => stop.abort() } = options
  const stop = new AbortController()
  const end = () => stop.abort()
  const printer = createPrinter(options.output)
  printer.gone.addEventListener('abort', end)
  // An error that nobody listens to ends the process; a notice that nobody reads does not matter.
  options.notices.on('error', () => {})
  const waiting = createWaiting()
  const talk =
    mode === 'tty'
      ? createTty({ ...options, now, onInterrupt }, printer, waiting, stop.signal)
      : createPipe({ ...options, mode, now }, printer, waiting, stop.signal)
  return {
    name: 'terminal',
    isLocal: true,
    /** Resolves when the input has ended and is answered, the reader of the output is gone, or the signal aborts. */
    async run(bot, signal) {
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        if (!stop.signal.aborted) await Promise.race([talk.run(bot), aborted(stop.signal)])
      } finally {
        signal.removeEventListener('abort', end)
      }
    },
    open: talk.open,
    notice: talk.notice,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
