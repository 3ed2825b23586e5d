/** Turns get their vectors in the background, over a real database. */

import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EmbedderError } from '../../src/embed/embedder.ts'
import { type BacklogOptions, embedBacklog, surroundingsOf } from '../../src/memory/backlog.ts'
import { MEANING_SCALE, turns } from '../../src/schema.ts'
import { clearAround, type TurnKey } from '../../src/store/backlog.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { fakeEmbedder, letters } from '../embed/fake.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
beforeEach(() => test.database.queries.delete(turns))
afterAll(() => test.close())

interface Said {
  readonly workspace?: string
  readonly person?: string
  readonly conversation?: string
  readonly at?: string
}

async function say(questions: readonly string[], said: Said = {}): Promise<readonly TurnKey[]> {
  const at = new Date(said.at ?? '2026-03-01T10:00:00Z')
  const rows = questions.map((question) => ({
    workspaceId: said.workspace ?? 'w',
    personId: said.person ?? 'ana',
    conversation: said.conversation ?? 'c',
    context: 'direct',
    messageIds: [],
    question,
    reply: '',
    postIds: [],
    askedAt: at,
    answeredAt: at,
    directive: '',
    shown: {},
    changes: [],
    recalled: [],
    actions: [],
    promptVersion: '1',
    ownMs: 0,
    modelMs: 0,
  }))
  const made = await test.database.queries.insert(turns).values(rows).returning()
  return made.map(({ workspaceId, turnId }) => ({ workspace: workspaceId, turnId }))
}

const embed = (options: Partial<BacklogOptions> & Pick<BacklogOptions, 'embedder'>) =>
  embedBacklog({ queries: test.database.queries, signal: new AbortController().signal, ...options })

const stored = () => test.database.queries.select().from(turns).orderBy(asc(turns.turnId))

const words = [
  'apple',
  'berry',
  'cedar',
  'dune',
  'ember',
  'fjord',
  'grove',
  'heath',
  'inlet',
  'juniper',
  'kelp',
  'lake',
]

/** Vectors come back as two-byte floats, in ten-thousandths. */
function expectMiddle(meaning: readonly number[] | null, own: string, around: string) {
  const beside = letters(around)
  const wanted = letters(own).map((number, i) => (number + beside[i]!) / 2)
  expect(meaning).toHaveLength(wanted.length)
  for (const [i, number] of wanted.entries())
    expect((meaning?.[i] ?? Number.NaN) / MEANING_SCALE).toBeCloseTo(number, 3)
}

async function expectWhole(id: string, questions: readonly string[]) {
  const rows = await stored()
  expect(rows.map(({ question }) => question)).toEqual(questions)
  for (const [index, row] of rows.entries()) {
    expect(row.embedder).toBe(id)
    const between = [questions[index - 1], row.question, questions[index + 1]].filter((text) => text !== undefined)
    expectMiddle(row.meaning, row.question, between.join('\n'))
  }
}

