/** What /tune shows and sets, for whom, and every wrong input. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { createSpeaker, rowOf, tableOf, type Who } from './speaker.ts'

let shared: TestDatabase
let workspaces = 0

beforeAll(async () => {
  shared = await openTestDatabase()
})
afterAll(() => shared.close())

const newWorkspace = () => `w${++workspaces}`
const admin = (who: Partial<Who> = {}) =>
  createSpeaker(shared.database, { workspace: newWorkspace(), isAdmin: true, ...who })

const EVERYONE = 'from the next turn on, for everyone in this workspace.'
const ZONE = 'Expected `timezone` to be the name of a time zone, such as `Europe/Berlin`, got '
const TIME = 'Expected `night` to be a time of day from `00:00` to `23:59`, got '
const NAMES =
  '`lambda`, `beta`, `window`, `delta`, `profile`, `preset`, `notices`, `retention`, `timezone`, `deletes`, `grace`, `night`, `persona`'

describe('/tune', () => {
  test.each(['/tune', '/tune lambda', '/tune lambda 0.3', '/tune reset', '/tune help', '/tune nonsense'])(
    'is refused to others: %s',
    async (text) => {
      const workspace = newWorkspace()
      const boss = admin({ workspace })
      await boss.command('/tune lambda 0.7')
      const ann = createSpeaker(shared.database, { workspace })
      expect(await ann.command(text)).toBe('Only admins of this workspace may use `/tune`.')
      expect((await ann.known()).tuning).toEqual({ lambda: 0.7 })
    },
  )

  test('shows every setting with what it is, was at first, takes and does', async () => {
    const reply = await admin().command('/tune')
    expect(tableOf(reply)).toEqual([
      'Setting     In force  Default',
      'lambda (λ)  auto      auto; in the paper profile 0.5',
      'beta (β)    0.9       0.9',
      'window (W)  5         5',
      'delta (δ)   3         3; in the paper profile 1.5',
      'profile     adaptive  adaptive',
      'preset      none      none',
      'notices     on        on',
      'retention   off       off',
      'timezone    UTC       UTC',
      'deletes     keep      keep',
      'grace       7d        7d',
      'night       04:00     04:00',
      'persona     default   default',
    ])
    expect(reply).toContain('- `window`: How many turns the last few turns are. Takes a whole number from 1 to 64.')
    expect(reply).not.toContain('Note:')
  })

  test('marks what was set here and warns of what was probably not meant', async () => {
    const boss = admin()
    await boss.command('/tune window 40')
    const reply = await boss.command('/tune')
    expect(rowOf(reply, 'window')).toBe('window (W) *  40        5')
    expect(rowOf(reply, 'beta')).toBe('beta (β)      0.9       0.9')
    expect(reply).toContain('Note: With `window` at 40, `beta` should be above 0.951')
  })

  test.each([
    ['lambda 0.3', { lambda: 0.3 }, '`lambda` is now 0.3 (was `auto`), '],
    ['lambda=0.3', { lambda: 0.3 }, '`lambda` is now 0.3 (was `auto`), '],
    ['Lambda  = 0.3', { lambda: 0.3 }, '`lambda` is now 0.3 (was `auto`), '],
    ['λ dynamic', { lambda: 'dynamic' }, '`lambda` is now `dynamic` (was `auto`), '],
    ['lambda AUTO', { lambda: 'auto' }, '`lambda` is `auto`, as before, for everyone in this workspace.'],
    ['beta .95', { beta: 0.95 }, '`beta` is now 0.95 (was 0.9), '],
    ['W 7', { window: 7 }, '`window` is now 7 (was 5), '],
    ['delta 4', { delta: 4 }, '`delta` is now 4 (was 3), '],
    ['profile paper', { profile: 'paper' }, '`profile` is now `paper` (was `adaptive`), '],
    ['preset no-prompt', { preset: 'no-prompt' }, '`preset` is now `no-prompt` (was `none`), '],
    ['retention 180d', { retention: 180 }, '`retention` is now `180d` (was `off`), '],
    ['retention OFF', {}, '`retention` is `off`, as before, for everyone in this workspace.'],
    ['timezone europe/berlin', { timezone: 'Europe/Berlin' }, '`timezone` is now `Europe/Berlin` (was `UTC`), '],
    ['night 02:30', { night: '02:30' }, '`night` is now `02:30` (was `04:00`), '],
    ['notices off', { notices: 'off' }, '`notices` is now `off` (was `on`), '],
  ])('sets %s', async (words, tuning, sentence) => {
    const boss = admin()
    const reply = await boss.command(`/tune ${words}`)
    expect(reply.split('\n')[0]).toBe(sentence.endsWith('.') ? sentence : sentence + EVERYONE)
    expect((await boss.known()).tuning).toEqual(tuning)
  })

  test('a warning follows the setting that it is about', async () => {
    expect(await admin().command('/tune window 40')).toMatch(/^`window` is now 40 \(was 5\), .*\n\nNote: With `window`/)
  })

  test('one setting can be looked at', async () => {
    const boss = admin()
    expect(await boss.command('/tune window')).toBe(
      '`window (W)` is 5. Default: 5. Takes a whole number from 1 to 64. How many turns the last few turns are.',
    )
    await boss.command('/tune window 6')
    expect(await boss.command('/tune W')).toMatch(/^`window \(W\)` is 6, set here\. Default: 5\./)
  })

  test('settings go back one by one or all at once', async () => {
    const boss = admin()
    await boss.command('/tune lambda 0.3')
    await boss.command('/tune preset static')
    await boss.command('/tune notices off')
    expect(await boss.command('/tune reset Lambda')).toBe(`\`lambda\` is 1 again (was 0.3), ${EVERYONE}`)
    expect(await boss.command('/tune preset none')).toBe(`\`preset\` is \`none\` again (was \`static\`), ${EVERYONE}`)
    expect(await boss.command('/tune reset lambda')).toBe('`lambda` was not changed; it is `auto`.')
    expect((await boss.known()).tuning).toEqual({ notices: 'off' })
    expect(await boss.command('/tune reset')).toBe(`All settings have their defaults again, ${EVERYONE}`)
    expect((await boss.known()).tuning).toEqual({})
    expect(await boss.command('/tune reset')).toBe('No setting was changed; all have their defaults.')
  })

  test.each([
    ['lambda 2', 'Expected `lambda` to be a number from 0 to 1, `auto` or `dynamic`, got `2`'],
    ['lambda NaN', 'Expected `lambda` to be a number from 0 to 1, `auto` or `dynamic`, got `NaN`'],
    ['lambda==0.3', 'Expected `lambda` to be a number from 0 to 1, `auto` or `dynamic`, got `=0.3`'],
    ['lambda 0.3 0.4', 'Expected one value after `/tune lambda`, got `0.3 0.4`'],
    ['beta 1', 'Expected `beta` to be a number above 0 and below 1, got `1`'],
    ['window 3.5', 'Expected `window` to be a whole number from 1 to 64, got `3.5`'],
    ['W -1', 'Expected `window` to be a whole number from 1 to 64, got `-1`'],
    ['window 1e9', 'Expected `window` to be a whole number from 1 to 64, got `1e9`'],
    [`window ${'0'.repeat(100)}5`, `Expected \`window\` to be a whole number from 1 to 64, got \`${'0'.repeat(80)}…\``],
    ['delta 0', 'Expected `delta` to be a number above 0, at most 100, got `0`'],
    ['profile fast', 'Expected `profile` to be `adaptive` or `paper`, got `fast`'],
    ['notices maybe', 'Expected `notices` to be `on` or `off`, got `maybe`'],
    ...['0d', '3651d', '180', '1.5d', '-1d'].map((days) => [
      `retention ${days}`,
      `Expected \`retention\` to be \`off\` or a number of days from \`1d\` to \`3650d\`, got \`${days}\``,
    ]),
    ['timezone Europe/Berln', `${ZONE}\`Europe/Berln\`. Did you mean \`Europe/Berlin\`?`],
    ['timezone berlin', `${ZONE}\`berlin\`. Did you mean \`Europe/Berlin\`?`],
    ['timezone +02:00', `${ZONE}\`+02:00\``],
    ['timezone Middle/Earth', `${ZONE}\`Middle/Earth\``],
    ...[
      ['4', '04:00'],
      ['4:30', '04:30'],
      ['0430', '04:30'],
      ['4.5', '04:05'],
      ['12', '12:00'],
      ['11pm', '23:00'],
      ['12am', '00:00'],
      ['24:00', '00:00'],
      ['25:10', '23:10'],
      ['04:75', '04:59'],
    ].map(([time, near]) => [`night ${time}`, `${TIME}\`${time}\`. Did you mean \`${near}\`?`]),
    ...['late', '-1:00', '4h', '04:00:00'].map((time) => [`night ${time}`, `${TIME}\`${time}\``]),
    ['lamda 0.3', `Expected one of ${NAMES}, got \`lamda\`. Did you mean \`lambda\`?`],
    ['lam`da 0.3', `Expected one of ${NAMES}, got \`lamda\`. Did you mean \`lambda\`?`],
    ['constructor 1', `Expected one of ${NAMES}, got \`constructor\``],
    ['rest', `Expected one of ${NAMES}, \`reset\`, \`help\`, got \`rest\`. Did you mean \`reset\`?`],
    ['reset lamda', `Expected one of ${NAMES}, got \`lamda\`. Did you mean \`lambda\`?`],
    ['reset lambda beta', 'Expected one name after `/tune reset`, got `lambda beta`'],
    ['help lambda', 'Expected nothing after `/tune help`, got `lambda`'],
  ])('changes nothing when given %s', async (words, sentence) => {
    const boss = admin()
    await boss.command('/tune lambda 0.7')
    expect(await boss.command(`/tune ${words}`)).toBe(sentence)
    expect((await boss.known()).tuning).toEqual({ lambda: 0.7 })
  })

  test('a retention that was set can be turned off again', async () => {
    const boss = admin()
    await boss.command('/tune retention 30d')
    expect(await boss.command('/tune retention off')).toBe(`\`retention\` is now \`off\` (was \`30d\`), ${EVERYONE}`)
    expect((await boss.known()).tuning).toEqual({})
  })

  test('two admins at once lose nothing of each other', async () => {
    const workspace = newWorkspace()
    const [one, two] = [admin({ workspace }), admin({ workspace, person: 'test:bob' })]
    await Promise.all([one.command('/tune lambda 0.3'), two.command('/tune window 7')])
    expect((await one.known()).tuning).toEqual({ lambda: 0.3, window: 7 })
  })

  test('settings are those of one workspace', async () => {
    await admin({ workspace: 'other' }).command('/tune lambda 0.3')
    expect((await admin().known()).tuning).toEqual({})
    expect(rowOf(await admin().command('/tune'), 'lambda')).toMatch(/^lambda \(λ\) {2}auto/)
  })

  test('help lists its forms', async () => {
    expect(await admin().command('/tune help')).toMatch(/^- `\/tune`: .*\n- `\/tune lambda`: /)
  })
})
