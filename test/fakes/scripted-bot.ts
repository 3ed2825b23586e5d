/** A bot that answers what and when a test says. */

import type { Bot, IncomingMessage, Platform, Rating, TurnRecord } from '../../src/adapter.ts'

export interface ScriptedBot extends Bot {
  readonly received: IncomingMessage[]
  readonly rated: Rating[]
  /** The next messages are taken but stay unanswered, for the test to answer. */
  hold(): void
  /** One reply to all of these messages. */
  reply(messages: readonly (IncomingMessage | Rating)[], record: Partial<TurnRecord>): Promise<void>
  /** Ends a message without a reply. */
  giveUp(message: IncomingMessage): void
}

/** Answers `you said: …` at once unless it was told to hold; knows a message again by its id. */
export function createScriptedBot(platform: () => Platform): ScriptedBot {
  const known = new Set<string>()
  const open = new Set<string>()
  let isHolding = false
  let whenIdle: (() => void)[] = []

  function close(id: string) {
    open.delete(id)
    if (open.size > 0) return
    for (const resolve of whenIdle) resolve()
    whenIdle = []
  }
  function accept(id: string): boolean {
    if (known.has(id)) return false
    known.add(id)
    open.add(id)
    return true
  }
  const bot: ScriptedBot = {
    received: [],
    rated: [],
    hold() {
      isHolding = true
    },
    async reply(messages, record) {
      const [first] = messages
      const draft = platform().open(
        messages.map((message) => message.destination),
        first?.id ?? '',
      )
      const whole = toRecord(first?.author.name ?? '', record)
      if (whole.rated === undefined) await draft.finish({ text: whole.reply, isPrivate: false })
      draft.stored?.(whole)
      for (const { id } of messages) close(id)
    },
    giveUp: (message) => close(message.id),
    async receive(message) {
      bot.received.push(message)
      if (!accept(message.id)) return false
      if (!isHolding) void Promise.resolve().then(() => bot.reply([message], { reply: `you said: ${message.text}` }))
      return true
    },
    async rate(rating) {
      bot.rated.push(rating)
      if (!accept(rating.id)) return false
      if (!isHolding) void Promise.resolve().then(() => bot.reply([rating], { rated: rating.rating, reply: '' }))
      return true
    },
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  }
  return bot
}

export function toRecord(as: string, record: Partial<TurnRecord>): TurnRecord {
  return {
    as,
    reply: '',
    directive: 'Be brief.',
    observed: { tone: { value: 'warm', probabilities: { warm: 0.75 } } },
    estimate: { length: { label: 'short', value: 0.25 } },
    events: [{ dimension: 'length', kind: 'jump' }],
    recalled: [{ at: '2026-01-01T00:00:00.000Z', text: 'likes tea' }],
    actions: ['answer'],
    model: true,
    ms: { own: 3, model: 40 },
    ...record,
  }
}

/** Lets everything that is ready to run do so until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settled()
}

/** A few turns of the event loop: what has not happened by then waits for something. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
