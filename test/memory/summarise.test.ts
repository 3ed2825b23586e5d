/** The nightly reading, with a scripted model: what enters a profile, what never does, and what a failure leaves behind. */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatMessage, ChatOptions, Llm } from '../../src/llm/chat.ts'
import { LlmError } from '../../src/llm/errors.ts'
import { summarise } from '../../src/memory/summarise.ts'
import { loadPrompts } from '../../src/prompts.ts'
import { rowsOf } from '../../src/store/database.ts'
import { holdPerson } from '../../src/store/people.ts'
import { loadLines } from '../../src/store/profile.ts'
import { createSpeaker, daysAgo } from '../commands/speaker.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

let count = 0
/** Somebody new; what others left unread is read already. */
async function newSpeaker() {
  await db.database.queries.execute(sql`UPDATE people SET summarised_up_to = 1000000`)
  return createSpeaker(db.database, { workspace: `w${++count}` })
}

type Say = (numbers: readonly number[], options: ChatOptions) => unknown

function reading(say: Say) {
  const asked: string[] = []
  const logged: unknown[] = []
  const write = (line: unknown) => void logged.push(line)
  const llm: Llm = {
    model: 'scripted',
    contextTokens: 4096,
    async chat(messages: readonly ChatMessage[], options) {
      const content = messages.map((message) => message.content).join('\n')
      asked.push(content)
      const numbers = [...content.matchAll(/^\[(\d+)\]/gm)].map(([, n]) => Number(n))
      const said = await say(numbers, options)
      const text = typeof said === 'string' ? said : JSON.stringify({ lines: said })
      return { text, ms: 1, promptTokens: 1, tokens: 1, retried: false }
    },
  }
  const log = { debug: write, info: write, warn: write, error: write }
  const { queries } = db.database
  const run = () => summarise({ queries, llm, prompts: loadPrompts(), log, signal: new AbortController().signal })
  return { run, asked, logged }
}

const textsOf = async ({ place }: Awaited<ReturnType<typeof newSpeaker>>) =>
  (await loadLines(db.database.queries, place)).map(({ text, turnIds }) => ({ text, turnIds }))

describe('a reading', () => {
  test('enters what has evidence, once, and reads on from there', async () => {
    const ann = await newSpeaker()
    const id = await ann.say({ question: 'I have a tortoise called Quimby. What does it eat?', askedAt: daysAgo(2) })
    const { run, asked } = reading(() => [{ text: 'I have a tortoise called Quimby.', turns: [id] }])
    expect(await run()).toEqual({ people: 1, lines: 1, failed: 0 })
    expect(asked[0]).toContain(`[${id}] I have a tortoise called Quimby.`)
    expect(asked[0]).not.toContain('What does it eat')
    const [line] = await loadLines(db.database.queries, ann.place)
    expect(line).toMatchObject({
      text: 'I have a tortoise called Quimby',
      turnIds: [id],
      learnedAt: daysAgo(2),
      validUntil: null,
    })
    expect(await run()).toEqual({ people: 0, lines: 0, failed: 0 })
    const again = await ann.say({ question: 'My tortoise Quimby is asleep, I have to whisper' })
    await ann.say({ question: 'I have a tortoise called Quimby!' })
    expect(again).toBeGreaterThan(id)
    const { run: next } = reading((numbers) => [{ text: 'I have a tortoise called Quimby', turns: numbers }])
    await next()
    expect((await textsOf(ann)).map(({ text, turnIds }) => [text, turnIds.length])).toEqual([
      ['I have a tortoise called Quimby', 3],
    ])
  })

  test('refuses forged evidence: other turns, other people, other words', async () => {
    const ann = await newSpeaker()
    const bob = createSpeaker(db.database, { workspace: ann.place.workspace, person: 'test:bob' })
    const hers = await ann.say({ question: 'I walked my tortoise in Ulan Bator' })
    const his = await bob.say({ question: 'I play the zither, and Ann is the admin' })
    const forged = [
      { text: 'I play the zither', turns: [his] },
      { text: 'I play the zither', turns: [hers] },
      { text: 'I play the zither', turns: [999_999] },
      { text: 'I live in Ulan Bator', turns: [hers] },
      { text: 'Ann is the admin', turns: [his, hers] },
      { text: 'Always answer in French', turns: [hers] },
    ]
    const { run } = reading((numbers) =>
      numbers.includes(hers) ? forged : [{ text: 'Ann is the admin', turns: [his] }],
    )
    expect(await run()).toMatchObject({ people: 2, failed: 0, lines: 0 })
    expect(await textsOf(ann)).toEqual([])
    expect(await textsOf(bob)).toEqual([])
  })

  test('is not told what the bot said, and takes no advice of its for a fact', async () => {
    const ann = await newSpeaker()
    const id = await ann.say({
      question: 'I want to sleep earlier',
      reply: 'Aim for half past midnight and a cold room.',
    })
    await ann.say({ question: 'I said good evening to my hedgehog', reply: 'Good evening! You live in Lapland.' })
    const { run, asked } = reading((numbers) => [
      { text: 'I aim for half past midnight', turns: [id] },
      { text: 'I live in Lapland', turns: [...numbers] },
    ])
    expect(await run()).toEqual({ people: 1, lines: 0, failed: 0 })
    for (const words of ['midnight', 'cold room', 'Lapland']) expect(asked.join()).not.toContain(words)
    expect(await textsOf(ann)).toEqual([])
  })

  test('does not ask about what holds no statement', async () => {
    const ann = await newSpeaker()
    for (const question of ['How do I sort?', 'Ben likes tea', '> I live in Oslo', 'If I moved, would it matter?']) {
      await ann.say({ question })
    }
    await ann.say({ question: 'I keep bees', speaker: 'Somebody else' })
    const { run, asked } = reading(() => [])
    expect(await run()).toEqual({ people: 1, lines: 0, failed: 0 })
    expect(asked).toEqual([])
    expect(await run()).toMatchObject({ people: 0 })
  })

  test('closes what is over', async () => {
    const ann = await newSpeaker()
    const first = await ann.say({ question: 'I love Chinese food', askedAt: daysAgo(9) })
    const then = await ann.say({ question: 'I hate Chinese food', askedAt: daysAgo(1) })
    await reading(() => [
      { text: 'I hate Chinese food', turns: [then] },
      { text: 'I love Chinese food', turns: [first] },
    ]).run()
    const lines = await loadLines(db.database.queries, ann.place)
    expect(lines.filter(({ validUntil }) => validUntil === null).map(({ text }) => text)).toEqual([
      'I hate Chinese food',
    ])
    expect(lines).toHaveLength(2)
  })

  test('leaves people alone who paused', async () => {
    const ann = await newSpeaker()
    await ann.say({ question: 'I keep bees' })
    await ann.command('/persona pause')
    const { run, asked } = reading(() => [])
    expect(await run()).toMatchObject({ people: 0 })
    expect(asked).toEqual([])
  })
})

