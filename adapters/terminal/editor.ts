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
    answer?.(line)
    answer = undefined
  }
  function resume() {
    if (!answer || isHidden) return
    running?.ask()
    // What is still held may hold a line.
    if (hasEnded) give(undefined)
  }
  function stop() {
    if (!running) return
    if (answer) printer.print('\n')
    printer.print(BRACKETED_PASTE_OFF)
    running.close()
    running = undefined
    give(undefined)
  }
  return {
    start() {
      const end = () => {
        hasEnded = true
        resume()
      }
      printer.print(BRACKETED_PASTE_ON)
      running = createRunning(desk, printer, give, end)
    },
    nextLine() {
      const line = new Promise<string | undefined>((resolve) => {
        answer = resolve
      })
      if (running) resume()
      else give(undefined)
      return line
    },
    hide() {
      isHidden = true
      if (answer) running?.putAside()
    },
    show() {
      isHidden = false
      resume()
    },
    stop,
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

  function leave() {
    // Ctrl-D: the shell's prompt begins on its own line.
    if (!isClosed) printer.print('\n')
    isClosed = true
    onEnd()
  }
  readline.on('line', (line) => onLine(line.replaceAll(LINE_BREAK, '\n').trimEnd()))
  readline.on('close', leave)
  input.on('data', feed)
  input.on('end', onEnd)
  input.on('error', onEnd)
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
