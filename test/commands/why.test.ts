/** What /persona why tells, and what /persona reset forgets. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { createSpeaker, read, rowOf, sayEach, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: newWorkspace(), ...who })

describe('/persona why', () => {
  test('says that there was no reply yet', async () => {
    expect(await speaker().command('/persona why')).toBe("I haven't answered you in this conversation yet.")
  })

  test('tells what went into the last reply', async () => {
    const ann = speaker()
    await ann.say({ question: 'An older one' })
    await ann.say({
      question: 'Why is `x` null?\nHelp!',
      directive: 'Respond in style: [Tone: warm]\nBe kind.',
      evidence: read({ tone: 'warm', length: 0.2 }),
      recalled: [{ at: '2025-11-02T10:00:00.000Z', text: 'My cat is *Tom*' }],
      actions: [{ action: 'recall' }],
      model: 'small:1b',
      answeredAt: new Date('2025-11-13T09:05:00Z'),
    })
    expect(await ann.command('/persona why')).toBe(
      [
        '**Why I answered `Why is x null? Help!` as I did**',
        'The style that was asked of the model:\n```\nRespond in style: [Tone: warm]\nBe kind.\n```',
        'What I read from your message:\n- tone warm (1.00), from how you wrote: `a key word`\n' +
          '- length brief (0.20), from how you wrote: `a key word`',
        'What I recalled:\n- 2 Nov: `My cat is *Tom*`',
        'What I did:\n- `{"action":"recall"}`',
        'The model `small:1b` wrote it, 13 Nov, 09:05 UTC.',
      ].join('\n\n'),
    )
  })

  test('says so when there was no style, nothing read and no model', async () => {
    const ann = speaker()
    await ann.say({ model: null })
    const reply = await ann.command('/persona why')
    expect(reply).toContain('No style was asked of the model.')
    expect(reply).toContain('From your message I read nothing about style.')
    expect(reply).toContain('No language model wrote this reply of 14 Nov, 12:00 UTC.')
    expect(reply).not.toContain('What I recalled')
  })

  test('looks in this conversation alone', async () => {
    const workspace = newWorkspace()
    await speaker({ workspace, conversation: 'test:t1' }).say({})
    expect(await speaker({ workspace, conversation: 'test:t2' }).command('/persona why')).toMatch(/^I haven't answered/)
  })

  test('after a reset what was read is gone and the reply is still explained', async () => {
    const ann = speaker()
    await ann.say({ evidence: read({ tone: 'warm' }) })
    await ann.command('/persona reset yes')
    expect(await ann.command('/persona why')).toContain('What I read from your message was forgotten since.')
  })
})

describe('/persona reset', () => {
  test('says what would go and waits for yes', async () => {
    const workspace = newWorkspace()
    const ann = speaker({ workspace })
    await sayEach(ann, 'length', [0.1, 0.2])
    await sayEach(speaker({ workspace, context: 'test:c1' }), 'length', [0.1])
    await ann.command('/persona set tone warm')
    const before = await ann.known()
    expect(await ann.command('/persona reset')).toBe(
      'This would forget how you like to be answered: estimates in 2 contexts, 1 pin, 3 observations. ' +
        'What we talked about stays in my memory.\n\nTo go ahead: `/persona reset yes`.',
    )
    expect(await ann.command('/persona reset now')).toBe('Expected `yes` or nothing after `/persona reset`, got `now`')
    expect(await ann.command('/persona reset yes sir')).toContain('got `yes sir`')
    expect(await ann.known()).toEqual(before)
  })

  test('yes forgets everything but what was said', async () => {
    const ann = speaker()
    await sayEach(ann, 'length', [0.1, 0.2])
    expect(await ann.command('/persona reset YES')).toBe(
      'Forgotten: estimates in 1 context, no pins, 2 observations. I begin anew with you. ' +
        'What we talked about stays in my memory.',
    )
    expect(await ann.learned()).toEqual({
      own: { states: {}, accepted: {} },
      overall: { states: {}, accepted: {} },
      held: {},
    })
    expect(await ann.log()).toEqual([])
    expect(await ann.changes()).toHaveLength(2)
    expect(await ann.command('/persona')).toMatch(/^I know nothing yet/)
    expect(await ann.command('/persona reset')).toMatch(/so nothing can go\.$/)
  })

  test('what was shown before it is not in the sparkline after it', async () => {
    const ann = speaker()
    await sayEach(ann, 'length', [0.9, 0.9, 0.9])
    await ann.command('/persona reset yes')
    await sayEach(ann, 'length', [0.1])
    expect(rowOf(await ann.command('/persona'), 'length')).toMatch(/ ▁ .*1 overall$/)
  })
})
