/** Messages that are changed or deleted: while they wait, while they are answered, afterwards, and before they arrive. */

import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../src/store/database.ts'
import { openOutbox } from '../src/store/outbox.ts'
import { gate } from './gate.ts'
import { useWalks } from './walk.ts'

const { db, walking } = useWalks()
const query = (statement: SQL) => rowsOf(db().database.queries, statement)
const later = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 12, minutes))

/** A model whose first answer waits, and stops when it is told to. */
function hesitating(rest: string) {
  const asked = gate()
  const go = gate()
  let calls = 0
  const script = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    if (calls++ > 0) return rest
    asked.open()
    await Promise.race([
      go.opened,
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ])
    return 'First.'
  }
  return { asked: asked.opened, go: go.open, script }
}

describe('a changed message', () => {
  test('that waits is answered in its new words', async () => {
    const { asked, go, script } = hesitating('Second.')
    const { say, edit, bot, prompts, workspace } = walking(script)
    await say('one')
    await asked
    await say('two', { id: 'test:two' })
    expect(await edit('test:two', 'three')).toBe(true)
    go()
    await bot.idle()
    expect(prompts.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'three'])
    const turns = await query(sql`SELECT question FROM turns WHERE workspace_id = ${workspace} ORDER BY turn_id`)
    expect(turns).toEqual([{ question: 'one' }, { question: 'three' }])
  })

  test('that is being answered is answered once, in its new words, without counting as a failure', async () => {
    const { asked, script } = hesitating('To the new words.')
    const { say, edit, bot, prompts, posted, logged, workspace } = walking(script)
    await say('old words', { id: `test:running` })
    await asked
    await edit('test:running', 'new words')
    await bot.idle()
    expect(posted.map(({ reply }) => reply.text)).toEqual(['To the new words.'])
    expect(prompts.at(-1)?.at(-1)?.content).toBe('new words')
    expect(logged.filter((line) => JSON.stringify(line).includes('failures'))).toEqual([])
    const turns = await query(sql`SELECT question FROM turns WHERE workspace_id = ${workspace}`)
    expect(turns).toEqual([{ question: 'new words' }])
  })

  test('after its answer was posted and before it is stored has that post changed', async () => {
    const walk = walking((messages) => `To: ${messages.at(-1)?.content}`)
    const { say, edit, bot, posted, workspace } = walk
    walk.afterPost = () => edit('test:late', 'new words')
    await say('old words', { id: 'test:late' })
    await bot.idle()
    expect(posted).toMatchObject([
      { reply: { text: 'To: old words' }, before: [] },
      { reply: { text: 'To: new words' }, before: [{ part: 0, id: 'post:test:late' }] },
    ])
    const turns = await query(sql`SELECT question, reply FROM turns WHERE workspace_id = ${workspace}`)
    expect(turns).toEqual([{ question: 'new words', reply: 'To: new words' }])
    expect(await query(sql`SELECT 1 FROM posts WHERE workspace_id = ${workspace}`)).toEqual([])
  })

  test('that was answered corrects what was stored, and is not answered again', async () => {
    const { say, edit, bot, ask, posted, workspace } = walking()
    await say('I have a tortoise called Quimby', { id: 'test:stored' })
    await bot.idle()
    await query(sql`UPDATE turns SET embedder = 'none' WHERE workspace_id = ${workspace}`)
    await ask('what is my tortoise called?')
    expect(await edit('test:stored', 'On 3 May 2025 I got a tortoise called Zebulon')).toBe(true)
    await bot.idle()
    expect(posted).toHaveLength(2)
    const [turn, asked] = await query(sql`SELECT question, lengths, embedder, happened_from, recalled FROM turns
      WHERE workspace_id = ${workspace} ORDER BY turn_id`)
    expect(turn).toMatchObject({
      question: 'On 3 May 2025 I got a tortoise called Zebulon',
      lengths: [45],
      embedder: null,
    })
    expect(turn?.['happened_from']).not.toBeNull()
    expect(JSON.stringify(asked)).not.toContain('Quimby')
  })

  test('of two that were answered together corrects its own part', async () => {
    const { asked, go, script } = hesitating('Second.')
    const { say, edit, bot, workspace } = walking(script)
    await say('one')
    await asked
    await say('two\nlines', { id: 'test:a' })
    await say('three', { id: 'test:b' })
    go()
    await bot.idle()
    await edit('test:b', 'four')
    await edit('test:a', '2')
    const [, turn] = await query(sql`SELECT question FROM turns WHERE workspace_id = ${workspace} ORDER BY turn_id`)
    expect(turn).toEqual({ question: '2\nfour' })
  })

  test('teaches what its new words say, as if they had been said then', async () => {
    const says = (walk: ReturnType<typeof walking>) => async (texts: readonly string[]) => {
      for (const [place, text] of texts.entries()) await walk.ask(text, { id: `${walk.workspace}:said:${place}` })
    }
    const texts = ['hey guys lol', 'keep it brief from now on please', 'thank you kindly, that is most gracious of you']
    const edited = walking()
    await says(edited)(texts)
    await edited.edit(`${edited.workspace}:said:1`, 'can you be more formal from now on')
    const estimate = (await edited.ask('/persona')).estimate
    await edited.stop()
    const plain = walking()
    await says(plain)([texts[0]!, 'can you be more formal from now on', texts[2]!])
    expect(estimate).toEqual((await plain.ask('/persona')).estimate)
    expect(estimate['formality']?.label).toBe('formal')
  })

  test('says of the reply before it what its new words say', async () => {
    const { say, edit, bot, ask, workspace } = walking()
    await ask('What is a heap?')
    await say('thanks, that helped a lot!', { id: 'test:thanks' })
    await bot.idle()
    const signals = () => query(sql`SELECT kind FROM signals WHERE workspace_id = ${workspace}`)
    expect(await signals()).toEqual([{ kind: 'thanks' }])
    await edit('test:thanks', "no, that's not what I asked")
    expect(await signals()).toEqual([{ kind: 'correction' }])
  })

  test('keeps of the profile what its new words bear out', async () => {
    const { say, edit, bot, workspace } = walking()
    await say('remember that my quokka is called Zebulon', { id: 'test:line' })
    await bot.idle()
    const lines = () => query(sql`SELECT text FROM profile_lines WHERE workspace_id = ${workspace}`)
    expect(await lines()).toEqual([{ text: 'My quokka is called Zebulon' }])
    await edit('test:line', 'Remember that my quokka is called Zebulon!')
    expect(await lines()).toEqual([{ text: 'My quokka is called Zebulon' }])
    await edit('test:line', 'remember that my quokka is called Wendell', { sentAt: later(2) })
    expect(await lines()).toEqual([{ text: 'My quokka is called Wendell' }])
  })

  test('is changed to what was written last, whichever edit comes last, and each counts once', async () => {
    const { say, edit, bot, workspace } = walking()
    await say('first', { id: 'test:order' })
    await bot.idle()
    const newest = { sentAt: later(9), id: 'test:edit:9' }
    expect(await edit('test:order', 'third', newest)).toBe(true)
    expect(await edit('test:order', 'third', newest)).toBe(false)
    expect(await edit('test:order', 'second', { sentAt: later(5) })).toBe(true)
    expect(await edit('test:nobody', 'never heard of')).toBe(true)
    const turns = await query(sql`SELECT question FROM turns WHERE workspace_id = ${workspace}`)
    expect(turns).toEqual([{ question: 'third' }])
  })
})

