/** A bot over a real database with a scripted model and a platform that keeps what it is given. */

import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Destination, IncomingMessage, Outbox, Platform, Rating, Reply, TurnRecord } from '../src/adapter.ts'
import { createBot, type RunningBot } from '../src/bot.ts'
import type { ChatMessage, ChatOptions, Llm } from '../src/llm/chat.ts'
import { createMailbox } from '../src/mailbox.ts'
import type { Parts } from '../src/parts.ts'
import { loadAnalyser } from '../src/preference/analyser.ts'
import { loadPrompts } from '../src/prompts.ts'
import type { Database } from '../src/store/database.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

export interface Posted {
  readonly key: string
  readonly destinations: readonly Destination[]
  readonly reply: Reply
  /** What the outbox held when the reply was opened. */
  readonly before: Outbox['posts']
}

/** What the model is to say; gets the prompt and may stream, wait or throw. */
export type Script = (messages: readonly ChatMessage[], options: ChatOptions) => string | Promise<string>

export interface Walk {
  readonly bot: RunningBot
  readonly posted: Posted[]
  readonly records: TurnRecord[]
  /** What happens once, between the post of a reply and the storing of its turn. */
  afterPost: (() => Promise<unknown>) | null
  /** Posts that the bot had taken away. */
  readonly removed: string[]
  readonly prompts: (readonly ChatMessage[])[]
  readonly logged: unknown[]
  readonly workspace: string
  /** Stores a message as if the platform had taken it. */
  say(
    text: string,
    more?: Partial<IncomingMessage> & { readonly as?: string; readonly channel?: string },
  ): Promise<boolean>
  rate(
    rating: Rating['rating'],
    more?: {
      readonly as?: string
      readonly channel?: string
      readonly change?: 'give' | 'take'
      readonly post?: string
    },
  ): Promise<boolean>
  /** Changes the words of a message. */
  edit(message: string, text: string, more?: Parameters<Walk['say']>[1]): Promise<boolean>
  /** Deletes messages. */
  remove(...messages: readonly string[]): Promise<boolean>
  /** Says it and waits for what comes of it. */
  ask(text: string, more?: Parameters<Walk['say']>[1]): Promise<TurnRecord>
  /** Lets the bot answer what waits. */
  start(): void
  /** Stops it as a signal would; what is under way is given back. */
  stop(): Promise<void>
}

const ME = 'attune:walk'
let count = 0

/** The walks of one test file: one database for all, each walk stopped after its test. */
export function useWalks() {
  let db: TestDatabase
  let walk: Walk
  beforeAll(async () => {
    db = await openTestDatabase(ME)
  })
  afterEach(() => walk?.stop())
  afterAll(() => db.close())
  return {
    db: () => db,
    /** The one of the test under way. */
    walk: () => walk,
    walking(script: Script = () => 'Noted.'): Walk {
      walk = openWalk(db.database, script)
      return walk
    },
  }
}

let walks = 0

/** Every walk is a workspace of its own, so that several can follow each other on one database. */
export function openWalk(database: Database, script: Script, options: Partial<Parts> = {}): Walk {
  const workspace = `test:W${++walks}`
  const posted: Posted[] = []
  const records: TurnRecord[] = []
  const prompts: (readonly ChatMessage[])[] = []
  const logged: unknown[] = []
  const removed: string[] = []
  const platform = keeping(posted, records, removed, async () => {
    const happen = walk.afterPost
    walk.afterPost = null
    await happen?.()
  })
  const bot = createBot({
    database,
    mailbox: createMailbox(database, ME),
    llm: scripted(script, prompts),
    analyse: loadAnalyser(),
    prompts: loadPrompts(),
    platforms: [platform],
    log: logInto(logged),
    me: ME,
    concurrency: 4,
    ...options,
  })
  let stopping = new AbortController()
  let working: Promise<void> | null = null
  const walk: Walk = {
    bot,
    posted,
    records,
    afterPost: null,
    removed,
    prompts,
    logged,
    workspace,
    say: (text, more = {}) => bot.receive(messageOf(workspace, text, more)),
    rate: (rating, more = {}) => bot.rate({ ...messageOf(workspace, '', more), rating }),
    edit: (message, text, more = {}) => bot.edit({ ...messageOf(workspace, text, more), message }),
    remove: (...messages) => bot.remove({ id: `${workspace}:removal:${++count}`, workspace, messages }),
    async ask(text, more) {
      const before = records.length
      await walk.say(text, more)
      await bot.idle()
      const record = records[before]
      if (record === undefined) throw new Error(`Nothing came of "${text}"`)
      return record
    },
    start() {
      stopping = new AbortController()
      working = bot.work(stopping.signal)
    },
    async stop() {
      stopping.abort(new Error('stopped'))
      await working
      working = null
    },
  }
  walk.start()
  return walk
}

function messageOf(workspace: string, text: string, more: Parameters<Walk['say']>[1] = {}): IncomingMessage {
  const { as = 'ana', channel = 'direct', ...rest } = more
  const conversation = channel === 'direct' ? `${workspace}:direct:${as}` : `${workspace}:${channel}`
  return {
    id: `${workspace}:${++count}`,
    workspace,
    conversation,
    context: channel === 'direct' ? 'direct' : conversation,
    author: { id: `${workspace}:${as}`, name: as, isAdmin: false },
    text,
    sentAt: new Date('2026-03-01T12:00:00Z'),
    destination: { number: count },
    ...rest,
  }
}

/** Posts a reply in one part, which it takes over from an earlier try. */
function keeping(posted: Posted[], records: TurnRecord[], removed: string[], afterPost: () => Promise<void>): Platform {
  return {
    name: 'test',
    isLocal: false,
    run: () => Promise.resolve(),
    remove: async (posts) => void removed.push(...posts),
    open: (destinations, key, outbox) => ({
      update() {},
      async finish(reply) {
        posted.push({ key, destinations, reply, before: outbox.posts })
        const id = outbox.posts[0]?.id ?? `post:${key}`
        await outbox.begin(0)
        await outbox.posted(0, id)
        await afterPost()
        return [id]
      },
      stored: (record) => void records.push(record),
      abandon() {},
    }),
  }
}

function scripted(script: Script, prompts: (readonly ChatMessage[])[]): Llm {
  return {
    model: 'scripted',
    contextTokens: 4096,
    async chat(messages, options) {
      prompts.push(messages)
      const text = await script(messages, options)
      options.onText?.(text)
      return { text, ms: 1, promptTokens: 1, tokens: 1, retried: false }
    },
  }
}

function logInto(lines: unknown[]): Parts['log'] {
  const write = (line: unknown) => void lines.push(line)
  return { debug: write, info: write, warn: write, error: write }
}
