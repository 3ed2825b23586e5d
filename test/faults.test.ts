/** What other chat bots got wrong, asked of this one: whole turns over a real database. */

import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createLlm } from '../src/llm/client.ts'
import { LlmError } from '../src/llm/errors.ts'
import { rowsOf } from '../src/store/database.ts'
import { createSpeaker } from './commands/speaker.ts'
import { startOllama } from './fakes/ollama.ts'
import { gate } from './gate.ts'
import { openWalk, useWalks } from './walk.ts'

const { db, walking } = useWalks()
const patience = () => new Promise(setImmediate)

describe('two at once', () => {
  test('an answer goes to the thread of its question, however the threads were queued', async () => {
    const first = gate()
    const { say, bot, posted } = walking(async (messages) => {
      await first.opened
      return `On ${messages.at(-1)?.content}`
    })
    for (const [channel, text] of [
      ['t1', 'one'],
      ['t2', 'two'],
      ['t1', 'three'],
      ['t2', 'four'],
    ] as const)
      await say(text, { channel, destination: { thread: channel } })
    first.open()
    await bot.idle()
    const threads = { one: 't1', two: 't2', three: 't1', four: 't2' }
    for (const { destinations, reply } of posted)
      for (const word of reply.text.slice(3).split('\n')) {
        expect(destinations.map(({ thread }) => thread)).toContain(threads[word as keyof typeof threads])
        expect(new Set(destinations.map(({ thread }) => thread)).size).toBe(1)
      }
    expect(posted.length).toBeGreaterThanOrEqual(2)
  })

  test('a slow answer to one person enters nobody else’s history, and is not lost', async () => {
    const slow = gate()
    const { ask, say, bot, prompts, records } = walking(async (messages) => {
      if (messages.at(-1)?.content === 'alice asks') await slow.opened
      return `Answer to ${messages.at(-1)?.content}`
    })
    await say('alice asks', { as: 'alice', channel: 'a' })
    while (prompts.length === 0) await patience()
    await say('bob asks', { as: 'bob', channel: 'b' })
    while (records.length === 0) await patience()
    slow.open()
    await bot.idle()
    await ask('alice again', { as: 'alice', channel: 'a' })
    await ask('bob again', { as: 'bob', channel: 'b' })
    const words = prompts.slice(-2).map((messages) => messages.slice(1).map(({ content }) => content))
    expect(words).toEqual([
      ['alice asks', 'Answer to alice asks', 'alice again'],
      ['bob asks', 'Answer to bob asks', 'bob again'],
    ])
  })

  test('a reset while a reply is under way is not undone by what that turn had learned before', async () => {
    const thinking = gate()
    const { ask, say, bot, posted } = walking(async (messages) => {
      if (messages.at(-1)?.content === 'and now wait') await thinking.opened
      return 'Fine.'
    })
    await ask('keep it brief from now on please', { channel: 'a' })
    await ask('keep it brief from now on please', { as: 'ben', channel: 'a' })
    const before = posted.length
    await say('and now wait', { channel: 'a' })
    await say('/persona reset yes', { channel: 'b' })
    while (posted.length === before) await patience()
    thinking.open()
    await bot.idle()
    const { directive, estimate } = await ask('what is a heap?', { channel: 'a' })
    expect(directive).not.toContain('[Length: brief]')
    expect(estimate['length']).toBeUndefined()
    expect((await ask('what is a heap?', { as: 'ben', channel: 'a' })).directive).toContain('[Length: brief]')
  })

  test('fifteen messages of one person while a reply is under way cost one more call of the model', async () => {
    const first = gate()
    const { say, bot, posted, prompts } = walking(async () => {
      await first.opened
      return 'Yes.'
    })
    await say('message 0')
    while (prompts.length === 0) await patience()
    for (let i = 1; i < 15; i++) await say(`message ${i}`)
    first.open()
    await bot.idle()
    expect(prompts).toHaveLength(2)
    expect(posted).toHaveLength(2)
    expect(prompts[1]?.at(-1)?.content.split('\n')).toHaveLength(14)
  })
})

