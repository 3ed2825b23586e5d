/** What a persona may be, and that the one in force is what the model gets. */

import { describe, expect, test } from 'vitest'
import { personaOf } from '../src/persona-text.ts'
import { loadPrompts } from '../src/prompts.ts'
import { completed } from '../src/section.ts'
import { useWalks } from './walk.ts'

const START = loadPrompts().render('persona', {})
const SECTION = START.slice(START.indexOf('## When'))

describe('a text', () => {
  test.each([
    ['  Be kind. \n', 'Be kind.'],
    ['Be\0 kind\u202e.\ufeff', 'Be kind.'],
    ['Be kind.\ud800', 'Be kind.'],
    ['One.\r\nTwo.\rThree.\u2028Four.', 'One.\nTwo.\nThree.\nFour.'],
    ['One.  \n\n\n\n\tTwo.', 'One.\n\n\tTwo.'],
    ['👩‍🚀 and `code` and {{name}}', '👩‍🚀 and `code` and {{name}}'],
  ])('%j is kept as %j', (text, kept) => expect(personaOf(text)).toBe(kept))

  test('is measured as it is kept', () => {
    expect(personaOf(`${'x'.repeat(1200)}\0 \n`)).toHaveLength(1200)
    expect(() => personaOf('x'.repeat(1201), 'text')).toThrow(
      new RangeError('Expected `text` to be a text of at most 1200 characters, got `1201 characters`'),
    )
    expect(() => personaOf('\u200b')).toThrow(/got nothing$/)
  })

  test('the one to start from is within the limit', () => expect(personaOf(START)).toBe(START))
})

test('one that says nothing of when to act gets that section', () => {
  expect(completed('Be kind.', START)).toBe(`Be kind.\n\n${SECTION}`)
  expect(completed(START, 'Other.')).toBe(START)
  const own = 'Be kind.\n\n## When to use which action\n\n- Calculations: ask back.'
  expect(completed(own, START)).toBe(own)
  expect(completed('Be kind.', 'No section.')).toBe('Be kind.')
})

describe('the model', () => {
  const { walking } = useWalks()
  const admin = (workspace: string) => ({ id: `${workspace}:boss`, name: 'boss', isAdmin: true })

  test('is put the persona in force, from the next message on, each person theirs', async () => {
    const { ask, prompts, workspace } = walking()
    const system = () => prompts.at(-1)?.[0]?.content ?? ''
    await ask('Hello there, who are you?')
    expect(system()).toMatch(/^You are Attune/)
    await ask('/persona edit You are a pirate of {{name}}.')
    await ask('Hello there, who are you?')
    expect(system()).toMatch(/^You are a pirate of \{\{name\}\}\.\n/)
    expect(system()).not.toContain('You are Attune')
    await ask('Hello there, who are you?', { as: 'ben' })
    expect(system()).toMatch(/^You are Attune/)
    await ask('/tune persona You are ours.', { author: admin(workspace) })
    await ask('Hello there, who are you?', { as: 'ben' })
    expect(system()).toMatch(/^You are ours\.\n/)
    await ask('Hello there, who are you?')
    expect(system()).toMatch(/^You are a pirate/)
    await ask('/persona undo')
    await ask('Hello there, who are you?')
    expect(system()).toMatch(/^You are ours\.\n/)
    await ask('/persona reset yes')
    await ask('/tune persona default', { author: admin(workspace) })
    await ask('Hello there, who are you?')
    expect(system()).toMatch(/^You are Attune/)
  })

  test('is told when to act where an action is offered, whatever the persona leaves out', async () => {
    const { ask, prompts } = walking()
    await ask('/persona edit You are a pirate.')
    await ask('What is 17 * 23?')
    const told = prompts.map(([first]) => first?.content ?? '')
    expect(told.some((text) => /^You are a pirate\.\n\n[\s\S]*- Calculations: calculate\./.test(text))).toBe(true)
  })

  test('is put the person’s own while they are paused, too, and what they write then is kept', async () => {
    const { ask, prompts } = walking()
    await ask('/persona pause')
    await ask('/persona edit You are a pirate.')
    await ask('Hello there, who are you?')
    expect(prompts.at(-1)?.[0]?.content).toMatch(/^You are a pirate\./)
  })
})
