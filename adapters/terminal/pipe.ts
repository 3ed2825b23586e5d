/** The terminal without a person at it: lines in, replies out, as text or as JSON. */

import type { Readable, Writable } from 'node:stream'
import type { Bot } from '../../src/adapter.ts'
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

/** Lines of `--json` that wait for their reply. */
const MOST_WAITING = 1000

const TOO_LONG = `Expected a line of at most ${LONGEST_LINE} characters, got more`

export function createPipe(pipe: Pipe, printer: Printer, waiting: Waiting, stop: AbortSignal): Talk {
  return {
    /** Resolves when the input has ended and everything is answered and printed. */
    async run(bot) {
      for await (const line of readLines(pipe.input, stop)) {
        if (line.text?.trim() === '') continue
        const said = toSaid(pipe, line)
        if ('error' in said) report(pipe, printer, line, said.error)
        else if (isQuit(said.text)) break
        else await take(pipe, waiting, bot, said)
        await printer.ready()
        if (stop.aborted) return
      }
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

/**
 * Lines of text have a reply each, and so have lines that tell their time: each waits until all before it is answered.
 * Others are handed as they come, and what waits together is answered together.
 */
async function take(pipe: Pipe, waiting: Waiting, bot: Bot, said: Said): Promise<void> {
  if (pipe.mode === 'lines' || said.at) await waiting.quiet()
  else await waiting.room(MOST_WAITING)
  await waiting.hand(bot, toMessage(said, pipe.runId, pipe.now))
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
