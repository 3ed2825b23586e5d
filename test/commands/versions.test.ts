/** The versions of a persona: shown, compared, written, put back, undone, forgotten. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addVersion, currentPersona, loadVersions, type NewVersion } from '../../src/store/personas.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { becomeFormal, createSpeaker, daysAgo, NOW, PERSONA, type Speaker, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const speaker = (who: Partial<Who> = {}) =>
  createSpeaker(shared.database, { workspace: `versions${++workspaces}`, ...who })
const improve = ({ place }: Speaker, text: string, more: Partial<NewVersion> = {}) =>
  shared.database.queries.transaction((transaction) =>
    addVersion(transaction, place, {
      ...{ text, reason: 'improved', of: null, turnIds: [1, 2, 3], score: 0.125, createdAt: daysAgo(1) },
      ...more,
    }),
  )
const current = ({ place }: Speaker) => currentPersona(shared.database.queries, place.workspace, place.author.id)
const versions = ({ place }: Speaker) => loadVersions(shared.database.queries, place)

describe('/persona', () => {
  test('shows the text in force whole, with where it is from', async () => {
    const ann = speaker()
    expect(await ann.command('/persona')).toContain(
      '**Your persona, version 0** (everybody starts from it)\n> You are a test.\n>\n> ## When to use which action\n',
    )
    await improve(ann, 'You are brief.')
    expect(await ann.command('/persona')).toContain(
      '**Your persona, version 1** (rewritten at night, yesterday)\n> You are brief.\n',
    )
    expect((await ann.known()).persona).toBe('You are brief.')
  })
})

describe('/persona edit', () => {
  test('takes the text as it was typed, and is left alone at night', async () => {
    const ann = speaker()
    const reply = await ann.command('/persona  edit   You are a pirate.\n\n\n\nSay  "arr"\u0007 \r\nat `times`.')
    expect(reply).toBe(
      'That is your persona now, version 1, from your next message on. I leave it as it is until `/persona auto on`.',
    )
    const text = 'You are a pirate.\n\nSay  "arr"\nat `times`.'
    expect(await current(ann)).toEqual({ version: 1, text, isAuto: false })
    expect(await ann.command('/persona edit ' + text)).toMatch(/^That is your persona already, version 1\./)
    expect(await versions(ann)).toEqual([
      { version: 1, text, reason: 'edited', of: null, turnIds: [], score: null, createdAt: NOW },
    ])
    expect(await ann.command('/persona')).toContain('It is not rewritten at night until `/persona auto on`.')
  })

  test.each([
    ['', 'nothing'],
    [' \u0000\n', 'nothing'],
    ['x'.repeat(1201), '`1201 characters`'],
    ['🦀'.repeat(1250), '`1250 characters`'],
  ])('refuses a text that is blank or too long (%#)', async (text, got) => {
    const ann = speaker()
    expect(await ann.command(`/persona edit ${text}`)).toBe(
      `Expected \`persona\` to be a text of at most 1200 characters, got ${got}`,
    )
    expect(await versions(ann)).toEqual([])
    expect((await current(ann)).isAuto).toBe(true)
  })

  test('takes 1,200 characters, however they are encoded', async () => {
    const ann = speaker()
    expect(await ann.command(`/persona edit ${'🦀'.repeat(1200)}`)).toMatch(/^That is your persona now/)
  })
})

describe('/persona auto', () => {
  test('says and sets whether it is rewritten at night', async () => {
    const ann = speaker()
    expect(await ann.command('/persona auto')).toMatch(/^I may rewrite your persona at night/)
    expect(await ann.command('/persona auto OFF')).toMatch(/^I leave your persona as it is/)
    expect(await current(ann)).toEqual({ version: 0, text: null, isAuto: false })
    expect(await ann.command('/persona auto on')).toMatch(/^I may rewrite/)
    expect((await current(ann)).isAuto).toBe(true)
    expect(await ann.command('/persona auto maybe')).toBe('Expected `on` or `off` after `/persona auto`, got `maybe`')
  })
})

describe('/persona history and diff', () => {
  test('name every version with its reason, evidence and score', async () => {
    const ann = speaker()
    expect(await ann.command('/persona history')).toMatch(/^Your persona has no versions yet/)
    await improve(ann, 'You are brief.')
    await ann.command('/persona edit You are long.')
    await ann.command('/persona use 1')
    expect(await ann.command('/persona history')).toContain(
      [
        '```',
        'No.  Date        Why                         Evidence  Score',
        '1    2025-11-13  rewritten at night          3 turns   +0.13',
        '2    2025-11-14  your own words              -         -',
        '3 *  2025-11-14  your choice (as version 1)  -         -',
        '```',
      ].join('\n'),
    )
  })

  test('show what differs, line by line', async () => {
    const ann = speaker()
    await improve(ann, 'You are brief.\nYou say so.\n```\nYou are kind.')
    await improve(ann, 'You are brief.\nYou never say so.\n```\nYou are kind.')
    expect(await ann.command('/persona diff 1 2')).toBe(
      "```diff\n--- version 1\n+++ version 2\n You are brief.\n-You say so.\n+You never say so.\n '''\n You are kind.\n```",
    )
    expect(await ann.command('/persona diff 1')).toBe(await ann.command('/persona diff 1 2'))
    expect(await ann.command('/persona diff 2 2')).toBe('Versions 2 and 2 have the same text.')
    expect(await ann.command('/persona diff 0 1')).toContain('-- Calculations: calculate.')
  })

  test.each([
    ['diff', 'Expected two versions after `/persona diff`, got nothing'],
    ['diff 1 2 3', 'Expected two versions after `/persona diff`, got `1 2 3`'],
    ['diff 1 9', 'Expected a version from 0 to 1, got `9`'],
    ['diff -1', 'Expected a version from 0 to 1, got `-1`'],
    ['use', 'Expected one version after `/persona use`, got nothing'],
    ['use 1.5', 'Expected a version from 0 to 1, got `1.5`'],
    ['use latest', 'Expected a version from 0 to 1, got `latest`'],
    ['history 3', 'Expected nothing after `/persona history`, got `3`'],
  ])('%s', async (words, sentence) => {
    const ann = speaker()
    await improve(ann, 'You are brief.')
    expect(await ann.command(`/persona ${words}`)).toBe(sentence)
    expect(await versions(ann)).toHaveLength(1)
  })
})

describe('/persona use', () => {
  test('puts a version in force again as one of its own; 0 is the start', async () => {
    const ann = speaker()
    await improve(ann, 'You are brief.')
    await improve(ann, 'You are long.')
    expect(await ann.command('/persona use 1')).toBe(
      'The text of version 1 is in force again, as version 3, from your next message on.',
    )
    expect(await ann.command('/persona use 1')).toBe('The text of version 1 is in force already.')
    await ann.command('/persona use 0')
    expect(await current(ann)).toEqual({ version: 4, text: PERSONA, isAuto: true })
    expect((await versions(ann)).slice(2)).toMatchObject([
      { reason: 'used', of: 1, turnIds: [], score: null },
      { reason: 'used', of: 0 },
    ])
  })
})

describe('/persona undo', () => {
  test('goes back version by version, and each step is a version', async () => {
    const ann = speaker()
    await improve(ann, 'One.')
    await ann.command('/persona edit Two.')
    expect(await ann.command('/persona undo')).toBe(
      'Your persona is as before version 2 (your own words, today): the text of version 1, now version 3. `/persona use 2` puts it back. I leave it as it is until `/persona auto on`.',
    )
    expect((await current(ann)).text).toBe('One.')
    expect(await ann.command('/persona undo')).toContain('as before version 1 (rewritten at night, yesterday)')
    expect((await current(ann)).text).toBe(PERSONA)
    expect(await ann.command('/persona undo')).toMatch(/^There is nothing to undo/)
    expect((await versions(ann)).map(({ reason, of }) => [reason, of])).toEqual([
      ['improved', null],
      ['edited', null],
      ['undone', 1],
      ['undone', 0],
    ])
  })

  test('a version after an undo is undone to what the undo put back', async () => {
    const ann = speaker()
    await improve(ann, 'One.')
    await improve(ann, 'Two.')
    await ann.command('/persona undo')
    await ann.command('/persona edit Three.')
    await ann.command('/persona undo')
    expect((await current(ann)).text).toBe('One.')
    await ann.command('/persona undo')
    expect((await current(ann)).text).toBe(PERSONA)
  })

  test('takes the last change of either kind, whichever was later', async () => {
    const ann = speaker()
    await improve(ann, 'One.', { createdAt: daysAgo(5) })
    await becomeFormal(ann, daysAgo(3))
    await improve(ann, 'Two.', { createdAt: daysAgo(1) })
    expect(await ann.command('/persona undo')).toContain('as before version 2')
    expect(await ann.command('/persona undo')).toMatch(/^Formality is casual again/)
    expect(await ann.command('/persona undo')).toContain('as before version 1')
    expect(await ann.command('/persona undo')).toMatch(/^There is nothing to undo/)
  })
})

describe('what is forgotten', () => {
  test('a reset begins anew at what the workspace starts people from', async () => {
    const ann = speaker()
    await ann.command('/persona edit Mine.')
    expect(await ann.command('/persona reset')).toContain('1 version of your persona')
    expect(await ann.command('/persona reset yes')).toContain('1 version of your persona')
    expect(await current(ann)).toEqual({ version: 0, text: null, isAuto: true })
    expect(await ann.command('/persona reset')).toMatch(/so nothing can go\.$/)
  })

  test('words erase the versions that hold them, and the newest left is in force', async () => {
    const ann = speaker()
    const ben = speaker({ workspace: ann.place.workspace, person: 'test:ben' })
    await improve(ann, 'You are brief.')
    for (const one of [ann, ben]) await one.command('/persona edit You know my quokka.')
    const shown = await ann.command('/persona forget quokka')
    expect(shown).toContain('1 version of your persona')
    expect(shown).toContain('- version 2 of your persona')
    expect(await versions(ann)).toHaveLength(2)
    expect(await ann.command('/persona forget quokka yes')).toContain('1 version of your persona')
    expect(await current(ann)).toMatchObject({ version: 1, text: 'You are brief.' })
    expect(await versions(ben)).toHaveLength(1)
    expect(await ann.command('/persona undo')).toContain('as before version 1')
  })

  test('a message that is forgotten is no evidence any more', async () => {
    const ann = speaker()
    const gone = await ann.say({ question: 'My quokka is ill' })
    const kept = await ann.say({ question: 'My hat is green' })
    await improve(ann, 'You are brief.', { turnIds: [gone, kept] })
    await ann.command('/persona forget quokka yes')
    expect((await versions(ann))[0]?.turnIds).toEqual([kept])
  })
})

describe('/tune persona', () => {
  test('is what people start from who have no version', async () => {
    const boss = speaker({ isAdmin: true })
    const ann = speaker({ workspace: boss.place.workspace, person: 'test:ann2' })
    await ann.command('/persona edit Mine.')
    expect(await boss.command('/tune persona')).toMatch(/^`persona` is `default`\. [\s\S]*> You are a test\./)
    expect(await boss.command('/tune Persona You are Ours,\nand PROUD.')).toBe(
      '`persona` is now `You are Ours, and PROUD.` (was `default`), from the next turn on, for everyone in this workspace.',
    )
    expect((await boss.known()).persona).toBe('You are Ours,\nand PROUD.')
    expect((await ann.known()).persona).toBe('Mine.')
    expect(await boss.command('/persona')).toContain('version 0** (everybody starts from it)\n> You are Ours,')
    expect(await boss.command('/tune persona')).toContain('> You are Ours,\n> and PROUD.')
    expect(await boss.command(`/tune persona ${'x'.repeat(1201)}`)).toContain('got `1201 characters`')
    expect(await boss.command('/tune persona default')).toMatch(/^`persona` is now `default`/)
    expect((await boss.known()).persona).toBeNull()
  })

  test('may be reset like any setting, and is for admins', async () => {
    const boss = speaker({ isAdmin: true })
    const ann = speaker({ workspace: boss.place.workspace })
    await boss.command('/tune persona You are ours.')
    expect(await ann.command('/tune persona You are mine.')).toBe('Only admins of this workspace may use `/tune`.')
    expect(await boss.command('/tune reset persona')).toContain('`persona` is `default` again (was `You are ours.`)')
  })
})
