import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { LlmError } from '../src/llm/errors.ts'
import { rowsOf } from '../src/store/database.ts'
import { gate } from './gate.ts'
import { useWalks } from './walk.ts'

const { db, walking } = useWalks()

const query = (statement: SQL) => rowsOf(db().database.queries, statement)

describe('a turn', () => {
  test('is answered, posted and stored whole', async () => {
    const { ask, posted, workspace } = walking(() => 'Hello, Ana.')
    const record = await ask('lol that is hilarious 😂 tell me another one please')
    expect(record).toMatchObject({ as: 'ana', reply: 'Hello, Ana.', model: true })
    expect(record.observed['tone']?.value).toBe('humorous')
    expect(posted).toMatchObject([{ reply: { text: 'Hello, Ana.', isPrivate: false } }])
    const [turn] = await query(sql`SELECT * FROM turns WHERE workspace_id = ${workspace}`)
    expect(turn).toMatchObject({
      question: 'lol that is hilarious 😂 tell me another one please',
      reply: 'Hello, Ana.',
      post_ids: [`post:${posted[0]?.key}`],
      model: 'scripted',
    })
  })

  test('puts persona, style and history to the model, the style last in the system prompt', async () => {
    const { ask, prompts } = walking((_, { maxTokens }) => `Reply within ${maxTokens}.`)
    await ask('keep it brief from now on please')
    const record = await ask('What is a heap?')
    const [system, ...conversation] = prompts[1] ?? []
    expect(record.directive).toContain('[Length: brief]')
    expect(record.directive).toContain('Answer in one or two short sentences.')
    expect(system?.content.endsWith(record.directive)).toBe(true)
    expect(conversation.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'keep it brief from now on please'],
      ['assistant', 'Reply within 120.'],
      ['user', 'What is a heap?'],
    ])
  })

  test('delivered twice is answered once', async () => {
    const { say, bot, posted } = walking(() => 'Once.')
    expect(await say('hello there', { id: 'test:same' })).toBe(true)
    expect(await say('hello there', { id: 'test:same' })).toBe(false)
    await bot.idle()
    expect(await say('hello there', { id: 'test:same' })).toBe(false)
    await bot.idle()
    expect(posted).toHaveLength(1)
  })

  test('answers what waits of one person together, and commands and other people apart', async () => {
    const first = gate()
    const { say, bot, posted, prompts } = walking(async () => {
      await first.opened
      return 'Yes.'
    })
    await say('one', { channel: 'general' })
    while (prompts.length === 0) await new Promise(setImmediate)
    for (const text of ['two', 'three', '/persona', 'four']) await say(text, { channel: 'general' })
    await say('five', { channel: 'general', as: 'ben' })
    first.open()
    await bot.idle()
    expect(prompts.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'two\nthree', 'four', 'five'])
    expect(posted.map(({ destinations }) => destinations.length)).toEqual([1, 2, 1, 1, 1])
  })

  test('of different conversations run side by side, of one never', async () => {
    let running = 0
    let most = 0
    const both = gate()
    const { say, bot } = walking(async () => {
      most = Math.max(most, ++running)
      if (running === 2) both.open()
      await both.opened
      running--
      return 'Done.'
    })
    await say('a', { as: 'ana' })
    await say('b', { as: 'ben' })
    await bot.idle()
    expect(most).toBe(2)
  })

  test('holds no database connection while the model thinks', async () => {
    const thinking = gate()
    const { say, bot } = walking(async () => {
      await thinking.opened
      return 'Done.'
    })
    for (let i = 0; i < 4; i++) await say('think', { as: `p${i}` })
    // A transaction on an embedded database would wait for one that is open.
    await db().database.queries.transaction((transaction) => rowsOf(transaction, sql`SELECT 1`))
    thinking.open()
    await bot.idle()
  })

  test('with NUL characters, halves of surrogates or nothing but them is answered', async () => {
    const { ask } = walking((messages) => `I read: ${messages.at(-1)?.content}`)
    expect((await ask('a\0b \ud800 c')).reply).toBe('I read: ab \ufffd c')
    expect((await ask('\0\0\0')).reply).toBe('I got an empty message: there is nothing in it that I can read.')
  })

  test('shows the person only their own turns', async () => {
    const { ask, prompts } = walking(() => 'Noted.')
    await ask('my favourite colour is teal', { as: 'ana', channel: 'general' })
    await ask('my favourite colour is orange', { as: 'ben', channel: 'general' })
    const record = await ask('what is my favourite colour?', { as: 'ben', channel: 'elsewhere' })
    expect(record.recalled.map(({ text }) => text)).toEqual(['my favourite colour is orange'])
    expect(JSON.stringify(prompts.slice(1))).not.toContain('teal')
  })

  test('of a direct chat is recalled nowhere else', async () => {
    const { ask } = walking(() => 'Noted.')
    await ask('my salary is 1234 euros')
    expect((await ask('what is my salary?', { channel: 'general' })).recalled).toEqual([])
  })

  test('that fails is tried again, and after many times apologised for', async () => {
    let calls = 0
    const { ask, logged } = walking(() => {
      if (++calls < 3) throw new Error('secret words')
      return 'At last.'
    })
    expect((await ask('hello')).reply).toBe('At last.')
    expect(JSON.stringify(logged)).not.toContain('secret words')
    await db().database.queries.execute(sql`UPDATE lanes SET failures = 6`)
    expect((await ask('hello again')).reply).toMatch(/^Sorry, /)
    expect((await ask('and now?')).reply).toBe('At last.')
  })
})

