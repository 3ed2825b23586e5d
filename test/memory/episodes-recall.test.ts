import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { estimateTokens } from '../../src/llm/budget.ts'
import { scanning } from '../../src/memory/candidates.ts'
import { eventTime } from '../../src/memory/dates.ts'
import { quoted, recall } from '../../src/memory/episodes.ts'
import { inFirstPerson, subjectOf } from '../../src/memory/question.ts'
import { MEANING_SCALE, turns } from '../../src/schema.ts'
import { rowsOf } from '../../src/store/database.ts'
import type { Place } from '../../src/store/people.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

interface Told {
  readonly text: string
  readonly at?: string
  readonly speaker?: string
  readonly vector?: readonly number[]
  readonly embedder?: string
  readonly conversation?: string
}

let count = 0
const newPlace = (): Place => ({
  workspace: `test:R${++count}`,
  context: 'direct',
  conversation: `test:R${count}:D`,
  author: { id: 'test:ana', name: 'ana', isAdmin: false },
})

async function tell(place: Place, ...all: readonly Told[]): Promise<number[]> {
  const rows = await db.database.queries
    .insert(turns)
    .values(all.map((told, i) => rowOf(place, told, i)))
    .returning({ turnId: turns.turnId })
  return rows.map(({ turnId }) => turnId)
}

function rowOf(
  place: Place,
  { text, at = '2026-02-01T12:00:00Z', speaker, vector, embedder, conversation }: Told,
  i: number,
) {
  const askedAt = new Date(at)
  const happened = eventTime(text, askedAt, 'UTC')
  return {
    workspaceId: place.workspace,
    personId: place.author.id,
    conversation: conversation ?? place.conversation,
    context: conversation === undefined ? place.context : conversation,
    messageIds: [`m${i}`],
    question: text,
    reply: 'ok',
    postIds: [],
    askedAt,
    answeredAt: askedAt,
    directive: '',
    shown: {},
    changes: [],
    recalled: [],
    actions: [],
    model: null,
    promptVersion: 'test',
    ownMs: 0,
    modelMs: 0,
    speaker: speaker ?? null,
    happenedFrom: happened?.from ?? null,
    happenedTo: happened?.to ?? null,
    meaning: vector ? vector.map((number) => MEANING_SCALE * number) : null,
    embedder: vector ? (embedder ?? 'e') : null,
  }
}

async function found(place: Place, question: string, options: Partial<Parameters<typeof recall>[3]> = {}) {
  const episodes = await recall(db.database.queries, place, question, { without: [], ...options })
  return episodes.map(({ text }) => text)
}

describe('recall by meaning', () => {
  test('finds what shares no word, the nearer first, and nothing that is far', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'I adore kittens', vector: [1, 0, 0], conversation: 'a' },
      { text: 'my hamster sleeps', vector: [0.6, 0.8, 0], conversation: 'b' },
      { text: 'taxes are due', vector: [0, 0, 1], conversation: 'c' },
    )
    const vector = { embedder: 'e', numbers: [1, 0, 0] }
    expect(await found(place, 'Which pets?', { vector })).toEqual(['I adore kittens', 'my hamster sleeps'])
    expect(await found(place, 'Which pets?')).toEqual([])
  })

  test('leaves vectors of another embedder aside, whatever their length, and finds those turns by their words', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'I adore kittens', vector: [1, 0], embedder: 'other' },
      { text: 'dogs bark', vector: [1, 0, 0] },
      { text: 'kittens purr' },
    )
    const vector = { embedder: 'e', numbers: [1, 0, 0] }
    expect(await found(place, 'What of animals?', { vector })).toEqual(['dogs bark'])
    expect((await found(place, 'What of kittens?', { vector })).toSorted()).toEqual([
      'I adore kittens',
      'dogs bark',
      'kittens purr',
    ])
  })

  test('stays in its direct chat and with its person', async () => {
    const place = newPlace()
    const vector = { embedder: 'e', numbers: [1, 0] }
    await tell(place, { text: 'secret', vector: [1, 0] })
    const other = { ...place, conversation: 'elsewhere' }
    expect(await found(other, 'secret?', { vector })).toEqual([])
    expect(await found({ ...place, author: { ...place.author, id: 'test:ben' } }, 'secret?', { vector })).toEqual([])
    expect(await found({ ...place, workspace: 'test:none' }, 'secret?', { vector })).toEqual([])
    expect(await found(place, 'secret?', { vector })).toEqual(['secret'])
  })
})

