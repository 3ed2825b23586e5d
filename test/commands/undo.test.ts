/** What /persona undo puts back, and how long it looks away. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restore, restoredFrom } from '../../src/preference/learn.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { becomeFormal, createSpeaker, daysAgo, read, sayEach, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: newWorkspace(), ...who })

describe('/persona undo', () => {
  test('has nothing to undo before there was a change', async () => {
    const ann = speaker()
    await sayEach(ann, 'formality', [0.1, 0.1, 0.9])
    expect(await ann.command('/persona undo')).toMatch(/^There is nothing to undo/)
  })

  test('puts back exactly the state before the change, without the jump that led there', async () => {
    const ann = speaker()
    await sayEach(ann, 'formality', [0.1, 0.12, 0.1, 0.11], daysAgo(20))
    const settled = await ann.learned()
    await sayEach(ann, 'formality', [0.9, 0.9], daysAgo(3))
    await sayEach(ann, 'tone', ['warm'])
    const changed = await ann.learned()
    expect(changed.own.states.formality).not.toEqual(settled.own.states.formality)
    expect(await ann.command('/persona undo')).toBe(
      "Formality is casual again; I won't look for changes in it for 10 turns. (The change was noticed on Tuesday.)",
    )
    const after = await ann.learned()
    expect(after.own.states.formality).toEqual(settled.own.states.formality)
    expect(after.overall.states.formality).toEqual(settled.overall.states.formality)
    expect(after.own.states.tone).toEqual(changed.own.states.tone)
    expect(after.held).toEqual({ formality: 10 })
    expect(await ann.command('/persona')).toContain('- turns in which I look for no change: formality (10)')
    expect(await ann.command('/persona')).not.toContain('since')
  })

  test('writes a line of the log from which the state can be told again', async () => {
    const ann = speaker()
    await becomeFormal(ann)
    const before = await ann.learned()
    await ann.command('/persona undo')
    const log = await ann.log()
    const undo = log.at(-1)!
    const turn = log.at(-2)!
    expect(undo).toMatchObject({ kind: 'undo', turnId: turn.turnId, evidence: {}, before })
    expect(undo.restored).toEqual(restoredFrom(turn.before!, ['formality']))
    expect(await ann.learned()).toEqual(restore(before, undo.restored!))
  })

  test('looks for no change in the dimension for ten turns, and then again', async () => {
    const ann = speaker()
    await becomeFormal(ann)
    await ann.command('/persona undo')
    await sayEach(
      ann,
      'formality',
      Array.from({ length: 10 }, (_, i) => (i < 6 ? 0.11 : 0.1)),
    )
    expect((await ann.changes()).slice(-10).flat()).toEqual([])
    expect((await ann.learned()).held).toEqual({})
    await sayEach(ann, 'formality', [0.9, 0.9])
    expect((await ann.changes()).slice(-2).flat()).toContainEqual({ dimension: 'formality', kind: 'confirmed' })
  })

  test('the very values that were a change are none while it looks away', async () => {
    const ann = speaker()
    await becomeFormal(ann)
    await ann.command('/persona undo')
    await sayEach(ann, 'formality', [0.9, 0.9])
    expect((await ann.changes()).slice(-2).flat()).toEqual([])
  })

  test('a second one takes back the change before, a third finds nothing', async () => {
    const ann = speaker()
    await becomeFormal(ann)
    await sayEach(ann, 'tone', ['warm', 'warm', 'warm', 'warm', 'blunt', 'blunt'])
    expect(await ann.command('/persona undo')).toMatch(/^Tone is warm again;/)
    expect(await ann.command('/persona undo')).toMatch(/^Formality is casual again;/)
    expect(await ann.command('/persona undo')).toMatch(/^There is nothing to undo/)
  })

  test('several dimensions that changed in one turn go back together; a pin stays', async () => {
    const ann = speaker()
    for (const value of [0.1, 0.12, 0.1, 0.11, 0.9, 0.9])
      await ann.say({ evidence: read({ length: value, formality: value }) })
    await ann.command('/persona set formality formal')
    expect(await ann.command('/persona undo')).toBe(
      "Length is brief again and formality is casual again; I won't look for changes in them for 10 turns. " +
        '(The change was noticed today.) Formality stays pinned to formal.',
    )
    expect((await ann.learned()).held).toEqual({ length: 10, formality: 10 })
  })

  test('takes back a change that was noticed elsewhere, and says where', async () => {
    const workspace = newWorkspace()
    const here = speaker({ workspace, context: 'test:c1' })
    const direct = speaker({ workspace })
    await becomeFormal(direct)
    expect(await here.command('/persona undo')).toContain('(The change was noticed today, in our direct chat.)')
    expect((await direct.learned()).held).toEqual({ formality: 10 })
    expect((await here.learned()).held).toEqual({})
    await becomeFormal(here)
    expect(await direct.command('/persona undo')).toContain('(The change was noticed today, in another channel.)')
  })

  test('a change before a reset can not be undone', async () => {
    const ann = speaker()
    await becomeFormal(ann)
    await ann.command('/persona reset yes')
    expect(await ann.command('/persona undo')).toMatch(/^There is nothing to undo/)
  })
})
