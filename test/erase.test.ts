/** What is left of a person after they had it forgotten: read out of every column of every table that the catalogue names. */

import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Queries, rowsOf } from '../src/store/database.ts'
import { KEPT } from '../src/store/erase.ts'
import { loadKnown } from '../src/store/people.ts'
import { eraseOld } from '../src/store/retention.ts'
import { gate } from './gate.ts'
import { useWalks, type Walk } from './walk.ts'

const { db, walk, walking } = useWalks()

/** The tables and columns in which something is written that holds the text, in either case. */
async function placesOf(queries: Queries, text: string): Promise<readonly string[]> {
  const columns = await rowsOf(
    queries,
    sql`SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  )
  const holding = columns.map(({ table_name: table, column_name: column }) => {
    const value = sql.identifier(String(column))
    return sql`SELECT ${`${table}.${column}`} AS place WHERE EXISTS (SELECT 1 FROM ${sql.identifier(String(table))}
      WHERE position(lower(${text}) IN lower(${value}::text)) > 0)`
  })
  const rows = await rowsOf(queries, sql.join(holding, sql` UNION ALL `))
  return rows.map(({ place }) => String(place))
}

const places = (text: string) => placesOf(db().database.queries, text)
const count = async (table: string, workspace: string) => {
  const [row] = await rowsOf(
    db().database.queries,
    sql`SELECT count(*) AS n FROM ${sql.identifier(table)} WHERE workspace_id = ${workspace}`,
  )
  return Number(row?.['n'])
}

/** The same name in another workspace. */
function elsewhere(here: string) {
  const workspace = `${here}-elsewhere`
  const author = { id: `${workspace}:ana`, name: 'ana', isAdmin: false }
  return { workspace, author, conversation: `${workspace}:direct:ana` }
}

/** A person who leaves traces in every table. */
async function live({ ask, rate, bot }: Walk, as: string) {
  await ask('remember that my quokka is called Zebulon', { as })
  await ask('from now on call me Xanthippe', { as, channel: 'general' })
  await ask('can you be more formal from now on', { as })
  await rate('up', { as })
  await bot.idle()
  await ask('/persona set tone warm', { as })
  await ask('what is my quokka called?', { as })
}

test('every table that names people is in the table of what is kept', async () => {
  walking()
  const named = await rowsOf(
    db().database.queries,
    sql`SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'person_id'`,
  )
  const kept = KEPT.map(({ table }) => table)
  for (const { table_name: table } of named) expect(kept).toContain(table)
})

describe('/persona forget all', () => {
  test('first says what would go, and then leaves neither the id nor a word of the person', async () => {
    const { ask, workspace } = walking(() => 'Noted, your quokka Zebulon is dear to you.')
    await live(walk(), 'wilhelmina')
    await live(walk(), 'ben')
    expect(await places('Zebulon')).toEqual(
      expect.arrayContaining(['profile_lines.text', 'turns.question', 'turns.reply']),
    )
    const asked = await ask('/persona forget all', { as: 'wilhelmina' })
    expect(asked.reply).toMatch(/^This would erase .*: 4 messages with their replies, 2 lines of what I know of you, /)
    expect(asked.reply).toContain('`/persona forget all yes`')
    expect((await places('wilhelmina')).length).toBeGreaterThan(8)
    const turnsOfBen = 4
    expect(await count('turns', workspace)).toBe(2 * turnsOfBen)

    expect((await ask('/persona forget all yes', { as: 'wilhelmina' })).reply).toMatch(/^Forgotten: 4 messages/)
    expect(await places('wilhelmina')).toEqual([])
    expect(await count('turns', workspace)).toBe(turnsOfBen)
    expect(await count('profile_lines', workspace)).toBe(2)

    expect((await ask('/persona forget all yes', { as: 'ben' })).reply).toMatch(/^Forgotten: /)
    for (const word of ['Zebulon', 'quokka', 'Xanthippe', `${workspace}:ben`, 'direct:ben']) {
      expect(await places(word), word).toEqual([])
    }
    expect((await ask('/persona forget all', { as: 'ben' })).reply).toBe('I keep nothing of you in this workspace.')
    expect((await ask('/persona forget all yes', { as: 'ben' })).reply).toBe('I keep nothing of you in this workspace.')
    expect(await places(`${workspace}:ben`)).toEqual([])
  })

  test('from a channel reaches the direct chat, and the same person elsewhere stays', async () => {
    const { ask, workspace } = walking(() => 'Noted.')
    await ask('remember that my ibex is called Ottokar', { as: 'ana' })
    await ask('remember that my ibex is called Ottokar', elsewhere(workspace))
    await ask('/persona forget all yes', { as: 'ana', channel: 'general' })
    expect(await places(`${workspace}:ana`)).toEqual([])
    expect(await places(`${workspace}:direct:ana`)).toEqual([])
    expect(await count('profile_lines', elsewhere(workspace).workspace)).toBe(1)
    await ask('/persona forget all yes', elsewhere(workspace))
    expect(await places('Ottokar')).toEqual([])
  })

  test('while a turn of theirs is under way has that turn store nothing', async () => {
    const [thinking, asked] = [gate(), gate()]
    const { ask, say, bot, posted, workspace } = walking(async (messages) => {
      if (!JSON.stringify(messages.at(-1)).includes('narwhal')) return 'Noted.'
      asked.open()
      await thinking.opened
      return 'A narwhal, I see.'
    })
    await ask('I have a yellow submarine', { as: 'ana', channel: 'general' })
    await say('remember that my narwhal is called Balduin', { as: 'ana' })
    await asked.opened
    await say('/persona forget all yes', { as: 'ana', channel: 'general' })
    while (posted.length < 2) await new Promise(setImmediate)
    thinking.open()
    await bot.idle()
    expect(posted.at(-1)?.reply.text).toBe('A narwhal, I see.')
    for (const word of ['narwhal', 'Balduin', 'submarine', `${workspace}:ana`, `${workspace}:direct:ana`]) {
      expect(await places(word), word).toEqual([])
    }
    expect((await ask('hello again', { as: 'ana' })).reply).toBe('Noted.')
    await ask('/persona forget all yes', { as: 'ana' })
  })
})

describe('/persona forget <words>', () => {
  test('leaves those words nowhere, and everything else', async () => {
    const { ask, workspace } = walking((messages) => {
      const last = messages.at(-1)?.content ?? ''
      return last.includes('what is my salary') ? 'You earn 98765 drachmas.' : 'Noted.'
    })
    await ask('my salary is 98765 drachmas')
    await ask('remember that my aardvark sleeps on drachmas')
    await ask('remember that my hat is green')
    await ask('what did I tell you of my salary and my aardvark?')
    await ask('what is my salary?')
    await db().database.queries.execute(sql`UPDATE turns SET recalled = '[{"at": "2026-03-01T12:00:00.000Z", "text": "my salary is 98765 drachmas"},
      {"at": "2026-03-01T12:00:00.000Z", "text": "remember that my hat is green"}]'
      WHERE workspace_id = ${workspace} AND question LIKE 'what did I tell%'`)

    const shown = await ask('/persona forget DRACHMAS')
    expect(shown.reply).toMatch(
      /^This would erase 3 messages and 1 line of what I know of you and 1 quotation that mention/,
    )
    expect(shown.reply).toContain('My aardvark sleeps on drachmas')
    expect((await places('drachmas')).length).toBeGreaterThan(0)
    const done = await ask('/persona forget drachmas yes')
    expect(done.reply).toMatch(/^Forgotten: 3 messages and 1 line/)
    expect(await places('drachmas')).toEqual([])
    expect(await places('98765')).toEqual([])
    expect(await places('my hat is green')).toEqual([
      'profile_lines.text',
      'turns.actions',
      'turns.question',
      'turns.recalled',
    ])
    expect((await ask('/persona memory')).reply).toContain('My hat is green')
    expect((await ask('/persona forget drachmas')).reply).toMatch(/^Nothing that I keep of you mentions `drachmas`/)
    expect((await ask('/persona forget drachmas yes')).reply).toMatch(/^Nothing that I keep of you mentions/)
  })

  test('takes back what the messages taught', async () => {
    const { ask } = walking(() => 'Fine.')
    await ask('please explain how a heap works, in the plain words that you would use with friends')
    const before = (await ask('/persona')).estimate
    await ask('can you be more formal from now on, says the capybara')
    expect((await ask('/persona')).estimate).not.toEqual(before)
    await ask('/persona forget capybara yes')
    expect((await ask('/persona')).estimate).toEqual(before)
  })

  test('does not touch what others said', async () => {
    const { ask, workspace } = walking(() => 'Noted.')
    await ask('remember that my axolotl is pink', { as: 'ana', channel: 'general' })
    await ask('remember that my axolotl is grey', { as: 'ben', channel: 'general' })
    await ask('/persona forget axolotl yes', { as: 'ben', channel: 'general' })
    expect(await count('turns', workspace)).toBe(1)
    expect((await ask('/persona memory', { as: 'ana' })).reply).toContain('My axolotl is pink')
  })

  test('while a turn is under way that was told them has that turn store nothing', async () => {
    const [thinking, asked] = [gate(), gate()]
    let isHeld = false
    const { ask, say, bot, posted, workspace } = walking(async () => {
      if (!isHeld) return 'Noted.'
      asked.open()
      await thinking.opened
      return 'It is about the okapi.'
    })
    await ask('my okapi has a cold', { as: 'ana', channel: 'general' })
    isHeld = true
    await say('and what helps?', { as: 'ana', channel: 'general' })
    await asked.opened
    isHeld = false
    await say('/persona forget okapi yes', { as: 'ana' })
    while (posted.length < 2) await new Promise(setImmediate)
    thinking.open()
    await bot.idle()
    expect(posted.at(-1)?.reply.text).toBe('It is about the okapi.')
    expect(await places('okapi')).toEqual([])
    expect(await count('turns', workspace)).toBe(0)
    await ask('still there?', { as: 'ana', channel: 'general' })
    expect(await count('turns', workspace)).toBe(1)
  })
})

describe('retention', () => {
  test('erases older turns with their copies, and only where it is set', async () => {
    const { ask, workspace } = walking(() => 'Noted.')
    const place = { workspace, context: 'direct', conversation: 'c', author: { id: 'a', name: 'a', isAdmin: true } }
    const old = new Date('2025-01-01T12:00:00Z')
    await ask('remember that my wombat is called Isidor', { sentAt: old })
    await ask('what is my wombat called?')
    await ask('remember that my tapir is old', { ...elsewhere(workspace), sentAt: old })
    const now = new Date('2026-03-02T12:00:00Z')
    const { queries } = db().database
    const keeps = async () => ({ workspace, retention: (await loadKnown(queries, place, 0)).tuning.retention })
    expect(await eraseOld(queries, await keeps(), now)).toBe(0)
    await ask('/tune retention 180d', { author: { id: `${workspace}:boss`, name: 'boss', isAdmin: true } })
    expect(await eraseOld(queries, await keeps(), now)).toBe(1)
    expect(await places('Isidor')).toEqual([])
    expect(await count('turns', workspace)).toBe(1)
    expect(await count('turns', elsewhere(workspace).workspace)).toBe(1)
  })
})
