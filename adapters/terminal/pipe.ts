/** The terminal without a person at it: lines in, replies out, as text or as JSON. */

import type { Readable, Writable } from 'node:stream'
import type { Bot, IncomingMessage } from '../../src/adapter.ts'
import { parseRequest, toErrorLine, toRecordLine } from './json.ts'
import { type Line, LONGEST_LINE, readLines } from './lines.ts'
import { plain } from './plain.ts'
import type { Printer } from './printer.ts'
import { isQuit, type Said, toAddressee, toMessage } from './said.ts'
import type { Talk } from './tty.ts'
import type { Waiting } from './waiting.ts'

export interface Pipe {
  readonly input: Readable
  readonly notices: Writable
  readonly mode: 'lines' | 'json'
  readonly as: string
  readonly workspace: string
  readonly runId: string
  readonly now: () => Date
}

/** Lines of `--json` that wait for their turn with the bot, or for its reply. */
const MOST_WAITING = 1000

const TOO_LONG = `Expected a line of at most ${LONGEST_LINE} characters, got more`

export function createPipe(pipe: Pipe, printer: Printer, waiting: Waiting, stop: AbortSignal): Talk {
  return {
    /** Resolves when the input has ended and everything is answered and printed. */
    async run(bot) {
      const take = pipe.mode === 'json' ? createTakeJson(pipe, waiting, bot, stop) : createTakeLine(pipe, waiting, bot)
      for await (const line of readLines(pipe.input, stop)) {
        if (line.text?.trim() === '') continue
        const said = toSaid(pipe, line)
        if ('error' in said) report(pipe, printer, line, said.error)
        else if (isQuit(said.text)) break
        else await take.line(said)
        await printer.ready()
        if (stop.aborted) return
      }
      await take.end()
      await bot.idle()
      await printer.flushed()
    },
    open(destinations, key) {
      const to = destinations.map(toAddressee)
      return {
        update() {},
        finish: async () => [`terminal:post:${key}`],
        // Printed sooner, a crash before the turn is stored would have the reply printed twice.
        stored(record) {
          if (stop.aborted) return
          if (pipe.mode === 'json') printer.print(`${toRecordLine(to, record)}\n`)
          else if (record.rated === undefined) printer.print(`${plain(record.reply).trimEnd()}\n`)
          for (const addressee of to) waiting.answer(addressee.message)
        },
        abandon() {},
      }
    },
    notice(text) {
      pipe.notices.write(`${plain(text)}\n`)
    },
  }
}

interface Take {
  line(said: Said): Promise<void>
  end(): Promise<void>
}

/** The next line is handed when the one before is answered. */
function createTakeLine(pipe: Pipe, waiting: Waiting, bot: Bot): Take {
  return {
    async line(said) {
      const message = toMessage(said, pipe.runId, pipe.now)
      await waiting.hand(bot, message)
      await waiting.quiet(message.conversation)
    },
    end: async () => {},
  }
}

/** In its conversation a line is handed after the one before, and one that tells its time after all replies before. */
function createTakeJson(pipe: Pipe, waiting: Waiting, bot: Bot, stop: AbortSignal): Take {
  const last = new Map<string, Promise<void>>()
  const unhanded = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined

  async function hand(said: Said, before: Promise<void> | undefined, message: IncomingMessage) {
    await before
    if (said.at) await waiting.quiet(message.conversation)
    if (!failure && !stop.aborted) await waiting.hand(bot, message)
  }
  return {
    async line(said) {
      if (failure) throw failure.error
      const message = toMessage(said, pipe.runId, pipe.now)
      const { conversation } = message
      const handed = hand(said, last.get(conversation), message)
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => {
          unhanded.delete(handed)
          if (last.get(conversation) === handed) last.delete(conversation)
        })
      last.set(conversation, handed)
      unhanded.add(handed)
      if (unhanded.size >= MOST_WAITING) await Promise.race(unhanded)
      else await waiting.room(MOST_WAITING)
    },
    async end() {
      await Promise.all(unhanded)
      if (failure) throw failure.error
    },
  }
}

function toSaid(pipe: Pipe, line: Line): Said | { readonly error: string } {
  if (line.text === undefined) return { error: TOO_LONG }
  if (pipe.mode === 'json') return parseRequest(line.text, line.number, pipe)
  const { as, workspace } = pipe
  return { text: line.text, as, workspace, channel: 'direct', isAdmin: true, id: line.number, isGiven: false }
}

function report(pipe: Pipe, printer: Printer, line: Line, error: string) {
  if (pipe.mode === 'json') printer.print(`${toErrorLine(line.number, error)}\n`)
  else pipe.notices.write(`Line ${line.number}: ${error}\n`)
}
