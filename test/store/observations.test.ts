import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rating } from '../../src/adapter.ts'
import { rate } from '../../src/feedback.ts'
import { restoredFrom } from '../../src/preference/learn.ts'
import { resolve } from '../../src/preference/settings.ts'
import { rowsOf } from '../../src/store/database.ts'
import { removeObservation } from '../../src/store/observations.ts'
import { loadLearned } from '../../src/store/people.ts'
import { becomeFormal, createSpeaker, read, type Speaker } from '../commands/speaker.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { createLife, seeded } from '../preference/log.ts'

const SETTINGS = resolve({})

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

let count = 0
const newWorkspace = () => `test:O${++count}`

/** Words enough for a reply of this length, with a fact now and then. */
const replyOf = (words: number) => Array.from({ length: words }, (_, i) => (i % 9 ? 'word' : `Berlin ${i}`)).join(' ')

function rateTurn({ place }: Speaker, post: string, rating: Rating['rating'] = 'up') {
  const given: Rating = { ...place, id: 'test:rating', sentAt: new Date(0), destination: {}, rating, post }
  return db.database.queries.transaction((transaction) => rate(transaction, given))
}

const logOf = async (speaker: Speaker) => await speaker.log()
type Log = Awaited<ReturnType<typeof logOf>>

/** Learns a log from its beginning and says for each line what it should hold. */
function livedThrough(log: Log) {
  const life = createLife(SETTINGS)
  const beforeTurn = new Map<number, ReturnType<typeof life.known>>()
  const lines = log.map(({ context, kind, evidence, turnId, before, restored }) => {
    const known = life.known(context)
    if (kind === 'turn') beforeTurn.set(turnId, known)
    if (kind !== 'undo') life.learn(context, kind, evidence)
    else if (restored !== null) {
      const dimensions = (['tone', 'length', 'emotion', 'density', 'formality'] as const).filter(
        (d) => d in restored.own,
      )
      const again = restoredFrom(beforeTurn.get(turnId) ?? known, dimensions)
      life.undo(context, again)
      return { before: known, restored: again }
    }
    return { before: before === null ? null : known, restored: null }
  })
  return { lines, known: life.known }
}

const rested = (log: Log) => log.map(({ before, restored }) => ({ before, restored }))

describe('a line taken out of the log', () => {
  test('leaves what would be known without it, and the lines after it as if it had never been', async () => {
    const rated = createSpeaker(db.database, { workspace: newWorkspace() })
    const unrated = createSpeaker(db.database, { workspace: newWorkspace() })
    for (const speaker of [rated, unrated]) {
      await speaker.say({ evidence: read({ length: 0.2, tone: 'warm' }), reply: replyOf(300), postIds: ['p1'] })
    }
    await rateTurn(rated, 'p1')
    for (const speaker of [rated, unrated]) {
      await speaker.say({ evidence: read({ length: 0.25, formality: 0.4 }) })
      await speaker.say()
      await speaker.say({ evidence: read({ length: 0.22 }) })
    }
    expect(await rated.learned()).not.toEqual(await unrated.learned())
    await rateTurn(rated, 'p1')
    expect(await rated.learned()).toEqual(await unrated.learned())
    expect(rested(await rated.log())).toEqual(rested(await unrated.log()))
  })

  test('does not come back by an undo of a later change', async () => {
    const rated = createSpeaker(db.database, { workspace: newWorkspace() })
    const unrated = createSpeaker(db.database, { workspace: newWorkspace() })
    const live = async (speaker: Speaker, isRated: boolean) => {
      await speaker.say({ evidence: read({ length: 0.1 }), reply: replyOf(60), postIds: ['p1'] })
      if (isRated) await rateTurn(speaker, 'p1')
      for (const length of [0.1, 0.12, 0.1, 0.9, 0.9]) await speaker.say({ evidence: read({ length }) })
      expect(await speaker.command('/persona undo')).toMatch(/^Length is /)
    }
    await live(rated, true)
    await live(unrated, false)
    expect(await rated.learned()).not.toEqual(await unrated.learned())
    await rateTurn(rated, 'p1')
    expect(await rated.learned()).toEqual(await unrated.learned())
    expect(rested(await rated.log())).toEqual(rested(await unrated.log()))
  })

  test('of one context changes the overall estimate alone of another', async () => {
    const workspace = newWorkspace()
    const direct = createSpeaker(db.database, { workspace })
    const general = createSpeaker(db.database, { workspace, context: 'general' })
    await direct.say({ evidence: read({ length: 0.2 }), reply: replyOf(400), postIds: ['p1'] })
    await rateTurn(direct, 'p1')
    await general.say({ evidence: read({ length: 0.3 }) })
    const before = await general.learned()
    await rateTurn(direct, 'p1')
    const after = await general.learned()
    expect(after.own).toEqual(before.own)
    expect(after.overall).not.toEqual(before.overall)
    expect(after.overall).toEqual(livedThrough(await general.log()).known('general').overall)
  })

  test('that is not there changes nothing and says so', async () => {
    const speaker = createSpeaker(db.database, { workspace: newWorkspace() })
    const turnId = await speaker.say({ evidence: read({ length: 0.2 }) })
    const before = await speaker.learned()
    const remove = (kind: 'turn' | 'rating', place = speaker.place) =>
      db.database.queries.transaction((transaction) => removeObservation(transaction, place, turnId, kind, SETTINGS))
    expect(await remove('rating')).toBe(false)
    expect(await remove('turn', { ...speaker.place, author: { ...speaker.place.author, id: 'test:ben' } })).toBe(false)
    expect(await remove('turn', { ...speaker.place, workspace: newWorkspace() })).toBe(false)
    expect(await speaker.learned()).toEqual(before)
    expect(await remove('turn')).toBe(true)
    expect(await speaker.learned()).toMatchObject({ own: { states: {} }, overall: { states: {} } })
  })

  test('moves nobody else in the workspace', async () => {
    const workspace = newWorkspace()
    const ann = createSpeaker(db.database, { workspace })
    const ben = createSpeaker(db.database, { workspace, person: 'test:ben' })
    await ann.say({ evidence: read({ length: 0.2 }), reply: replyOf(400), postIds: ['p1'] })
    await rateTurn(ann, 'p1')
    await ben.say({ evidence: read({ length: 0.9 }) })
    const before = await ben.learned()
    const [, , bens] = await ben.log()
    await rateTurn(ann, 'p1')
    expect(await ben.learned()).toEqual(before)
    expect((await ben.log()).at(-1)).toEqual(bens)
  })
})