describe('a deleted message', () => {
  test('that waits is not answered, and nothing of it stays', async () => {
    const { asked, go, script } = hesitating('Second.')
    const { say, remove, bot, posted } = walking(script)
    await say('one')
    await asked
    await say('Zebulon', { id: 'test:waits' })
    expect(await remove('test:waits')).toBe(true)
    go()
    await bot.idle()
    expect(posted.map(({ reply }) => reply.text)).toEqual(['First.'])
    expect(await say('Zebulon', { id: 'test:waits' })).toBe(false)
    expect(await query(sql`SELECT 1 FROM jobs WHERE payload IS NOT NULL`)).toEqual([])
  })

  test('that is being answered has its answer stopped; what waits behind it is answered', async () => {
    const { asked, script } = hesitating('Second.')
    const { say, remove, bot, posted, removed, workspace } = walking(script)
    await say('one', { id: 'test:gone' })
    await asked
    const outbox = await openOutbox(db().database.queries, workspace, 'test:gone')
    await outbox.begin(0)
    await outbox.posted(0, 'post:half')
    await say('two')
    await remove('test:gone')
    await bot.idle()
    expect(posted.map(({ reply }) => reply.text)).toEqual(['Second.'])
    expect(removed).toEqual(['post:half'])
    const turns = await query(sql`SELECT question FROM turns WHERE workspace_id = ${workspace}`)
    expect(turns).toEqual([{ question: 'two' }])
    expect(await query(sql`SELECT 1 FROM lanes WHERE holder IS NOT NULL OR due_at < 'infinity'`)).toEqual([])
  })

  test('that was answered is forgotten with what it taught; its reply stays, or goes where that is set', async () => {
    const { say, remove, bot, ask, removed, workspace } = walking()
    const before = (await ask('/persona')).estimate
    await say('remember that my quokka is called Zebulon, and be more formal from now on', { id: 'test:said' })
    await bot.idle()
    await remove('test:said', 'test:never-seen')
    expect(removed).toEqual([])
    for (const table of ['turns', 'profile_lines', 'observations']) {
      const rows = await query(sql`SELECT 1 FROM ${sql.identifier(table)} WHERE workspace_id = ${workspace}`)
      expect(rows, table).toEqual([])
    }
    expect((await ask('/persona')).estimate).toEqual(before)
    expect(await say('again', { id: 'test:said' })).toBe(false)
    await ask('/tune deletes remove', { author: { id: `${workspace}:root`, name: 'root', isAdmin: true } })
    await say('hello', { id: 'test:hello' })
    await bot.idle()
    await remove('test:hello')
    expect(removed).toEqual(['post:test:hello'])
  })

  test('after its reply was posted and before it is stored takes the reply with it', async () => {
    const walk = walking()
    const { say, remove, bot, removed, workspace } = walk
    walk.afterPost = () => remove('test:posted')
    await say('Zebulon', { id: 'test:posted' })
    await bot.idle()
    expect(removed).toEqual(['post:test:posted'])
    expect(await query(sql`SELECT 1 FROM turns WHERE workspace_id = ${workspace}`)).toEqual([])
    expect(await query(sql`SELECT 1 FROM lanes WHERE holder IS NOT NULL OR due_at < 'infinity'`)).toEqual([])
  })

  test('before it arrives is not answered when it does', async () => {
    const { say, remove, bot, posted } = walking()
    await remove('test:early')
    expect(await say('hello', { id: 'test:early' })).toBe(false)
    await bot.idle()
    expect(posted).toEqual([])
  })

  test('is deleted once', async () => {
    const { bot, workspace } = walking()
    const removal = { id: 'test:removal', workspace, messages: ['test:x'] }
    expect(await bot.remove(removal)).toBe(true)
    expect(await bot.remove(removal)).toBe(false)
  })
})

