/** The line editor at the prompt. Keys that arrive while there is no prompt are kept for the next one. */

import { createInterface, type Interface } from 'node:readline'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { ReadStream, WriteStream } from 'node:tty'
import { createKeys, type Keys, LINE_BREAK } from './keys.ts'
import type { Printer } from './printer.ts'
import type { Prompt } from './screen.ts'

export interface Editor extends Prompt {
  /** Takes hold of the terminal. */
  start(): void
  /** Asks for a line; undefined when the person left. */
  nextLine(): Promise<string | undefined>
  /** Gives the terminal back as it was. */
  stop(): void
}

export interface Desk {
  readonly input: Readable
  readonly output: Writable
  readonly prompt: string
  readonly onInterrupt: () => void
}

const BRACKETED_PASTE_ON = '\u001b[?2004h'
const BRACKETED_PASTE_OFF = '\u001b[?2004l'
const CLEAR_BELOW = '\r\u001b[J'

export function createEditor(desk: Desk, printer: Printer): Editor {
  let running: Running | undefined
  let isHidden = false
  let hasEnded = false
  let answer: ((line: string | undefined) => void) | undefined
  function give(line: string | undefined) {
    // What follows the last prompt begins on its own line.
    if (answer && line === undefined) printer.print('\n')
    answer?.(line)
    answer = undefined
  }
  function resume() {
    if (!answer || isHidden) return
    running?.ask()
    if (hasEnded) give(undefined)
  }
  return {
    start() {
      running = createRunning(desk, printer, give, () => {
        hasEnded = true
        resume()
      })
    },
    async nextLine() {
      if (!running) return undefined
      return await new Promise((resolve) => {
        answer = resolve
        resume()
      })
    },
    hide() {
      isHidden = true
      if (answer) running?.putAside()
    },
    show() {
      isHidden = false
      resume()
    },
    stop() {
      give(undefined)
      running?.close()
      running = undefined
    },
  }
}

/** The editor while it has hold of the terminal. */
interface Running {
  ask(): void
  putAside(): void
  close(): void
}

function createRunning(desk: Desk, printer: Printer, onLine: (line: string) => void, onEnd: () => void): Running {
  const { input } = desk
  printer.print(BRACKETED_PASTE_ON)
  const typed = createTyped(input)
  const readline = createReadline(desk, typed, printer)
  const keys: Keys = createKeys({
    press: (text) => typed.emit('data', Buffer.from(text)),
    insert: (text) => readline.write(text),
    interrupt: desk.onInterrupt,
  })
  const decoder = new StringDecoder('utf8')
  const feed = (chunk: Buffer | string) => keys.feed(typeof chunk === 'string' ? chunk : decoder.write(chunk))
  let isClosed = false

  readline.on('line', (line) => onLine(line.replaceAll(LINE_BREAK, '\n').trimEnd()))
  readline.on('close', () => {
    isClosed = true
    onEnd()
  })
  input.on('data', feed).on('end', onEnd).on('error', onEnd)
  return {
    ask() {
      if (isClosed) return
      readline.prompt(true)
      readline.write(null, { ctrl: true, name: 'e' })
      keys.open()
    },
    putAside() {
      keys.close()
      if (isClosed) return
      // From the first row of what is typed, everything below is the prompt's.
      readline.write(null, { ctrl: true, name: 'a' })
      printer.print(CLEAR_BELOW)
    },
    close() {
      isClosed = true
      printer.print(BRACKETED_PASTE_OFF)
      input.off('data', feed)
      input.pause()
      readline.close()
    },
  }
}

/** Readline's own input: it carries only what is let through, and passes the raw mode on to the terminal. */
function createTyped(input: Readable): PassThrough {
  const typed = new PassThrough()
  if (!(input instanceof ReadStream)) return typed
  return Object.assign(typed, { setRawMode: (isRaw: boolean) => input.setRawMode(isRaw) })
}

function createReadline({ output, prompt }: Desk, typed: Readable, printer: Printer): Interface {
  const echo = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      printer.print(String(chunk))
      done()
    },
  })
  if (output instanceof WriteStream) Object.defineProperty(echo, 'columns', { get: () => output.columns })
  const readline = createInterface({
    input: typed,
    output: echo,
    prompt,
    terminal: true,
    historySize: 1000,
    removeHistoryDuplicates: true,
  })
  readline.on('SIGCONT', () => readline.prompt(true))
  return readline
}
