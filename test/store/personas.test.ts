/** Versions of a persona: numbered for each person, the highest in force. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveTuning } from '../../src/store/people.ts'
import {
  addVersion,
  currentPersona,
  eraseVersions,
  loadVersions,
  type NewVersion,
  savePersonaAuto,
} from '../../src/store/personas.ts'
import { createSpeaker, NOW } from '../commands/speaker.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const version = (text: string, more: Partial<NewVersion> = {}): NewVersion => ({
  text,
  reason: 'improved',
  of: null,
  turnIds: [],
  score: null,
  createdAt: NOW,
  ...more,
})
const current = (workspace: string, person = 'test:ann') => currentPersona(db.database.queries, workspace, person)

test('the highest version is in force, before the workspace’s, before the one in prompts/', async () => {
  const { place } = createSpeaker(db.database, { workspace: 'force' })
  expect(await current('force')).toEqual({ version: 0, text: null, isAuto: true })
  await saveTuning(db.database.queries, 'force', { persona: 'You are ours.' })
  expect(await current('force')).toEqual({ version: 0, text: 'You are ours.', isAuto: true })
  await db.database.queries.transaction(async (transaction) => {
    expect(await addVersion(transaction, place, version('One.'))).toBe(1)
    expect(await addVersion(transaction, place, version('Two.', { turnIds: [3, 4], score: 0.25 }))).toBe(2)
  })
  await savePersonaAuto(db.database.queries, place, false)
  expect(await current('force')).toEqual({ version: 2, text: 'Two.', isAuto: false })
  expect(await loadVersions(db.database.queries, place)).toEqual([
    { version: 1, ...version('One.') },
    { version: 2, ...version('Two.', { turnIds: [3, 4], score: 0.25 }) },
  ])
  await eraseVersions(db.database.queries, place, [2])
  expect(await current('force')).toMatchObject({ version: 1, text: 'One.' })
})

test('people and workspaces have versions of their own', async () => {
  const ann = createSpeaker(db.database, { workspace: 'own' })
  const ben = createSpeaker(db.database, { workspace: 'own', person: 'test:ben' })
  const elsewhere = createSpeaker(db.database, { workspace: 'own elsewhere' })
  for (const { place } of [ann, ben]) {
    await db.database.queries.transaction((transaction) => addVersion(transaction, place, version(place.author.id)))
  }
  expect(await current('own')).toMatchObject({ version: 1, text: 'test:ann' })
  expect(await current('own', 'test:ben')).toMatchObject({ version: 1, text: 'test:ben' })
  expect(await current('own elsewhere')).toMatchObject({ version: 0, text: null })
  expect(await loadVersions(db.database.queries, elsewhere.place)).toEqual([])
})

test('two that are added at once have different numbers', async () => {
  const { place } = createSpeaker(db.database, { workspace: 'at once' })
  const add = (text: string) =>
    db.database.queries.transaction((transaction) => addVersion(transaction, place, version(text)))
  const numbers = await Promise.all(['a', 'b', 'c'].map(add))
  expect(numbers.toSorted()).toEqual([1, 2, 3])
})
