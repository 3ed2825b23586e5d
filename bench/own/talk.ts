/** A bot over a real database with a model that answers at once, and the times of what it does. */

import type { IncomingMessage, Platform } from '../../src/adapter.ts'
import { createBot } from '../../src/bot.ts'
import type { Llm } from '../../src/llm/chat.ts'
import { createMailbox } from '../../src/mailbox.ts'
import type { Parts } from '../../src/parts.ts'
import { loadAnalyser } from '../../src/preference/analyser.ts'
import { loadPrompts } from '../../src/prompts.ts'
import type { Database } from '../../src/store/database.ts'
import { type Utterance, WORKSPACE } from './crowd.ts'

const ME = 'attune:bench'

/** Milliseconds of one turn. */
export interface TurnTimes {
  /** From the claim of the conversation, its letters read, to the model. */
  readonly fromClaim: number
  /** From the message's arrival to the model. */
  readonly fromArrival: number
  /** From the message's arrival until the turn is stored. */
  readonly all: number
}

export interface Talk {
  /** Says it and waits until the turn is stored. Times are those of this turn while nobody else speaks. */
  say(utterance: Utterance): Promise<TurnTimes>
  close(): Promise<void>
}

let count = 0

export function startTalk(database: Database, concurrency: number, llm?: Llm): Talk {
  const stored = new Map<string, () => void>()
  let [claimedAt, askedAt] = [0, 0]
  const bot = createBot({
    database,
    mailbox: createMailbox(database, ME),
    llm:
      llm ??
      instant(() => {
        askedAt = performance.now()
      }),
    analyse: loadAnalyser(),
    prompts: loadPrompts(),
    platforms: [silent((key) => stored.get(key)?.())],
    log: { debug() {}, info() {}, warn: complain, error: complain },
    me: ME,
    concurrency,
    onStep(step) {
      if (step === 'claimed') claimedAt = performance.now()
    },
  })
  const stopping = new AbortController()
  const working = bot.work(stopping.signal)
  return {
    async say(utterance) {
      const message = messageOf(utterance)
      const done = new Promise<void>((resolve) => stored.set(message.id, resolve))
      const started = performance.now()
      await bot.receive(message)
      await done
      stored.delete(message.id)
      return { fromClaim: askedAt - claimedAt, fromArrival: askedAt - started, all: performance.now() - started }
    },
    async close() {
      stopping.abort()
      await working
    },
  }
}

function messageOf({ name, person, conversation, context, text }: Utterance): IncomingMessage {
  return {
    id: `${WORKSPACE}:said:${process.pid}:${++count}`,
    workspace: WORKSPACE,
    conversation,
    context,
    author: { id: person, name, isAdmin: false },
    text,
    sentAt: new Date(),
    destination: {},
  }
}

const REPLY = 'A model of no latency said this, in about as many words as a short answer to a short question has.'

function instant(asked: () => void): Llm {
  return {
    model: 'instant',
    contextTokens: 4096,
    async chat(_, { onText }) {
      asked()
      onText?.(REPLY)
      return { text: REPLY, ms: 0, promptTokens: 1, tokens: 1, retried: false }
    },
  }
}

function silent(stored: (key: string) => void): Platform {
  return {
    name: 'terminal',
    isLocal: false,
    run: () => Promise.resolve(),
    open: (_, key) => ({
      update() {},
      finish: async () => [`post:${key}`],
      stored: () => stored(key),
      abandon() {},
    }),
  }
}

/** A turn that fails would be measured as a long one: better to end. */
function complain(...line: Parameters<Parts['log']['error']>): void {
  console.error(...line)
  process.exit(1)
}