describe('recall by time', () => {
  const told = [
    { text: 'we ate soup', at: '2026-02-10T12:00:00Z', conversation: 'a' },
    { text: 'we ate cake', at: '2026-02-17T12:00:00Z', conversation: 'b' },
    { text: 'we ate rice', at: '2026-02-24T12:00:00Z', conversation: 'c' },
    { text: 'we ate fish yesterday', at: '2026-02-28T12:00:00Z', conversation: 'd' },
  ]
  const now = new Date('2026-03-01T12:00:00Z')

  test.each([
    ['What did we eat last Tuesday?', 'we ate rice'],
    ['What did we eat on 17 February?', 'we ate cake'],
    ['What did we eat on the 27th of February?', 'we ate fish yesterday'],
    ['What did I say on Feb 10?', 'we ate soup'],
  ])('%s', async (question, first) => {
    const place = newPlace()
    await tell(place, ...told)
    expect((await found(place, question, { now }))[0]).toBe(first)
  })

  test('is by the day of the person, not of the server', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'we ate soup', at: '2026-02-27T22:30:00Z', conversation: 'a' },
      { text: 'we ate cake', at: '2026-02-28T23:30:00Z', conversation: 'b' },
    )
    const question = 'What did we eat yesterday?'
    expect((await found(place, question, { now, timezone: 'UTC' }))[0]).toBe('we ate cake')
    expect((await found(place, question, { now, timezone: 'Asia/Tokyo' }))[0]).toBe('we ate soup')
  })

  test('prefers what names a time when the question asks for one', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'I paint the sunrise, again', conversation: 'b' },
      { text: 'I paint the sunrise in 2021', conversation: 'a' },
      { text: 'I paint the sunrise, often', conversation: 'c' },
    )
    expect((await found(place, 'When did I paint the sunrise?'))[0]).toBe('I paint the sunrise in 2021')
  })

  test('is held to from and to where they are given', async () => {
    const place = newPlace()
    await tell(place, ...told)
    const from = new Date('2026-02-15T00:00:00Z')
    const to = new Date('2026-02-20T00:00:00Z')
    expect(await found(place, 'Who ate?', { from, to })).toEqual(['we ate cake'])
    expect(await found(place, 'Who ate?', { from: now })).toEqual([])
  })
})

describe('recall by who said it and what stands beside it', () => {
  test('prefers the turns of whom the question names', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'pottery is my hobby', speaker: 'Melanie', conversation: 'a' },
      { text: 'pottery is my hobby, too, and so is pottery', speaker: 'Caroline', conversation: 'b' },
    )
    expect((await found(place, 'Does Melanie like pottery?'))[0]).toBe('pottery is my hobby')
    expect((await found(place, 'Does Caroline like pottery?'))[0]).toBe('pottery is my hobby, too, and so is pottery')
  })

  test('lifts a turn that answers a question on it', async () => {
    const place = newPlace()
    await tell(
      place,
      { text: 'where is the lake cabin?', at: '2026-02-01T12:00:00Z' },
      { text: 'that cabin is up north', at: '2026-02-01T12:01:00Z' },
      { text: 'some cabin stood there', at: '2026-02-02T12:00:00Z' },
    )
    const texts = await found(place, 'Where is my lake cabin?')
    expect(texts.indexOf('that cabin is up north')).toBeLessThan(texts.indexOf('some cabin stood there'))
  })
})

describe('a budget', () => {
  test('is never exceeded, and filled with what still fits', async () => {
    const place = newPlace()
    const long = `teal ${'long words '.repeat(30)}`
    await tell(
      place,
      { text: 'teal one', conversation: 'a' },
      { text: long, conversation: 'b' },
      { text: 'teal two', conversation: 'c' },
    )
    const tokens = (texts: readonly string[]) => texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    for (const budget of [0, 20, 40, 100, 400]) {
      const texts = await found(place, 'teal?', { budget })
      expect(tokens(texts)).toBeLessThanOrEqual(budget)
    }
    expect((await found(place, 'teal?', { budget: 40 })).toSorted()).toEqual(['teal one', 'teal two'])
    expect(await found(place, 'teal?', { budget: 400 })).toHaveLength(3)
    expect(await found(place, 'teal?', { budget: 0 })).toEqual([])
  })
})

test('a quotation names who said it and the day that it tells of', async () => {
  const place = newPlace()
  await tell(place, { text: 'I went sailing yesterday', speaker: 'Melanie', at: '2023-05-08T13:56:00Z' })
  const episodes = await recall(db.database.queries, place, 'sailing?', { without: [] })
  expect(quoted(episodes, new Date('2026-01-01T00:00:00Z'))).toBe(
    '8 May 2023, Melanie (about 7 May 2023): "I went sailing yesterday"',
  )
})

test('the turns of a person come from the index, not from a walk through the table', async () => {
  const place = newPlace()
  await tell(place, { text: 'teal', vector: [1, 0] })
  const plan = await db.database.queries.transaction(async (transaction) => {
    await transaction.execute(sql`SET LOCAL enable_seqscan = off`)
    return rowsOf(transaction, sql`EXPLAIN ${scanning(place, 'teal', null)}`)
  })
  const text = JSON.stringify(plan)
  expect(text).toMatch(/Index Only Scan using turns_recall/)
  expect(text).not.toContain('Seq Scan on turns')
})

describe('a question about somebody', () => {
  test.each([
    ['What did Ana paint?', 'What did I paint?'],
    ["What is Ana's dog called?", 'What is my dog called?'],
    ['What did Ana give to Ben?', 'What did I give to you?'],
    ['What do Ana and Ben both like?', 'What do we both like?'],
    ['Does Anatoly paint?', 'Does Anatoly paint?'],
    ['What did I paint?', 'What did I paint?'],
  ])('%s is embedded as %s', (question, expected) => {
    expect(inFirstPerson(question, ['Ana', 'Ben'])).toBe(expected)
  })

  test('is about the first that it names, and about nobody alone when it is about both', () => {
    expect(subjectOf('What did Ben give to Ana?', ['Ana', 'Ben'])).toBe('Ben')
    expect(subjectOf('What do Ana and Ben like?', ['Ana', 'Ben'])).toBeNull()
    expect(subjectOf('What do I like?', ['Ana', 'Ben'])).toBeNull()
  })
})
