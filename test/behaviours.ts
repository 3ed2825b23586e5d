/** What people expect of the bot wherever they talk to it: one list, that every platform is held against. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LlmError } from '../src/llm/errors.ts'
import { rowsOf } from '../src/store/database.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { gate } from './gate.ts'
import type { Script, Walk } from './walk.ts'

export type Who = 'ana' | 'bea' | 'admin'
export type Where = 'direct' | 'channel'

/** Something that was said, or posted, as the platform knows it. */
export type Handle = unknown

export interface Post {
  readonly handle: Handle
  /** As a reader sees it. */
  readonly text: string
}

/** A platform on which people talk to the bot, through its real adapter. */
export interface Stage {
  /** Opens the bot over this database on the adapter, with a model that follows the script; again after `stop`. */
  start(database: TestDatabase['database'], script: Script): Promise<Walk>
  /** Stops both, as a signal would. */
  stop(): Promise<void>
  /** To the bot: in a channel with its mention where that is needed. */
  say(who: Who, text: string, where: Where): Handle
  /** In the thread of an earlier message. */
  sayUnder?(who: Who, text: string, under: Handle): Handle
  /** Gives a command and resolves with the answer, which only its author sees. */
  command(who: Who, text: string): Promise<string>
  /** What the bot has posted for everybody there, oldest first. */
  posts(who: Who, where: Where): readonly Post[]
  rate(who: Who, post: Handle, rating: 'up' | 'down', change: 'give' | 'take'): void
  edit?(said: Handle, text: string): void
  remove?(said: Handle): void
  /** Whether posts grow while the model speaks. */
  readonly streams: boolean
  /** Whom posts of the bot notified, beside the one who is answered. */
  pinged(): readonly string[]
  /** Waits for the first truthy value. */
  until<T>(what: string, value: () => T | undefined | null | false | '' | 0): Promise<T>
  close(): Promise<void>
}

const SLOW_MS = 60_000