describe('without a model', () => {
  test('the reply is what the person said, with its date', async () => {
    let down = false
    const { ask } = walking(() => {
      if (down) throw new LlmError('down', 'down')
      return 'Noted.'
    })
    await ask('my sister lives in Oslo', { sentAt: new Date('2025-11-12T10:00:00Z') })
    down = true
    const record = await ask('where does my sister live?')
    expect(record).toMatchObject({ model: false })
    expect(record.reply).toBe(
      'I have no language model right now. On that you told me on 12 Nov 2025: “my sister lives in Oslo”',
    )
    expect((await ask('what about zebras?')).reply).toContain('I find nothing on that')
    down = false
    expect((await ask('and now?')).model).toBe(true)
  })
})

describe('stopping', () => {
  test('gives work back, and the next start answers it once', async () => {
    const asked = gate()
    let calls = 0
    const { say, start, stop, bot, posted } = walking(async (_, { signal }) => {
      if (calls++ > 0) return 'After the restart.'
      asked.open()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    await say('hello')
    await asked.opened
    await stop()
    expect(posted).toEqual([])
    start()
    await bot.idle()
    expect(posted.map(({ reply }) => reply.text)).toEqual(['After the restart.'])
  })
})

describe('a change', () => {
  test('asked for is obeyed at once, told in one line, and can be undone', async () => {
    const { ask } = walking(() => 'Fine.')
    for (let i = 0; i < 3; i++) await ask('hey guys wanna grab some food lol, gonna be fun haha')
    const record = await ask('can you be more formal from now on')
    expect(record.directive).toContain('[Formality: formal]')
    expect(record.events).toContainEqual({ dimension: 'formality', kind: 'confirmed' })
    expect(record.reply).toBe("Fine.\n\n_I'll be more formal from now on._ `/persona undo`")
    await ask('/persona undo')
    expect((await ask('ok')).directive).toContain('[Formality: casual]')
  })

  test('for this once shapes one reply and is not observed', async () => {
    const { ask } = walking(() => 'Fine.')
    const record = await ask('just this once, be formal please')
    expect(record.directive).toContain('[Formality: formal]')
    expect(record.observed['formality']).toBeUndefined()
    expect((await ask('ok')).directive).not.toContain('[Formality: formal]')
  })

  test('asked for against a pin shapes one reply, and the pin is named', async () => {
    const { ask } = walking(() => 'Fine.')
    await ask('/persona set length detailed')
    const record = await ask('shorter please')
    expect(record.directive).toContain('[Length: brief]')
    expect(record.reply).toBe('Fine.\n\n_length is pinned to detailed._ `/persona unset length` lets go of it.')
    expect((await ask('what is a heap?')).directive).toContain('[Length: detailed]')
  })

  test('that shows no other label is not told', async () => {
    const { ask } = walking(() => 'Fine.')
    await ask('keep it brief from now on please')
    const record = await ask('even shorter please')
    expect(record.reply).toBe('Fine.')
  })
})

describe('a rating', () => {
  test('teaches length and density of the reply, and taking it back takes that back', async () => {
    const reply = 'The committee approved 14 budget lines for Berlin and Hamburg in May. '.repeat(6)
    const { ask, rate, bot, records } = walking(() => reply)
    await ask('tell me about the committee')
    const before = (await ask('/persona')).estimate
    await rate('up')
    await bot.idle()
    expect(records.at(-1)?.rated).toBe('up')
    expect((await ask('/persona')).estimate['length']).toMatchObject({ label: 'moderate' })
    await rate('up')
    await bot.idle()
    expect(records.at(-1)?.rated).toBeNull()
    expect((await ask('/persona')).estimate).toEqual(before)
  })

  test('down is kept and teaches nothing; without a reply there is nothing to rate', async () => {
    const { ask, rate, bot, records, workspace } = walking(() => 'A reply of a few words only.')
    await rate('down')
    await bot.idle()
    expect(records.at(-1)?.rated).toBeNull()
    await ask('hello')
    await rate('down')
    await bot.idle()
    expect(records.at(-1)?.rated).toBe('down')
    expect(await query(sql`SELECT rating FROM ratings WHERE workspace_id = ${workspace}`)).toEqual([{ rating: 'down' }])
    expect((await ask('/persona')).estimate['length']).toBeUndefined()
  })

  test('that is given or taken by name comes to the same however often it is told', async () => {
    const { ask, rate, bot, records } = walking(() => 'A reply of a few words only.')
    await ask('hello')
    const rated = async (...args: Parameters<typeof rate>) => {
      await rate(...args)
      await bot.idle()
      return records.at(-1)?.rated
    }
    const estimate = async () => (await ask('/persona')).estimate
    const before = await estimate()
    expect(await rated('up', { change: 'take' })).toBeNull()
    expect(await rated('up', { change: 'give' })).toBe('up')
    const liked = await estimate()
    expect(liked).not.toEqual(before)
    expect(await rated('up', { change: 'give' })).toBe('up')
    expect(await rated('down', { change: 'take' })).toBe('up')
    expect(await estimate()).toEqual(liked)
    expect(await rated('down', { change: 'give' })).toBe('down')
    expect(await estimate()).toEqual(before)
    expect(await rated('down', { change: 'take' })).toBeNull()
  })

  test('of somebody who was not answered is kept as theirs and teaches nobody', async () => {
    const { ask, rate, bot, posted, records, workspace } = walking(() => 'A reply of a few words only.')
    await ask('hello', { channel: 'general' })
    const estimate = async (as: string) => (await ask('/persona', { as, channel: 'general' })).estimate
    const before = await estimate('ana')
    const post = `post:${posted[0]?.key}`
    await rate('up', { as: 'ben', post, channel: 'another' })
    await bot.idle()
    expect(records.at(-1)?.rated).toBe('up')
    expect(await query(sql`SELECT person_id, rating FROM ratings WHERE workspace_id = ${workspace}`)).toEqual([
      { person_id: `${workspace}:ben`, rating: 'up' },
    ])
    expect(await estimate('ana')).toEqual(before)
    expect(await estimate('ben')).toEqual({})
    await rate('down', { post, channel: 'another' })
    await bot.idle()
    await rate('up', { as: 'ben', post, change: 'take' })
    await bot.idle()
    expect(await query(sql`SELECT person_id, rating FROM ratings WHERE workspace_id = ${workspace}`)).toEqual([
      { person_id: `${workspace}:ana`, rating: 'down' },
    ])
    await rate('up', { as: 'ben', post: 'post:nowhere' })
    await bot.idle()
    expect(records.at(-1)?.rated).toBeNull()
  })
})
