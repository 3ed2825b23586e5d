/** Replies and notices on a terminal, one after another, between the prompts. */

import type { Draft, TurnRecord } from '../../src/adapter.ts'
import { createFloor, type Prompt } from './floor.ts'
import { plain } from './plain.ts'
import type { Printer } from './printer.ts'
import { createSpeech } from './speech.ts'
import type { Look } from './typeset.ts'
import { wrap } from './wrap.ts'

export interface Screen {
  /** @param note a line above the reply, for one that doesn't answer the line just typed */
  open(key: string, note: string | undefined, onStored: (record: TurnRecord) => void): Draft
  /** A line of its own. */
  notice(text: string): void
}

/** Prints nothing once `stop` aborts. */
export function createScreen(printer: Printer, look: Look, prompt: Prompt, stop: AbortSignal): Screen {
  const floor = createFloor(prompt)
  return {
    open(key, note, onStored) {
      const speech = createSpeech(printer, look, note, stop)
      floor.take(speech)
      return {
        update: speech.update,
        async finish(reply) {
          await speech.begun
          speech.end(reply.text)
          floor.leave(speech)
          return [`terminal:post:${key}`]
        },
        stored(record) {
          // A rating is stored without a word.
          speech.abandon()
          onStored(record)
          floor.leave(speech)
        },
        abandon() {
          speech.abandon()
          floor.leave(speech)
        },
      }
    },
    notice(text) {
      const speaker = {
        begin() {
          if (!stop.aborted) printer.print(`${setNotice(text, look)}\n`)
          floor.leave(speaker)
        },
      }
      floor.take(speaker)
    },
  }
}

function setNotice(text: string, { paint, columns }: Look): string {
  const lines = plain(text).split('\n')
  return lines.map((line) => wrap([{ text: line, style: paint.dim }], columns(), true)).join('\n')
}