/** Declares the tests. What the platform has no part for is skipped, visibly. */
export function behaviours(name: string, open: () => Promise<Stage>): void {
  let db: TestDatabase
  let stage: Stage
  let walk: Walk
  let script: Script = () => ''
  const echo: Script = (messages) => `You wrote: ${messages.at(-1)?.content}`
  const asks = (words: string) => {
    const found = () => stage.posts('ana', 'channel').concat(stage.posts('ana', 'direct'), stage.posts('bea', 'direct'))
    return found().filter(({ text }) => text.includes(words))
  }
  const answer = (words: string) => stage.until(`an answer with "${words}"`, () => asks(words)[0])
  const settled = async () => {
    await walk.bot.idle()
  }
  const stored = async (words: string) => {
    const rows = await rowsOf(db.database.queries, sql`SELECT question FROM turns`)
    return rows.filter(({ question }) => String(question).includes(words)).length
  }
  const follow = (messages: Parameters<Script>[0], options: Parameters<Script>[1]) => script(messages, options)

  beforeAll(async () => {
    db = await openTestDatabase('attune:walk')
    stage = await open()
    walk = await stage.start(db.database, follow)
  }, SLOW_MS)
  afterAll(async () => {
    await stage.stop()
    await stage.close()
    await db.close()
  }, SLOW_MS)

  test('a mention in a channel is answered once', async () => {
    script = echo
    stage.say('ana', 'what is a heron?', 'channel')
    await answer('what is a heron?')
    await settled()
    expect(asks('what is a heron?')).toHaveLength(1)
  })

  test('a direct message is answered once', async () => {
    script = echo
    stage.say('ana', 'what is an egret?', 'direct')
    await answer('what is an egret?')
    await settled()
    expect(asks('what is an egret?')).toHaveLength(1)
  })

  test('whoever goes on in a thread is answered with what was said in it before', async (context) => {
    if (stage.sayUnder === undefined) return context.skip(`${name} has no threads`)
    const prompts: string[] = []
    script = (messages) => {
      prompts.push(JSON.stringify(messages))
      return `You wrote: ${messages.at(-1)?.content}`
    }
    const first = stage.say('ana', 'I keep bees in Ghent', 'channel')
    await answer('bees in Ghent')
    await settled()
    stage.sayUnder('ana', 'and where was that?', first)
    await answer('where was that?')
    await settled()
    expect(prompts.at(-1)).toContain('bees in Ghent')
    expect(asks('where was that?')).toHaveLength(1)
  })

  test('a long reply arrives whole, in order, nothing twice', async () => {
    const numbers = Array.from({ length: 1200 }, (_, i) => `item${i + 1}.`)
    script = () => numbers.join(' ')
    stage.say('bea', 'count for me', 'direct')
    await stage.until('the last number', () =>
      stage.posts('bea', 'direct').some(({ text }) => text.includes('item1200.')),
    )
    await settled()
    const text = stage
      .posts('bea', 'direct')
      .map((post) => post.text)
      .join(' ')
    expect(text.match(/item\d+\./g)).toEqual(numbers)
  })

  test('a reply grows while the model speaks', async (context) => {
    if (!stage.streams) return context.skip(`${name} shows replies whole`)
    const rest = gate()
    script = async (_, { onText }) => {
      onText?.('The first half of it is here.')
      await rest.opened
      return 'The first half of it is here. And the second.'
    }
    stage.say('ana', 'slowly please', 'direct')
    await answer('The first half of it')
    expect(asks('And the second')).toHaveLength(0)
    rest.open()
    await answer('And the second.')
    await settled()
    expect(asks('The first half of it')).toHaveLength(1)
  })

  test('a question that is edited while it is answered is answered as it reads then, once', async (context) => {
    if (stage.edit === undefined) return context.skip(`${name} has no edits`)
    const begun = gate()
    script = async (messages, { signal }) => {
      const question = String(messages.at(-1)?.content)
      if (!question.includes('stork')) return `You wrote: ${question}`
      begun.open()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    }
    const said = stage.say('ana', 'what is a stork?', 'channel')
    await begun.opened
    stage.edit(said, 'what is a crane?')
    await answer('what is a crane?')
    await settled()
    expect(asks('stork')).toHaveLength(0)
    expect([await stored('stork'), await stored('crane')]).toEqual([0, 1])
  })

  test('an edit afterwards corrects what is kept, and is not answered', async (context) => {
    if (stage.edit === undefined) return context.skip(`${name} has no edits`)
    script = echo
    const said = stage.say('ana', 'my hat is magenta', 'direct')
    await answer('my hat is magenta')
    await settled()
    const before = stage.posts('ana', 'direct').length
    stage.edit(said, 'my hat is turquoise')
    await untilStored('turquoise', 1)
    await settled()
    expect(await stored('magenta')).toBe(0)
    expect(stage.posts('ana', 'direct')).toHaveLength(before)
  })

  test('what is deleted is forgotten', async (context) => {
    if (stage.remove === undefined) return context.skip(`${name} has no deletions`)
    script = () => 'Noted.'
    const said = stage.say('ana', 'my cat is called Tortellini', 'direct')
    await untilStored('Tortellini', 1)
    stage.remove(said)
    await untilStored('Tortellini', 0)
    expect(await stored('Tortellini')).toBe(0)
  })

  test('a rating is kept, changed and taken back', async () => {
    script = echo
    stage.say('ana', 'rate this puffin', 'channel')
    const { handle } = await answer('puffin')
    await settled()
    stage.rate('ana', handle, 'up', 'give')
    await untilRated(['up'])
    stage.rate('ana', handle, 'up', 'take')
    await untilRated([])
    stage.rate('ana', handle, 'down', 'give')
    await untilRated(['down'])
    stage.rate('ana', handle, 'down', 'take')
    await untilRated([])
  })

  test('a command is answered to whoever gave it, and to nobody else', async () => {
    const before = stage.posts('ana', 'channel').length
    expect(await stage.command('ana', '/persona')).toMatch(/tone|dimension|learned/i)
    await settled()
    expect(stage.posts('ana', 'channel')).toHaveLength(before)
  })

  test('settings are for admins', async () => {
    expect(await stage.command('bea', '/tune lambda 0.3')).toMatch(/admin/i)
    expect(await stage.command('admin', '/tune lambda 0.3')).toMatch(/0\.3/)
    expect(await stage.command('admin', '/tune lambda 2')).toMatch(/Expected `lambda` to be/)
  })

  test('a flood is answered, all of it, and no message twice', async () => {
    const heard: string[] = []
    script = (messages) => {
      heard.push(String(messages.at(-1)?.content))
      return 'All of it.'
    }
    const words = Array.from({ length: 12 }, (_, i) => `flood${i}!`)
    for (const word of words) stage.say('ana', word, 'direct')
    for (const word of words) await untilStored(word, 1)
    await settled()
    expect(heard.join(' ').match(/flood\d+!/g)).toEqual(words)
  })

  test('two people at once each get their own answer', async () => {
    script = echo
    stage.say('ana', 'ana asks for a plover', 'direct')
    stage.say('bea', 'bea asks for a curlew', 'direct')
    await answer('plover')
    await answer('curlew')
    await settled()
    const texts = (who: Who) =>
      stage
        .posts(who, 'direct')
        .map(({ text }) => text)
        .join('\n')
    expect(texts('ana')).not.toContain('curlew')
    expect(texts('bea')).not.toContain('plover')
  })

  test('without a model it says so, and invents nothing', async () => {
    script = () => {
      throw new LlmError('down', "I can't reach Ollama at http://127.0.0.1:1: start it with `ollama serve`.")
    }
    stage.say('bea', 'what did the lapwing say?', 'direct')
    await answer('no language model right now')
    await settled()
    expect(await stored('lapwing')).toBe(1)
  })

  test('what a model writes notifies nobody', async () => {
    const pings = '@everyone @here @channel <!channel> <!here|here> <@UBEA> <@1234567890123456789> <@&1> <!subteam^S1>'
    script = () => `Careful with **this**: ${pings} and [a link](https://example.com/x).`
    stage.say('ana', 'write to everybody', 'channel')
    await answer('Careful with')
    await settled()
    expect(stage.pinged()).toEqual([])
  })

  test('stopped while the model speaks, it answers after the next start, once', async () => {
    const begun = gate()
    script = async (_, { signal }) => {
      begun.open()
      return new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    }
    stage.say('bea', 'who stops a dunlin?', 'direct')
    await begun.opened
    await stage.stop()
    script = echo
    walk = await stage.start(db.database, follow)
    await answer('who stops a dunlin?')
    await settled()
    expect(asks('who stops a dunlin?')).toHaveLength(1)
    expect(await stored('dunlin')).toBe(1)
  })

  async function untilStored(words: string, count: number): Promise<void> {
    await eventually(`${count} turns with "${words}"`, async () => (await stored(words)) === count)
  }

  /** The ratings that stand, of everything. */
  async function untilRated(ratings: readonly string[]): Promise<void> {
    await eventually(`the ratings ${ratings.join()}`, async () => {
      const rows = await rowsOf(db.database.queries, sql`SELECT rating FROM ratings`)
      return rows.map(({ rating }) => rating).join() === ratings.join()
    })
  }
}

/** Asks again until it is so. */
async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Expected ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