describe('the model', () => {
  test('that says nothing leaves a reply that says so, and no empty turn before the model', async () => {
    let isSilent = true
    const { ask, posted, prompts } = walking(() => {
      if (isSilent) throw new LlmError('empty', 'The model said nothing.')
      return 'Hello.'
    })
    const { reply } = await ask('hello')
    expect(reply).toContain('My language model had no answer to that.')
    isSilent = false
    await ask('and again')
    expect(posted.every((post) => post.reply.text.trim() !== '')).toBe(true)
    expect(prompts.flat().every(({ content }) => content.trim() !== '')).toBe(true)
  })

  test('whose thinking is cut anywhere shows none of it, and is not told it again', async () => {
    const server = await startOllama({ reply: () => ['<thi', 'nk>a sec', 'ret</th', 'ink>', 'Hi.'] })
    const llm = createLlm({ host: server.host, model: 'test', contextTokens: 4096 })
    const walk = openWalk(db().database, () => '', { llm })
    expect((await walk.ask('hello')).reply).toBe('Hi.')
    await walk.ask('again')
    expect(JSON.stringify(server.chats)).not.toContain('secret')
    expect(server.chats.at(-1)?.messages.map(({ content }) => content)).toContain('Hi.')
    expect(server.chats.every(({ options }) => options?.num_ctx === 4096)).toBe(true)
    await walk.stop()
    await server.close()
  })
})

describe('who is who', () => {
  const colours = async (walk: ReturnType<typeof walking>, id: string, name: string, text: string) =>
    (await walk.ask(text, { channel: 'general', author: { id, name, isAdmin: false } })).recalled.map((it) => it.text)

  test('a person is known by their id, whatever they are called', async () => {
    const walk = walking()
    await colours(walk, 'test:1', 'sam', 'my favourite colour is teal')
    await colours(walk, 'test:2', 'sam', 'my favourite colour is orange')
    const question = 'which colour is my favourite?'
    const asked = (id: string, name: string) =>
      walk
        .ask(question, { channel: `elsewhere ${id}`, author: { id, name, isAdmin: false } })
        .then(({ recalled }) => recalled.map(({ text }) => text))
    expect(await asked('test:1', 'somebody else')).toEqual(['my favourite colour is teal'])
    expect(await asked('test:2', 'sam')).toEqual(['my favourite colour is orange'])
    expect(await asked('test:3', 'sam')).toEqual([])
  })

  test.each(['test:a&agent_id=b', "test:a' OR '1'='1", 'test:%', 'test:_', 'test:a:b'])(
    'an id like %j is one person and no other',
    async (odd) => {
      const walk = walking()
      await colours(walk, 'test:a', 'ana', 'my favourite colour is teal')
      await colours(walk, 'test:b', 'ben', 'my favourite colour is orange')
      expect(await colours(walk, odd, 'odd', 'which colour is my favourite?')).toEqual([])
    },
  )
})

describe('what was learned', () => {
  test('ten complaints of length change what the model is told and how much it may say', async () => {
    const limits: number[] = []
    const { ask } = walking((_, { maxTokens }) => {
      limits.push(maxTokens)
      return 'A very long reply. '.repeat(40)
    })
    await ask('What is a heap?')
    for (let i = 0; i < 10; i++) await ask('ugh, way too long')
    const { directive } = await ask('What is a stack?')
    expect(directive).toContain('[Length: brief]')
    expect(limits.at(-1)).toBeLessThan(limits[0] ?? 0)
  })

  test('a change of manner that nobody asked for is noticed and told', async () => {
    const { ask } = walking(() => 'Fine.')
    const formal = 'I would be most grateful if you could kindly explain to me the procedure, sir.'
    for (let i = 0; i < 20; i++) await ask(formal)
    const replies: string[] = []
    for (let i = 0; i < 20; i++) replies.push((await ask('hey lol gonna grab food wanna tell me haha')).reply)
    expect(replies.filter((reply) => /casual/.test(reply))).toHaveLength(1)
    expect((await ask('ok')).directive).toContain('[Formality: casual]')
  })

  test('all of 148 turns are forgotten at once, and their number is told', async () => {
    const ann = createSpeaker(db().database, { workspace: 'test:many' })
    for (let i = 0; i < 148; i++) await ann.say({ question: `my number ${i} is ${i * 7}` })
    expect(await ann.command('/persona forget all yes')).toContain('148 ')
    const rows = await rowsOf(
      db().database.queries,
      sql`SELECT count(*) AS n FROM turns WHERE workspace_id = 'test:many'`,
    )
    expect(Number(rows[0]?.['n'])).toBe(0)
  })
})
