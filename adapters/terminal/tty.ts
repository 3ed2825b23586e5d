/** The terminal with a person at it: a prompt, replies that stream, a few commands of its own. */

import type { Readable, Writable } from 'node:stream'
import type { Bot, Destination, Draft, TurnRecord } from '../../src/adapter.ts'
import { createEditor } from './editor.ts'
import { createMarkdown } from './markdown.ts'
import { createPaint } from './paint.ts'
import type { Printer } from './printer.ts'
import { type Addressee, isQuit, type Said, toAddressee, toMessage } from './said.ts'
import { createScreen } from './screen.ts'
import { type Look, unstyled } from './typeset.ts'
import type { Waiting } from './waiting.ts'
import { wrap } from './wrap.ts'

export interface Tty {
  readonly input: Readable
  readonly output: Writable
  readonly as: string
  readonly workspace: string
  readonly runId: string
  readonly now: () => Date
  readonly colour: boolean
  readonly onInterrupt: () => void
}

export interface Talk {
  run(bot: Bot): Promise<void>
  open(destinations: readonly Destination[], key: string): Draft
  /** Tells the person something that is no reply. */
  notice(text: string): void
}

export function createTty(tty: Tty, printer: Printer, waiting: Waiting, stop: AbortSignal): Talk {
  const paint = createPaint(tty.colour)
  const markdown = tty.colour ? createMarkdown(paint) : unstyled
  const look: Look = { paint, markdown, columns: () => columnsOf(tty.output) }
  const editor = createEditor({ ...tty, prompt: paint.accent('› ') }, printer)
  const screen = createScreen(printer, look, editor, stop)

  async function listen(bot: Bot) {
    for (let number = 1; !stop.aborted; number += 1) {
      const line = await editor.nextLine()
      if (line === undefined || isQuit(line)) break
      if (line.trim() === '/help') printer.print(`${help(look)}\n\n`)
      else if (line.trim() !== '') await say(tty, waiting, bot, line, number)
    }
  }
  return {
    /** Resolves when the person left and what is open is finished. */
    async run(bot) {
      printer.print(`${greeting(tty, look)}\n\n`)
      editor.start()
      stop.addEventListener('abort', editor.stop, { once: true })
      try {
        await listen(bot)
        await bot.idle()
      } finally {
        stop.removeEventListener('abort', editor.stop)
        editor.stop()
      }
      await printer.flushed()
    },
    open(destinations, key) {
      const to = destinations.map(toAddressee)
      return screen.open(key, toNote(tty, to), (record) => {
        const rated = toRated(record)
        if (rated !== undefined && !stop.aborted) printer.print(`${paint.dim(rated)}\n\n`)
        for (const addressee of to) waiting.answer(addressee.message)
      })
    },
    notice: screen.notice,
  }
}

/** Resolves when it is answered. */
async function say(tty: Tty, waiting: Waiting, bot: Bot, text: string, id: number): Promise<void> {
  const { as, workspace } = tty
  const said: Said = { text, as, workspace, channel: 'direct', isAdmin: true, id, isGiven: false }
  const message = toMessage(said, tty.runId, tty.now)
  await waiting.hand(bot, message)
  await waiting.quiet()
}

function columnsOf(output: Writable): number {
  return 'columns' in output && typeof output.columns === 'number' && output.columns > 0 ? output.columns : 80
}

function greeting({ as, workspace }: Tty, { paint, columns }: Look): string {
  const who = { text: ` · you are ${as} in the workspace ${workspace}`, style: paint.dim }
  const how = { text: 'Write a message and press Enter. /help tells more, Ctrl-D leaves.', style: paint.dim }
  return [[{ text: 'Attune', style: paint.bold }, who], [how]].map((line) => wrap(line, columns(), true)).join('\n')
}

function help({ paint, columns }: Look): string {
  const rows = [
    ['+  or  -', 'rate the last reply; the same again takes it back'],
    ['/persona', 'what is known of how you like replies'],
    ['/tune', 'the settings of this workspace'],
    ['/help', 'this'],
    ['/quit', 'leave, like Ctrl-D; Ctrl-C leaves without waiting'],
    ['↑  ↓', 'earlier lines'],
  ]
  return rows
    .map(([name = '', meaning = '']) => [
      { text: `  ${name.padEnd(10)}`, style: paint.accent },
      { text: meaning, style: paint.dim },
    ])
    .map((line) => wrap(line, columns(), true))
    .join('\n')
}

/** Said above a reply that doesn't answer the line just typed. */
function toNote(tty: Tty, to: readonly Addressee[]): string | undefined {
  const last = to.at(-1)
  if (last && last.as !== tty.as) return `(to ${last.as})`
  return last && last.run !== tty.runId ? '(to your earlier message)' : undefined
}

function toRated(record: TurnRecord): string | undefined {
  if (record.rated === undefined || record.reply.trim() !== '') return undefined
  return record.rated === null ? '(rating taken back)' : `(rated ${record.rated})`
}
