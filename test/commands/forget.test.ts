/** What /persona forget answers: its wrong inputs and what it shows before it erases. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdPerson } from '../../src/store/people.ts'
import { unlearn } from '../../src/store/unlearn.ts'
import { settingsOf } from '../../src/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { createSpeaker, daysAgo, read, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0
beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: `w${++workspaces}`, ...who })

describe('/persona forget', () => {
  test('without words says what it expects', async () => {
    expect(await speaker().command('/persona forget')).toBe(
      'Expected words or `all` after `/persona forget`, got `nothing`',
    )
  })

  test('shows what would go, newest first, with days, and erases nothing', async () => {
    const ann = speaker()
    for (let i = 0; i < 12; i++) await ann.say({ question: `My llama number ${i}`, askedAt: daysAgo(12 - i) })
    const reply = await ann.command('/persona forget Llama')
    expect(reply).toMatch(/^This would erase 12 messages and no lines of what I know of you that mention `Llama`:/)
    expect(reply).toContain('- yesterday: `My llama number 11`')
    expect(reply).toContain('- and 2 more')
    expect(reply).toContain('To go ahead: `/persona forget Llama yes`.')
    expect(await ann.command('/persona forget llama')).toMatch(/^This would erase 12 messages/)
  })

  test('takes "yes" alone for a word', async () => {
    const ann = speaker()
    await ann.say({ question: 'Well, yes' })
    expect(await ann.command('/persona forget yes')).toMatch(/^This would erase 1 message /)
    expect(await ann.command('/persona forget yes yes')).toMatch(/^Forgotten: 1 message /)
    expect(await ann.command('/persona forget yes')).toMatch(/^Nothing that I keep of you mentions `yes`/)
  })

  test('finds words longer than what is said back', async () => {
    const ann = speaker()
    const key = `sk-${'a1'.repeat(60)}`
    await ann.say({ question: `My key is ${key}.` })
    expect(await ann.command(`/persona forget ${key} yes`)).toMatch(/^Forgotten: 1 message /)
  })
})

test('what turns taught in several contexts is taken back as if they had never been', async () => {
  const workspace = `w${++workspaces}`
  const [never, once] = [`${workspace}a`, `${workspace}b`]
  const life = async (name: string, isTold: boolean) => {
    const here = speaker({ workspace: name })
    const there = speaker({ workspace: name, context: 'test:c1' })
    const gone: number[] = []
    for (const [i, value] of [0.1, 0.15, 0.1, 0.9, 0.85, 0.2, 0.9, 0.9].entries()) {
      const who = i % 3 === 2 ? there : here
      await who.say({ evidence: read({ formality: value, length: value }) })
      if (isTold && i % 2 === 0) gone.push(await who.say({ evidence: read({ formality: 0.5, tone: 'blunt' }) }))
    }
    return { here, there, gone }
  }
  const [without, told] = [await life(never, false), await life(once, true)]
  await shared.database.queries.transaction(async (transaction) => {
    await holdPerson(transaction, told.here.place)
    await unlearn(transaction, told.here.place, told.gone, settingsOf({}))
  })
  expect(await told.here.learned()).toEqual(await without.here.learned())
  expect(await told.there.learned()).toEqual(await without.there.learned())
  const lines = (log: Awaited<ReturnType<typeof told.here.log>>) => log.map(({ before }) => before)
  expect(lines(await told.here.log())).toEqual(lines(await without.here.log()))
})
