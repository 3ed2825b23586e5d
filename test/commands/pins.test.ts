/** What /persona set and unset change. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { createSpeaker, rowOf, sayEach, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: newWorkspace(), ...who })

describe('/persona set and unset', () => {
  test('pins a label in every context and lets go of it again', async () => {
    const workspace = newWorkspace()
    const ann = speaker({ workspace })
    expect(await ann.command('/persona set Formality = FORMAL')).toBe(
      '`formality` is pinned to `formal`, everywhere in this workspace, until `/persona unset formality`.',
    )
    const there = speaker({ workspace, context: 'test:c1' })
    expect((await there.known()).pins).toEqual({ formality: 'formal' })
    expect(rowOf(await there.command('/persona'), 'formality')).toMatch(/^formality {2}formal \(pinned\)/)
    expect(await there.command('/persona set formality casual')).toContain('pinned to `casual` (was `formal`)')
    expect(await there.command('/persona unset formality')).toBe(
      '`formality` is no longer pinned; I go by what I notice again.',
    )
    expect(await there.command('/persona unset formality')).toBe("`formality` isn't pinned.")
    expect((await ann.known()).pins).toEqual({})
  })

  test('a pin is marked beside the estimate that it overrules', async () => {
    const ann = speaker()
    await sayEach(ann, 'formality', [0.1, 0.1, 0.1])
    await ann.command('/persona set formality formal')
    const reply = await ann.command('/persona')
    expect(rowOf(reply, 'formality')).toBe('formality  formal (pinned)  █░░░░░░░░░  ▁▁▁     3 here')
    expect(reply).toContain('- formality is pinned to formal; from what I notice it would be casual')
  })

  test('unset all lets go of every pin and says which', async () => {
    const ann = speaker()
    await ann.command('/persona set tone warm')
    await ann.command('/persona set length brief')
    expect(await ann.command('/persona unset ALL')).toBe(
      '`tone`, `length` are no longer pinned; I go by what I notice again.',
    )
    expect(await ann.command('/persona unset all')).toBe('Nothing is pinned.')
  })

  test.each([
    [
      'set tome warm',
      'Expected one of `tone`, `length`, `emotion`, `density`, `formality`, got `tome`. Did you mean `tone`?',
    ],
    ['set formality posh', 'Expected `formality` to be `casual`, `neutral` or `formal`, got `posh`'],
    [
      'set formality formla',
      'Expected `formality` to be `casual`, `neutral` or `formal`, got `formla`. Did you mean `formal`?',
    ],
    ['set formality', 'Expected `formality` to be `casual`, `neutral` or `formal`, got nothing'],
    ['set', 'Expected a dimension and a label after `/persona set`, got nothing'],
    ['set tone warm please', 'Expected a dimension and a label after `/persona set`, got `tone warm please`'],
    ['set constructor x', 'Expected one of `tone`, `length`, `emotion`, `density`, `formality`, got `constructor`'],
    [
      'unset tome',
      'Expected one of `tone`, `length`, `emotion`, `density`, `formality`, `all`, got `tome`. Did you mean `tone`?',
    ],
    ['unset', 'Expected one dimension or `all` after `/persona unset`, got nothing'],
    ['unset tone length', 'Expected one dimension or `all` after `/persona unset`, got `tone length`'],
  ])('wrong: %s', async (words, sentence) => {
    const ann = speaker()
    await ann.command('/persona set tone blunt')
    expect(await ann.command(`/persona ${words}`)).toBe(sentence)
    expect((await ann.known()).pins).toEqual({ tone: 'blunt' })
  })
})
