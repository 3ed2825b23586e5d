/** Replies and notices on a terminal, one after another, between the prompts. */

import type { Draft, TurnRecord } from '../../src/adapter.ts'
import { plain } from './plain.ts'
import type { Printer } from './printer.ts'
import { createSpeech, type Speaker } from './speech.ts'
import type { Look } from './typeset.ts'
import { wrap } from './wrap.ts'

export interface Screen {
  /** @param note a line above the reply, for one that doesn't answer the line just typed */
  open(key: string, note: string | undefined, onStored: (record: TurnRecord) => void): Draft
  /** A line of its own. */
  notice(text: string): void
}

/** What is told before the first speaker takes the floor and after the last one left it. */
export interface Prompt {
  hide(): void
  show(): void
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

/** Who may print: whatever is open at once, one has the floor and the others wait in line. */
interface Floor {
  /** Begins at once, or when all that came before have left. */
  take(speaker: Speaker): void
  leave(speaker: Speaker): void
}

function createFloor(prompt: Prompt): Floor {
  const line: Speaker[] = []
  return {
    take(speaker) {
      line.push(speaker)
      if (line.length > 1) return
      prompt.hide()
      speaker.begin()
    },
    leave(speaker) {
      const at = line.indexOf(speaker)
      if (at < 0) return
      line.splice(at, 1)
      const next = line[0]
      if (at === 0) next?.begin()
      if (!next) prompt.show()
    },
  }
}
