/** Commands in general: how they are found, what is said back, and whose data they touch. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { becomeFormal, createSpeaker, read, rowOf, sayEach, type Who } from './commands/speaker.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const speaker = (who: Partial<Who> = {}) => createSpeaker(shared.database, { workspace: newWorkspace(), ...who })

describe('any command', () => {
  test('an unknown one is answered with the known ones and the nearest', async () => {
    const ann = speaker()
    expect(await ann.command('/foo')).toBe('Expected one of `/persona`, `/tune`, `/help`, got `/foo`')
    expect(await ann.command('/persna')).toBe(
      'Expected one of `/persona`, `/tune`, `/help`, got `/persna`. Did you mean `/persona`?',
    )
    expect(await ann.command('/')).toContain('got `/`')
  })

  test('names are known in either case and blanks do not matter', async () => {
    const ann = speaker()
    const help = await ann.command('/persona help')
    expect(await ann.command('  /  PERSONA \n  Help  ')).toBe(help)
  })

  test('what is said back is short, on one line, and stays inside its backticks', async () => {
    const ann = speaker()
    expect(await ann.command('/persona a`b*\u001b[31m')).toContain('got `ab*[31m`')
    expect(await ann.command(`/persona ${'x'.repeat(500)}`)).toMatch(/got `x{80}…`$/)
    expect(await ann.command(`/persona why ${'word\n'.repeat(500)}`)).toMatch(/got `[^`\n]{80}…`$/)
  })

  test('/help lists the commands', async () => {
    const help = await speaker().command('/help')
    for (const command of ['/persona why', '/persona undo', '/persona reset', '/tune lambda 0.3']) {
      expect(help).toContain(`- \`${command}\`: `)
    }
    expect(await speaker().command('/help me')).toBe('Expected nothing after `/help`, got `me`')
  })
})

describe('whose', () => {
  test('nobody sees, undoes or forgets what is known of another, or of themselves elsewhere', async () => {
    const workspace = newWorkspace()
    const ann = speaker({ workspace, context: 'test:c1' })
    await becomeFormal(ann)
    await ann.say({ question: 'A secret', evidence: read({ formality: 0.9 }) })
    await ann.command('/persona set tone blunt')
    const known = await ann.known()
    const learned = await ann.learned()
    const others = [speaker({ workspace, context: 'test:c1', person: 'test:bob' }), speaker({ context: 'test:c1' })]
    for (const other of others) {
      expect(await other.command('/persona')).toMatch(/^I know nothing yet/)
      expect(await other.command('/persona why')).toMatch(/^I haven't answered you/)
      expect(await other.command('/persona undo')).toMatch(/^There is nothing to undo/)
      expect(await other.command('/persona reset')).toMatch(/so nothing can go\.$/)
      await other.command('/persona set tone warm')
      await other.command('/persona unset all')
      await other.say({ evidence: read({ length: 0.9 }) })
      const reply = await other.command('/persona')
      expect(rowOf(reply, 'formality')).toMatch(/not yet$/)
      expect(reply).not.toContain('since')
      expect(await other.command('/persona reset')).toContain('estimates in 1 context, no pins, 1 observation.')
      await other.command('/persona reset yes')
    }
    expect(await ann.known()).toEqual(known)
    expect(await ann.learned()).toEqual(learned)
    expect(await ann.command('/persona')).toContain('- since today: more formal')
  })

  test("the sparkline and the changes are those of this person's turns in this context", async () => {
    const workspace = newWorkspace()
    const ann = speaker({ workspace, context: 'test:c1' })
    const bob = speaker({ workspace, context: 'test:c1', person: 'test:bob' })
    await becomeFormal(bob)
    await becomeFormal(speaker({ workspace }))
    await sayEach(ann, 'formality', [0.9, 0.9, 0.9])
    const reply = await ann.command('/persona')
    expect(rowOf(reply, 'formality')).toMatch(/ ███ {3,}3 here$/)
    expect(reply).not.toContain('since')
  })
})