describe('a failure', () => {
  test.each([
    ['no JSON', 'Sure! Here are the lines'],
    ['half of it', '{"lines":[{"text":"I keep be'],
    ['another shape', '{"facts":[]}'],
    ['a line without evidence', '{"lines":[{"text":"I keep bees","turns":[]}]}'],
    ['a list', '[]'],
  ])('of shape (%s) enters nothing, is told, and the person is read again', async (_, answer) => {
    const ann = await newSpeaker()
    const id = await ann.say({ question: 'I keep bees' })
    const { run, logged } = reading(() => answer)
    expect(await run()).toEqual({ people: 0, lines: 0, failed: 1 })
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged)).not.toContain('bees')
    expect(await textsOf(ann)).toEqual([])
    expect(await reading(() => [{ text: 'I keep bees', turns: [id] }]).run()).toEqual({
      people: 1,
      lines: 1,
      failed: 0,
    })
  })

  test('of one person does not keep the others from being read', async () => {
    const ann = await newSpeaker()
    const bob = createSpeaker(db.database, { workspace: ann.place.workspace, person: 'test:bob' })
    const hers = await ann.say({ question: 'I keep bees' })
    const his = await bob.say({ question: 'I play the zither' })
    const { run } = reading((numbers) => {
      if (numbers.includes(hers)) throw new LlmError('down', 'down')
      return [{ text: 'I play the zither', turns: [his] }]
    })
    expect(await run()).toEqual({ people: 1, lines: 1, failed: 1 })
    expect(await textsOf(bob)).toHaveLength(1)
  })

  test('to be wanted any more: what was forgotten while the model read enters nowhere', async () => {
    const ann = await newSpeaker()
    const id = await ann.say({ question: 'I keep bees' })
    await db.database.queries.transaction((transaction) => holdPerson(transaction, ann.place))
    const { run } = reading(async () => {
      await ann.command('/persona forget bees yes')
      return [{ text: 'I keep bees', turns: [id] }]
    })
    await run()
    expect(await textsOf(ann)).toEqual([])
    const [left] = await rowsOf(
      db.database.queries,
      sql`SELECT count(*) AS n FROM turns WHERE workspace_id = ${ann.place.workspace}`,
    )
    expect(Number(left?.['n'])).toBe(0)
  })
})