describe('the backlog', () => {
  it('gives every turn the vector of its words and of what surrounds them, newest first', async () => {
    const keys = await say(words)
    const done: number[] = []
    const onBatch = (batch: readonly TurnKey[]) => done.push(Math.min(...batch.map(({ turnId }) => turnId)))
    expect(await embed({ embedder: fakeEmbedder('a'), onBatch })).toBe(12)
    expect(done).toEqual([keys[8]?.turnId, keys[4]?.turnId, keys[0]?.turnId])
    await expectWhole('a', words)
    expect(await embed({ embedder: fakeEmbedder('a') })).toBe(0)
  })

  it('surrounds a turn only with the same person in the same conversation in the same talk', async () => {
    await say(['ours'])
    await say(['theirs'], { person: 'ben' })
    await say(['elsewhere'], { conversation: 'd' })
    await say(['abroad'], { workspace: 'v' })
    await say(['later'], { at: '2026-03-02T10:00:00Z' })
    await embed({ embedder: fakeEmbedder('a') })
    for (const { question, meaning } of await stored()) expectMiddle(meaning, question, question)
  })

  it('makes the surroundings of a turn again when the next one has come', async () => {
    await say(words.slice(0, 3))
    await embed({ embedder: fakeEmbedder('a') })
    await say(words.slice(3, 4))
    const embedder = fakeEmbedder('a')
    expect(await embed({ embedder })).toBe(1)
    await expectWhole('a', words.slice(0, 4))
    expect(embedder.batches.flat()).toHaveLength(4)
  })

  it('goes on where it was broken off', async () => {
    await say(words)
    const stopping = new AbortController()
    const onBatch = () => stopping.abort(new Error('stopped'))
    await expect(embed({ embedder: fakeEmbedder('a'), signal: stopping.signal, onBatch })).rejects.toThrow('stopped')
    expect((await stored()).map(({ embedder }) => embedder)).toEqual([...Array(8).fill(null), ...Array(4).fill('a')])
    expect(await embed({ embedder: fakeEmbedder('a') })).toBe(8)
    await expectWhole('a', words)
  })

  it('keeps out of the way of a reply: nothing is embedded until it is quiet', async () => {
    await say(words)
    const embedder = fakeEmbedder('a')
    const seen: number[] = []
    const quiet = async () => void seen.push(embedder.batches.length)
    await embed({ embedder, quiet })
    expect(seen).toEqual([0, 1, 2, 3])
  })

  it('makes the vectors of another embedder again, new turns first, and never mixes them', async () => {
    await say(words.slice(0, 10))
    await embed({ embedder: fakeEmbedder('old') })
    const fresh = await say(words.slice(10))
    const order: number[] = []
    const onBatch = (batch: readonly TurnKey[]) => order.push(...batch.map(({ turnId }) => turnId))
    expect(await embed({ embedder: fakeEmbedder('new'), onBatch })).toBe(12)
    expect(order.slice(0, 2).sort()).toEqual(fresh.map(({ turnId }) => turnId).sort())
    await expectWhole('new', words)
  })

  it('finds what another embedder made in every workspace, beyond one look', async () => {
    for (const workspace of ['u', 'v', 'w']) await say(Array(300).fill('word'), { workspace })
    await test.database.queries.execute(sql`UPDATE turns SET embedder = CASE WHEN turn_id % 100 = 0 THEN 'old' ELSE 'new' END,
      meaning = '[1]'`)
    expect(await embed({ embedder: fakeEmbedder('new') })).toBe(9)
    expect(new Set((await stored()).map(({ embedder }) => embedder))).toEqual(new Set(['new']))
  })

  it('loses nothing when the embedder dies in mid-batch', async () => {
    await say(words)
    const embedder = fakeEmbedder('a', (_, count) => {
      if (count === 1) throw new EmbedderError('It died.')
    })
    expect(await embed({ embedder })).toBe(12)
    await expectWhole('a', words)
  })

  it('ends soon when the embedder stays dead, and what was done stays done', async () => {
    await say([...words, ...words])
    const embedder = fakeEmbedder('a', (_, count) => {
      if (count > 0) throw new EmbedderError('It died.')
    })
    await expect(embed({ embedder })).rejects.toThrow('It died.')
    expect(embedder.batches).toHaveLength(1 + 3 * 5)
    expect((await stored()).filter(({ embedder: by }) => by === 'a')).toHaveLength(4)
    expect(await embed({ embedder: fakeEmbedder('a') })).toBe(20)
    await expectWhole('a', [...words, ...words])
  })

  it('lets no turn that fails keep the others back, and says so at the end', async () => {
    const questions = ['one', 'two', 'three', 'poison', 'five', 'six']
    for (const [index, question] of questions.entries()) await say([question], { conversation: `c${index}` })
    const embedder = fakeEmbedder('a', (texts) => {
      if (texts.includes('poison')) throw new EmbedderError('I choke.')
    })
    await expect(embed({ embedder })).rejects.toThrow('I choke.')
    expect((await stored()).map(({ embedder: by }) => by)).toEqual(['a', 'a', 'a', null, 'a', 'a'])
  })

  it('has done with a blank turn after one look', async () => {
    await say(['word', '  '])
    await embed({ embedder: fakeEmbedder('a') })
    const [, blank] = await stored()
    expect(blank).toMatchObject({ meaning: null, embedder: 'a' })
    expect(await embed({ embedder: fakeEmbedder('a') })).toBe(0)
  })

  it('may run twice at once: every turn is done, each vector is right, little is done twice', async () => {
    await say([...words, ...words, ...words, ...words])
    const one = fakeEmbedder('a')
    const two = fakeEmbedder('a')
    const counts = await Promise.all([
      embed({ embedder: one, random: () => 0.5 }),
      embed({ embedder: two, random: () => 0.5 }),
    ])
    expect(counts[0] + counts[1]).toBe(48)
    await expectWhole('a', [...words, ...words, ...words, ...words])
    expect(one.batches.length + two.batches.length).toBeLessThan(2 * 12)
  })

  it('stores nothing of a turn that was erased meanwhile, not even between its neighbours', async () => {
    const keys = await say(['apple', 'secret', 'cedar'])
    const erased = keys[1]!
    const erase = () =>
      test.database.queries
        .delete(turns)
        .where(eq(turns.turnId, erased.turnId))
        .then(() => {})
    await embed({ embedder: fakeEmbedder('a', (_, count) => (count === 0 ? erase() : undefined)) })
    await expectWhole('a', ['apple', 'cedar'])
  })

  it('forgets the surroundings of a turn that is erased, and makes them again without it', async () => {
    const keys = await say(['apple', 'secret', 'cedar', 'dune'])
    await embed({ embedder: fakeEmbedder('a') })
    await test.database.queries.transaction(async (transaction) => {
      await clearAround(transaction, sql`turn_id = ${keys[1]!.turnId}`)
      await transaction.delete(turns).where(eq(turns.turnId, keys[1]!.turnId))
    })
    expect((await stored()).map(({ meaning }) => meaning === null)).toEqual([true, true, false])
    expect(await embed({ embedder: fakeEmbedder('a') })).toBe(2)
    await expectWhole('a', ['apple', 'cedar', 'dune'])
  })
})

describe('surroundings', () => {
  const none = { previous: null, next: null }

  it('are the words alone where nobody said anything before or after', () => {
    expect(surroundingsOf({ question: 'Hello', ...none })).toBe('Hello')
  })

  it('have the end of what was before and the beginning of what came next, and stay short', () => {
    const text = surroundingsOf({
      question: 'q'.repeat(5000),
      previous: { question: `${'x'.repeat(5000)}end` },
      next: { question: `start${'y'.repeat(5000)}` },
    })
    expect(text).toMatch(/^x+end\nq{600}\nstarty+$/)
    expect(text).toHaveLength(902)
  })

  it('cut no letter in half', () => {
    const text = surroundingsOf({ question: `${'a'.repeat(599)}🙂`, ...none })
    expect(text.isWellFormed()).toBe(true)
  })
})
