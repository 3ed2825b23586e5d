/** Which lines of input wait for their reply. */

import type { Bot, IncomingMessage } from '../../src/adapter.ts'
import { deliver } from './said.ts'

export interface Waiting {
  /** Resolves when the bot has stored the message. One that it knew already waits for nothing. */
  hand(bot: Bot, message: IncomingMessage): Promise<void>
  /** Resolves when all that was handed is answered, or given up. */
  quiet(): Promise<void>
  /** Once `most` messages wait, each more costs the wait for an answer: nobody writes faster than the bot for long. */
  room(most: number): Promise<void>
  /** The reply to this message is there. */
  answer(message: string): void
}

export function createWaiting(): Waiting {
  const waits = new Map<string, Wait>()
  let whenAnswered = () => {}
  const watch = createWatch(waits, answer)

  function answer(message: string) {
    waits.get(message)?.resolve()
    waits.delete(message)
    whenAnswered()
  }
  return {
    answer,
    async hand(bot, message) {
      // Before it is handed: the reply may be there before `receive` resolves.
      const wait = waits.has(message.id) ? undefined : createWait()
      if (wait) waits.set(message.id, wait)
      const isAccepted = await deliver(bot, message)
      if (!wait) return
      wait.isAccepted = isAccepted
      if (isAccepted) void watch(bot)
      else answer(message.id)
    },
    async quiet() {
      await Promise.all([...waits.values()].map((wait) => wait.promise))
    },
    async room(most) {
      if (waits.size < most) return
      await new Promise<void>((resolve) => {
        whenAnswered = resolve
      })
    },
  }
}

/** A bot with nothing left to answer gave up what it took before that: no reply will come. */
function createWatch(waits: ReadonlyMap<string, Wait>, answer: (message: string) => void): (bot: Bot) => Promise<void> {
  let isWatching = false
  return async (bot) => {
    if (isWatching) return
    isWatching = true
    try {
      for (let taken = accepted(waits); taken.length > 0; taken = accepted(waits)) {
        await bot.idle()
        for (const message of taken) answer(message)
      }
    } catch {
      // Whoever hands the next message, or waits for the end, is told.
    } finally {
      isWatching = false
    }
  }
}

interface Wait {
  isAccepted: boolean
  readonly promise: Promise<void>
  resolve(): void
}

function createWait(): Wait {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { isAccepted: false, promise, resolve }
}

function accepted(waits: ReadonlyMap<string, Wait>): string[] {
  return [...waits].filter(([, wait]) => wait.isAccepted).map(([message]) => message)
}