test('ratings taken back in any order among turns, undos and contexts leave what a life without them teaches', async () => {
  for (let seed = 1; seed <= 3; seed++) {
    const random = seeded(seed)
    const workspace = newWorkspace()
    const speakers = ['direct', 'general', 'random'].map((context) =>
      createSpeaker(db.database, { workspace, context }),
    )
    const posts: { readonly speaker: Speaker; readonly post: string }[] = []
    for (let turn = 0; turn < 40; turn++) {
      const speaker = speakers[Math.floor(random() * 3)]!
      if (random() < 0.12) await speaker.command('/persona undo')
      const level = Math.floor(turn / 9) % 2 ? 0.85 : 0.15
      const evidence = random() < 0.2 ? {} : read({ length: level + random() / 20, formality: 1 - level, tone: 'warm' })
      const post = `p${turn}`
      await speaker.say({ evidence, reply: replyOf(5 + Math.floor(random() * 200)), postIds: [post] })
      if (random() < 0.3) {
        await rateTurn(speaker, post)
        posts.push({ speaker, post })
      }
    }
    const full = await speakers[0]!.log()
    expect(full.filter(({ kind }) => kind === 'undo').length).toBeGreaterThan(0)
    for (const { speaker, post } of posts.toSorted(() => random() - 0.5).slice(0, 4)) {
      await rateTurn(speaker, post, random() < 0.5 ? 'up' : 'down')
      const log = await speaker.log()
      const { lines, known } = livedThrough(log)
      expect(rested(log), `seed ${seed}`).toEqual(lines)
      for (const { place, learned } of speakers) expect(await learned(), `seed ${seed}`).toEqual(known(place.context))
    }
  }
})

test('numbers survive the database bit for bit', async () => {
  const speaker = createSpeaker(db.database, { workspace: newWorkspace() })
  const length = 0.1 + 0.2
  await speaker.say({ evidence: read({ length }) })
  await speaker.say({ evidence: read({ length: 1 / 3 }) })
  const [first, second] = await speaker.log()
  expect(first?.evidence.length?.value).toEqual([0.30000000000000004])
  expect(second?.evidence.length?.value).toEqual([1 / 3])
  expect(second?.before?.own.states.length?.ema).toEqual([length])
  const known = await loadLearned(db.database.queries, speaker.place)
  expect(known).toEqual(livedThrough(await speaker.log()).known('direct'))
  expect((await speaker.known()).learned).toEqual(known)
})

test('a turn has at most one line of each kind', async () => {
  const speaker = createSpeaker(db.database, { workspace: newWorkspace() })
  await becomeFormal(speaker)
  await speaker.command('/persona undo')
  const doubled = rowsOf(
    db.database.queries,
    sql`INSERT INTO observations (workspace_id, person_id, context, kind, turn_id, evidence)
      SELECT workspace_id, person_id, context, kind, turn_id, evidence FROM observations
      WHERE workspace_id = ${speaker.place.workspace} AND kind = 'undo'`,
  )
  await expect(doubled).rejects.toThrow()
})