describe('an outbox', () => {
  test('knows what was posted until the turn is stored, and what may have been', async () => {
    const { asked, go, script } = hesitating('')
    const { say, bot, posted, workspace } = walking(script)
    await say('one', { id: 'test:outbox' })
    await asked
    const open = () => openOutbox(db().database.queries, workspace, 'test:outbox')
    const outbox = await open()
    await outbox.begin(0)
    await outbox.posted(0, 'post:0')
    await outbox.begin(1)
    await outbox.begin(0)
    expect((await open()).posts).toEqual([
      { part: 0, id: 'post:0' },
      { part: 1, id: null },
    ])
    go()
    await bot.idle()
    expect(posted).toHaveLength(1)
    expect((await open()).posts).toEqual([])
    await outbox.posted(0, 'post:late')
    expect((await open()).posts).toEqual([])
  })

  test('has the next try go on where one ended', async () => {
    const { asked, script } = hesitating('Whole.')
    const { say, start, stop, bot, posted, workspace } = walking(script)
    await say('one', { id: 'test:again' })
    await asked
    const outbox = await openOutbox(db().database.queries, workspace, 'test:again')
    await outbox.begin(0)
    await outbox.posted(0, 'post:of-the-first-try')
    await stop()
    start()
    await bot.idle()
    expect(posted).toMatchObject([{ before: [{ part: 0, id: 'post:of-the-first-try' }] }])
    const [turn] = await query(sql`SELECT post_ids FROM turns WHERE workspace_id = ${workspace}`)
    expect(turn).toEqual({ post_ids: ['post:of-the-first-try'] })
  })

  test('of a command is posted once more after a crash, and its effects stay single', async () => {
    const walk = walking()
    const { say, start, stop, bot, posted, workspace } = walk
    await stop()
    await say('/persona set tone warm', { id: 'test:command' })
    await query(sql`UPDATE jobs SET payload = payload || '{"reply": "Set."}' WHERE message_id = 'test:command'`)
    start()
    await bot.idle()
    expect(posted.map(({ reply }) => reply.text)).toEqual(['Set.'])
    expect(await query(sql`SELECT 1 FROM people WHERE workspace_id = ${workspace}`)).toEqual([])
  })
})

describe('who takes part', () => {
  test('is whoever was answered there, or waits for it', async () => {
    const { asked, go, script } = hesitating('Second.')
    const { say, bot, workspace } = walking(script)
    const takesPart = (as: string, channel = 'general') =>
      bot.takesPart(workspace, `${workspace}:${channel}`, `${workspace}:${as}`)
    expect(await takesPart('ana')).toBe(false)
    await say('one', { channel: 'general' })
    await asked
    expect(await takesPart('ana')).toBe(true)
    go()
    await bot.idle()
    expect(await takesPart('ana')).toBe(true)
    expect(await takesPart('ben')).toBe(false)
    expect(await takesPart('ana', 'elsewhere')).toBe(false)
    expect(await bot.takesPart('test:other', `${workspace}:general`, `${workspace}:ana`)).toBe(false)
  })
})
