/** What /persona shows. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { becomeFormal, createSpeaker, daysAgo, rowOf, sayEach, tableOf, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: newWorkspace(), ...who })

describe('/persona', () => {
  test('tells somebody new that nothing is known', async () => {
    expect(await speaker().command('/persona')).toMatch(/^I know nothing yet about how you like to be answered\./)
  })

  test('shows label, bar, sparkline and count of every dimension in aligned columns', async () => {
    const ann = speaker()
    await sayEach(ann, 'length', [0.1, 0.2, 0.15, 0.2])
    await sayEach(ann, 'tone', ['warm', 'warm', 'warm'])
    const reply = await ann.command('/persona view')
    expect(reply.match(/```/g)).toHaveLength(2)
    const table = tableOf(reply)
    expect(rowOf(reply, 'tone')).toBe('tone       warm   ██████████  ███      3 here')
    expect(rowOf(reply, 'length')).toBe('length     brief  ██░░░░░░░░  ▁▂▂▂▂▂▂  4 here')
    expect(rowOf(reply, 'density')).toMatch(/^density {4}- .*not yet$/)
    expect(table.map((line) => line.split(/\s+/)[0])).toEqual([
      'Dimension',
      'tone',
      'length',
      'emotion',
      'density',
      'formality',
    ])
    const column = table[0]!.length - 'Observed'.length
    for (const line of table.slice(1)) expect([...line].slice(column - 1).join('')).toMatch(/^ (\d+ here|not yet)$/)
  })

  test('the sparkline covers the last twenty turns', async () => {
    const ann = speaker()
    await sayEach(
      ann,
      'length',
      Array.from({ length: 24 }, () => 0.2),
    )
    expect(rowOf(await ann.command('/persona'), 'length')).toBe(
      `length     brief  ██░░░░░░░░  ${'▂'.repeat(20)}  24 here`,
    )
  })

  test('shows the overall estimate until the context knows enough', async () => {
    const workspace = newWorkspace()
    await sayEach(speaker({ workspace }), 'length', [0.1, 0.1, 0.1, 0.1])
    const there = speaker({ workspace, context: 'test:c1' })
    expect(rowOf(await there.command('/persona'), 'length')).toMatch(/4 overall$/)
    await sayEach(there, 'length', [0.1, 0.1])
    expect(rowOf(await there.command('/persona'), 'length')).toMatch(/6 overall$/)
    await sayEach(there, 'length', [0.1])
    expect(rowOf(await there.command('/persona'), 'length')).toMatch(/3 here$/)
  })

  test('tells since when what has changed, a weekday within seven days', async () => {
    const tuesday = speaker()
    await becomeFormal(tuesday, daysAgo(3))
    expect(await tuesday.command('/persona')).toContain('- since Tuesday: more formal')
    for (const [days, words] of [
      [0, 'today'],
      [1, 'yesterday'],
      [6, 'Saturday'],
      [7, '7 Nov'],
      [29, '16 Oct'],
    ] as const) {
      const ann = speaker()
      await becomeFormal(ann, daysAgo(days))
      expect(await ann.command('/persona')).toContain(`- since ${words}: more formal`)
    }
  })

  test('a change of more than thirty days ago is not recent', async () => {
    const ann = speaker()
    await becomeFormal(ann, daysAgo(31))
    expect(await ann.command('/persona')).not.toContain('since')
  })

  test('of each dimension the newest change is told, in the direction in which it went', async () => {
    const ann = speaker()
    await becomeFormal(ann, daysAgo(9))
    await sayEach(ann, 'formality', [0.9, 0.1, 0.1], daysAgo(2))
    await sayEach(ann, 'tone', ['warm', 'warm', 'warm', 'warm', 'blunt', 'blunt'], daysAgo(4))
    const reply = await ann.command('/persona')
    expect(reply).toContain('- since Wednesday: more casual')
    expect(reply).toContain('- since Monday: more blunt in tone')
    expect(reply).not.toContain('more formal')
  })

  test('a jump that stood alone is no change', async () => {
    const ann = speaker()
    await sayEach(ann, 'formality', [0.1, 0.12, 0.1, 0.11, 0.9, 0.1])
    expect(await ann.command('/persona')).not.toContain('since')
  })

  test('says when the model is not told', async () => {
    const ann = speaker({ isAdmin: true })
    await sayEach(ann, 'length', [0.1])
    expect(await ann.command('/persona')).not.toContain('the model is not told')
    await ann.command('/tune preset no-prompt')
    expect(await ann.command('/persona')).toContain('in this workspace the model is not told any of this')
  })

  test('the nearest subcommand is proposed, and one takes no words that it would ignore', async () => {
    const ann = speaker()
    expect(await ann.command('/persona rest')).toBe(
      'Expected one of `view`, `why`, `set`, `unset`, `undo`, `edit`, `history`, `diff`, `use`, `auto`, `reset`, `memory`, `forget`, `pause`, `resume`, `export`, `help`, got `rest`. Did you mean `reset`?',
    )
    expect(await ann.command('/persona undo tone')).toBe('Expected nothing after `/persona undo`, got `tone`')
  })
})
