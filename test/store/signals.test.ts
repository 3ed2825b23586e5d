/** Signals are kept with the turn that said so, are read back beside ratings, and go with either turn. */

import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../src/store/database.ts'
import { loadSignalled } from '../../src/store/signals.ts'
import { useWalks } from '../walk.ts'

const { db, walk, walking } = useWalks()

const load = (as = 'ana', limit?: number) =>
  loadSignalled(
    db().database.queries,
    walk().workspace,
    `${walk().workspace}:${as}`,
    limit === undefined ? {} : { limit },
  )
const kept = async () =>
  (
    await rowsOf(
      db().database.queries,
      sql`SELECT kind FROM signals WHERE workspace_id = ${walk().workspace} ORDER BY signal_id`,
    )
  ).map((row) => String(row['kind']))

describe('signals', () => {
  test('come with the turn they judge, with ratings and the words of the correction, newest last', async () => {
    const { ask, rate, bot } = walking(() => 'A long answer.')
    await ask('What is a monad?')
    await ask('that was too long')
    await ask('and what is a functor?')
    await ask('thanks!')
    await ask('hello there')
    await rate('down')
    await bot.idle()
    const told = await load()
    expect(
      told.map(({ question, rating, signals }) => [question, rating, signals.map(({ kind, said }) => [kind, said])]),
    ).toEqual([
      ['What is a monad?', null, [['correction', 'that was too long']]],
      ['and what is a functor?', null, [['thanks', 'thanks!']]],
      ['hello there', 'down', []],
    ])
    expect(told[0]).toMatchObject({ reply: 'A long answer.', context: 'direct' })
    expect(await load('ana', 1)).toEqual(told.slice(-1))
  })

  test('are of the person alone, in the conversation alone', async () => {
    const { ask } = walking()
    await ask('What is a monad?', { as: 'ana', channel: 'general' })
    await ask('shorter', { as: 'ben', channel: 'general' })
    await ask('shorter', { as: 'ana' })
    expect(await kept()).toEqual([])
  })

  test('others’ votes are not theirs', async () => {
    const { ask, workspace } = walking()
    await ask('What is a monad?')
    await db().database.queries.execute(sql`INSERT INTO ratings (workspace_id, turn_id, person_id, rating, rated_at)
      SELECT workspace_id, turn_id, 'somebody else', 'up', now() FROM turns WHERE workspace_id = ${workspace}`)
    expect(await load()).toEqual([])
  })

  test('are not kept of somebody who paused', async () => {
    const { ask } = walking()
    await ask('What is a monad?')
    await ask('/persona pause')
    await ask('shorter')
    expect(await kept()).toEqual([])
  })

  test('go with the turn that said so, and with the one they judge', async () => {
    const { ask } = walking()
    await ask('What is a zebra?')
    await ask('shorter, by the okapi')
    await ask('What is a tapir?')
    await ask('that was too long')
    expect(await kept()).toEqual(['correction', 'correction'])
    await ask('/persona forget okapi yes')
    expect(await kept()).toHaveLength(1)
    await ask('/persona forget tapir yes')
    expect(await kept()).toEqual([])
  })

  test('from before a reset are not read back', async () => {
    const { ask } = walking()
    await ask('What is a monad?')
    await ask('shorter')
    expect(await load()).toHaveLength(1)
    await ask('/persona reset yes')
    expect(await load()).toEqual([])
  })

  test('of one kind are at most one to a turn', async () => {
    const { ask } = walking()
    await ask('How do I sort a list in Python?')
    await ask('hello there')
    await ask('How do I sort a list in Python?')
    expect(await kept()).toEqual(['asked-again'])
    const { queries } = db().database
    await expect(
      queries.execute(sql`INSERT INTO signals (workspace_id, person_id, turn_id, kind, said_in, said_at)
        SELECT workspace_id, person_id, turn_id, kind, said_in, said_at FROM signals WHERE workspace_id = ${walk().workspace}`),
    ).rejects.toThrow()
  })
})
