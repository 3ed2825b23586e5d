/** Which lines of input wait for their reply, conversation by conversation. */

import type { Bot, IncomingMessage } from '../../src/adapter.ts'
import { deliver } from './said.ts'

export interface Waiting {
  /** Resolves when the bot has stored the message. One that it knew already waits for nothing. */
  hand(bot: Bot, message: IncomingMessage): Promise<void>
  /** Resolves when all that was handed in this conversation is answered, or the bot has nothing left to answer. */
  quiet(bot: Bot, conversation: string): Promise<void>
  /** Resolves when fewer than `most` messages wait: whoever writes faster than the bot answers is slowed down. */
  room(bot: Bot, most: number): Promise<void>
  /** The reply to this message is there. */
  answer(message: string): void
}

export function createWaiting(): Waiting {
  const conversations = new Map<string, Map<string, Wait>>()
  const byMessage = new Map<string, string>()
  let whenAnswered = () => {}

  function answer(message: string) {
    const conversation = byMessage.get(message) ?? ''
    const waits = conversations.get(conversation)
    waits?.get(message)?.resolve()
    waits?.delete(message)
    byMessage.delete(message)
    if (waits?.size === 0) conversations.delete(conversation)
    whenAnswered()
  }
  return {
    answer,
    async hand(bot, message) {
      const { id, conversation } = message
      const isNew = !byMessage.has(id)
      if (isNew) {
        // Before it is handed: the reply may be there before `receive` resolves.
        byMessage.set(id, conversation)
        const waits = conversations.get(conversation) ?? new Map<string, Wait>()
        conversations.set(conversation, waits.set(id, createWait()))
      }
      const isAccepted = await deliver(bot, message)
      const wait = conversations.get(conversation)?.get(id)
      if (isNew && !isAccepted) answer(id)
      else if (wait) wait.isAccepted = true
    },
    async quiet(bot, conversation) {
      const waits = [...(conversations.get(conversation) ?? [])]
      if (waits.length === 0) return
      await Promise.race([Promise.all(waits.map(([, wait]) => wait.promise)), bot.idle()])
      // A turn that failed for good has no reply.
      for (const [message] of waits) answer(message)
    },
    async room(bot, most) {
      while (byMessage.size >= most) {
        const waits = [...conversations.values()].flatMap((waits) => [...waits])
        const accepted = waits.filter(([, wait]) => wait.isAccepted)
        const answered = new Promise<'answered'>((resolve) => {
          whenAnswered = () => resolve('answered')
        })
        const first = accepted.length === waits.length ? await Promise.race([answered, bot.idle()]) : await answered
        if (first !== 'answered') for (const [message] of accepted) answer(message)
      }
    },
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
