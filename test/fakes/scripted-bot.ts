/** A bot that answers what and when a test says. */

import type { Bot, Edit, IncomingMessage, Outbox, Platform, Rating, Removal, TurnRecord } from '../../src/adapter.ts'

/** The outbox of a reply of which nothing is posted; forgets what is. */
export const NO_POSTS: Outbox = { posts: [], begin: async () => {}, posted: async () => {} }

export interface ScriptedBot extends Bot {
  readonly received: IncomingMessage[]
  readonly rated: Rating[]
  readonly edited: Edit[]
  readonly removed: Removal[]
  /** Workspaces that the bot was taken out of or put into again, as `-W1` and `+W1`. */
  readonly tenures: string[]
  /** Who takes part, as `workspace conversation author`; for a test to add to. */
  readonly parties: Set<string>
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
    edited: [],
    removed: [],
    tenures: [],
    parties: new Set(),
    hold() {
      isHolding = true
    },
    async reply(messages, record) {
      const [first] = messages
      const draft = platform().open(
        messages.map((message) => message.destination),
        first?.id ?? '',
        NO_POSTS,
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
    async edit(edit) {
      bot.edited.push(edit)
      return !known.has(edit.id) && known.add(edit.id).size > 0
    },
    async remove(removal) {
      bot.removed.push(removal)
      return !known.has(removal.id) && known.add(removal.id).size > 0
    },
    takesPart: async (workspace, conversation, author) =>
      bot.parties.has(`${workspace} ${conversation} ${author}`) ||
      bot.received.some((message) => message.conversation === conversation && message.author.id === author),
    left: async (workspace) => void bot.tenures.push(`-${workspace}`),
    joined: async (workspace) => void bot.tenures.push(`+${workspace}`),
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
