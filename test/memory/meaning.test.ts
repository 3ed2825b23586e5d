/** The embedder opens in the background, and turns and questions get their vectors from it; over a real database. */

import { setImmediate } from 'node:timers/promises'
import { isNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Embedder, EmbedderError } from '../../src/embed/embedder.ts'
import { createMeaning, type Delays, type Meaning, type MeaningOptions } from '../../src/memory/meaning.ts'
import { turns } from '../../src/schema.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { fakeEmbedder, letters } from '../embed/fake.ts'

let test: TestDatabase
let meaning: Meaning | undefined
beforeAll(async () => {
  test = await openTestDatabase()
})
beforeEach(() => test.database.queries.delete(turns))
afterEach(() => meaning?.close())
afterAll(() => test.close())

const DELAYS: Delays = { first: 0, question: 60_000, quiet: 60_000, again: 1, longest: 1 }

interface Telling {
  readonly told: string[]
  readonly logged: string[]
}

function create(options: Partial<MeaningOptions> & Pick<MeaningOptions, 'open'>): Meaning & Telling {
  const told: string[] = []
  const logged: string[] = []
  const log = (_: unknown, text?: string) => void logged.push(text ?? '')
  const made = createMeaning({
    queries: test.database.queries,
    quiet: async () => {},
    tell: (text) => void told.push(text),
    log: { info: log, warn: log },
    delays: DELAYS,
    ...options,
  })
  meaning = made
  return { ...made, told, logged }
}

async function say(...questions: readonly string[]): Promise<void> {
  const at = new Date('2026-03-01T10:00:00Z')
  const turn = { workspaceId: 'w', personId: 'ana', conversation: 'c', context: 'direct', messageIds: [], reply: '' }
  const rest = { postIds: [], askedAt: at, answeredAt: at, directive: '', shown: {}, changes: [], recalled: [] }
  const values = questions.map((question) => ({
    ...turn,
    ...rest,
    question,
    actions: [],
    promptVersion: '1',
    ownMs: 0,
    modelMs: 0,
  }))
  await test.database.queries.insert(turns).values(values)
}

async function lacking(): Promise<number> {
  return (await test.database.queries.select().from(turns).where(isNull(turns.meaning))).length
}

/** Fails by the time-out of the test. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate()
}

const opened = ({ logged }: Telling) => until(() => logged.includes('embedder'))

describe('a question', () => {
  it('has no vector while the embedder is not open, and waits for nothing', async () => {
    const made = create({ open: (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)) })
    expect(await made.question('apple')).toBeNull()
  })

  it('has none where no embedder is wanted', async () => {
    const made = create({ open: async () => null })
    expect(await made.question('apple')).toBeNull()
    expect(made.told).toEqual([])
  })

  it('has one, with the name of the embedder', async () => {
    const made = create({ open: async () => fakeEmbedder('letters') })
    await opened(made)
    expect(await made.question('apple')).toEqual({
      embedder: 'letters',
      numbers: letters('apple'),
    })
    expect(await made.question('  ')).toBeNull()
  })

  it('goes without when that takes too long, or fails', async () => {
    const never = new Promise<void>(() => {})
    const slow = create({ open: async () => stuck(never), delays: { ...DELAYS, question: 1 } })
    await opened(slow)
    expect(await slow.question('apple')).toBeNull()
    await slow.close()

    const broken = create({
      open: async () =>
        fakeEmbedder('broken', () => {
          throw new EmbedderError('It broke.')
        }),
    })
    await opened(broken)
    expect(await broken.question('apple')).toBeNull()
    expect(broken.logged).toContain('a question has no vector')
  })

  it('has none any more when it is closed', async () => {
    const made = create({ open: async () => fakeEmbedder('letters') })
    await opened(made)
    await made.close()
    expect(await made.question('apple')).toBeNull()
  })
})

describe('turns', () => {
  it('that were there get their vectors, and those that come when it is told of them', async () => {
    await say('apple', 'berry')
    const made = create({ open: async () => fakeEmbedder('letters') })
    await until(async () => (await lacking()) === 0)
    for (const word of ['cedar', 'date']) {
      await say(word)
      made.stored()
      await until(async () => (await lacking()) === 0)
    }
  })

  it('wait while a reply is under way', async () => {
    await say('apple')
    let goOn = () => {}
    const quiet = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const embedder = fakeEmbedder('letters')
    const made = create({ open: async () => embedder, quiet: () => quiet })
    await opened(made)
    expect(await made.question('berry')).not.toBeNull()
    expect(embedder.batches).toEqual([['berry']])
    goOn()
    await until(async () => (await lacking()) === 0)
  })

  it('but not for ever', async () => {
    await say('apple')
    const delays = { ...DELAYS, quiet: 1 }
    create({ open: async () => fakeEmbedder('letters'), quiet: () => new Promise(() => {}), delays })
    await until(async () => (await lacking()) === 0)
  })

  it('that could not be embedded are tried again', async () => {
    await say('apple')
    const embedder = fakeEmbedder('letters', (_, count) => {
      if (count < 4) throw new EmbedderError('Not now.')
    })
    const made = create({ open: async () => embedder })
    await until(async () => (await lacking()) === 0)
    expect(made.logged).toContain('turns have no vectors')
  })
})

describe('an embedder that can’t be had', () => {
  it('is told of once, and tried again until it can', async () => {
    await say('apple')
    let tries = 0
    const made = create({
      async open() {
        if (++tries < 4) throw new EmbedderError('It is not there: get it.')
        return fakeEmbedder('letters')
      },
    })
    await until(async () => (await lacking()) === 0)
    expect(made.told).toEqual(['It is not there: get it. Until then I find what was said by its words alone.'])
    expect(tries).toBe(4)
  })

  it('is not waited for at the end', async () => {
    const made = create({
      open: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    await setImmediate()
    await made.close()
    expect([made.told, made.logged]).toEqual([[], []])
  })
})

it('closes the embedder, after the batch in flight', async () => {
  await say('apple')
  let isClosed = false
  let goOn = () => {}
  const batch = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const fake = fakeEmbedder('letters', () => batch)
  const embedder: Embedder = {
    ...fake,
    async close() {
      await fake.close()
      isClosed = true
    },
  }
  const made = create({ open: async () => embedder })
  await until(() => fake.batches.length > 0)
  const closing = made.close()
  await setImmediate()
  expect(isClosed).toBe(false)
  goOn()
  await closing
  expect(isClosed).toBe(true)
})

/** Its batches take as long as the promise; closing it does not wait for them. */
function stuck(promise: Promise<void>): Embedder {
  return { ...fakeEmbedder('stuck', () => promise), close: async () => {} }
}
