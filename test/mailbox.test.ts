import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Claim, ClaimLost, createMailbox, finishClaim, holdClaim, type Letter } from '../src/mailbox.ts'
import { type Database, rowsOf } from '../src/store/database.ts'
import { newDatabase } from './database.ts'

const ME = 'attune:one'
const OTHER = 'attune:two'

let place: Awaited<ReturnType<typeof newDatabase>>
let database: Database
let workspace = ''
let platform = ''
let count = 0

beforeAll(async () => {
  place = await newDatabase()
  database = await place.open(ME)
})
beforeEach(() => {
  count++
  workspace = `W${count}`
  platform = `test${count}`
})
afterAll(async () => {
  await database.close()
  await place.remove()
})

const mailbox = (me = ME) => createMailbox(database, me)
const query = (statement: SQL) => rowsOf(database.queries, statement)
const claimAll = (me = ME, most = 10) => mailbox(me).claim([platform], most)

function letter(id: string, conversation = 'c1', text = `words of ${id}`): Letter {
  return {
    kind: 'message',
    message: {
      id: `${platform}:${id}`,
      workspace,
      conversation,
      context: 'direct',
      author: { id: `${platform}:ana`, name: 'Ana', isAdmin: false },
      text,
      sentAt: new Date('2026-03-01T12:00:00.123Z'),
      destination: { thread: id, deep: [1, { quote: `it's "so" \\ and 日本 🙂` }] },
    },
  }
}

async function claimOne(me = ME): Promise<Claim> {
  const [claim, ...more] = await claimAll(me)
  expect(more).toEqual([])
  if (claim === undefined) throw new Error('Nothing was claimed')
  return claim
}

/** As a process does whose answer is ready. */
function finish(claim: Claim, me = ME, letters = claim.letters, state: 'done' | 'dead' = 'done'): Promise<void> {
  return database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, me, claim)
    await finishClaim(
      transaction,
      claim,
      letters.map(({ jobId }) => jobId),
      state,
    )
  })
}

const idsOf = (claim: Claim) => claim.letters.map(({ message }) => message.id.slice(platform.length + 1))
const lane = async () => (await query(sql`SELECT * FROM lanes WHERE workspace_id = ${workspace}`))[0]

describe('a letter', () => {
  test('comes out as it went in', async () => {
    const sent = letter('1', 'c1', `it's "so" \\ {{x}} $1 日本 🙂`)
    expect(await mailbox().accept(sent, null)).toBe(true)
    const rating: Letter = { kind: 'rating', message: { ...letter('2').message, rating: 'up', post: 'post:7' } }
    await mailbox().accept(rating, null)
    const { letters } = await claimOne()
    expect(letters.map(({ jobId: _, home: __, ...rest }) => rest)).toEqual([sent, rating])
  })

  test('is refused a second time: while it waits, while it is answered, when it is done or dead', async () => {
    const again = () => mailbox(OTHER).accept(letter('1', 'elsewhere', 'other words'), null)
    await mailbox().accept(letter('1'), null)
    expect(await again()).toBe(false)
    const claim = await claimOne()
    expect(await again()).toBe(false)
    await finish(claim)
    expect(await again()).toBe(false)
    expect(await mailbox().isEmpty([platform])).toBe(true)
    await mailbox().accept(letter('2'), null)
    await finish(await claimOne(), ME, undefined, 'dead')
    expect(await mailbox().accept(letter('2'), null)).toBe(false)
    expect(await claimAll()).toEqual([])
  })

  test('delivered many times at once is accepted once', async () => {
    const accepted = await Promise.all(Array.from({ length: 8 }, () => mailbox().accept(letter('1'), null)))
    expect(accepted.filter(Boolean)).toHaveLength(1)
    expect((await claimOne()).letters).toHaveLength(1)
  })

  test('with the same id in another workspace is another letter', async () => {
    await mailbox().accept(letter('1'), null)
    workspace = `${workspace}b`
    expect(await mailbox().accept(letter('1'), null)).toBe(true)
    expect(await claimAll()).toHaveLength(2)
  })

  test('leaves no words behind when it is finished', async () => {
    await mailbox().accept(letter('1'), null)
    await mailbox().accept(letter('2'), null)
    const claim = await claimOne()
    await finish(claim, ME, claim.letters.slice(0, 1))
    const jobs = await query(
      sql`SELECT payload::text, state FROM jobs WHERE workspace_id = ${workspace} ORDER BY job_id`,
    )
    expect(jobs).toMatchObject([{ payload: null, state: 'done' }, { state: 'ready' }])
    expect(String(jobs[1]?.['payload'])).toContain('words of 2')
  })
})

describe('a conversation', () => {
  test('has its letters in the order in which they came, and others have theirs', async () => {
    for (const id of ['1', '2', '3']) {
      await mailbox().accept(letter(`a${id}`, 'a'), null)
      await mailbox().accept(letter(`b${id}`, 'b'), null)
    }
    const claims = (await claimAll()).toSorted((one, two) => one.conversation.localeCompare(two.conversation))
    expect(claims.map(idsOf)).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2', 'b3'],
    ])
    expect(claims).toMatchObject([
      { workspace, conversation: 'a', epoch: 1, attempts: 1, failures: 0 },
      { workspace, conversation: 'b', epoch: 1, attempts: 1, failures: 0 },
    ])
  })

  test('with many letters is read a piece at a time and stays due until the last is finished', async () => {
    for (let i = 1; i <= 20; i++) await mailbox().accept(letter(String(i)), null)
    const first = await claimOne()
    expect(idsOf(first)).toEqual(Array.from({ length: 16 }, (_, i) => String(i + 1)))
    await finish(first)
    const second = await claimOne()
    expect(idsOf(second)).toEqual(['17', '18', '19', '20'])
    await finish(second)
    expect(await claimAll()).toEqual([])
  })

  test('is held by one process at a time', async () => {
    await mailbox().accept(letter('1'), null)
    const claim = await claimOne()
    expect(await claimAll(OTHER)).toEqual([])
    expect(await claimAll()).toEqual([])
    await finish(claim)
    expect(await claimAll(OTHER)).toEqual([])
  })

  test('goes to one of many who claim at once, and none is left out', async () => {
    const conversations = Array.from({ length: 12 }, (_, i) => `c${i}`)
    for (const name of conversations) await mailbox().accept(letter(name, name), null)
    const claims = (await Promise.all(Array.from({ length: 6 }, (_, i) => claimAll(`attune:p${i}`, 2)))).flat()
    // Who comes second may pass over what the first one is about to take.
    const rest = await claimAll('attune:last', 100)
    expect([...claims, ...rest].map(({ conversation }) => conversation).toSorted()).toEqual(conversations.toSorted())
  })

  test('is not claimed beyond the number asked for, nor for other platforms', async () => {
    for (const name of ['a', 'b', 'c']) await mailbox().accept(letter(name, name), null)
    expect(await mailbox().claim(['elsewhere'], 10)).toEqual([])
    expect(await claimAll(ME, 2)).toHaveLength(2)
    expect(await claimAll(ME, 2)).toHaveLength(1)
  })

  test('that gets a letter while it is held is due again as soon as it is finished', async () => {
    await mailbox().accept(letter('1'), null)
    const claim = await claimOne()
    await mailbox(OTHER).accept(letter('2'), null)
    expect(await claimAll(OTHER)).toEqual([])
    await finish(claim)
    expect(idsOf(await claimOne(OTHER))).toEqual(['2'])
  })
})

describe('given back', () => {
  test('a conversation is as it was: due, with its letters and attempts', async () => {
    await mailbox().accept(letter('1'), null)
    for (let time = 1; time <= 3; time++) {
      const claim = await claimOne()
      expect(claim).toMatchObject({ attempts: 1, failures: 0, epoch: time })
      expect(idsOf(claim)).toEqual(['1'])
      await mailbox().giveBack(claim)
    }
  })

  test('after a failure it waits for its time and counts the failure', async () => {
    await mailbox().accept(letter('1'), null)
    await mailbox().putOff(await claimOne(), 3_600_000)
    expect(await claimAll()).toEqual([])
    expect(await mailbox().isEmpty([platform])).toBe(false)
    const [waits] = await query(
      sql`SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM lanes WHERE workspace_id = ${workspace}`,
    )
    expect(Number(waits?.['seconds'])).toBeGreaterThan(3000)
    await query(sql`UPDATE lanes SET due_at = now() WHERE workspace_id = ${workspace}`)
    const claim = await claimOne()
    expect(claim).toMatchObject({ attempts: 2, failures: 1 })
    await finish(claim)
    expect(await lane()).toMatchObject({ attempts: 0, failures: 0, holder: null })
  })

  test('by who lost it meanwhile, nothing changes', async () => {
    await mailbox().accept(letter('1'), null)
    const lost = await claimOne()
    await mailbox().giveBack(lost)
    const held = await claimOne(OTHER)
    await mailbox().giveBack(lost)
    await mailbox().putOff(lost, 0)
    expect(await lane()).toMatchObject({ holder: OTHER, attempts: 1, failures: 0 })
    await finish(held, OTHER)
  })
})

describe('a claim is lost', () => {
  test('when somebody else holds the conversation: nothing of it is stored', async () => {
    await mailbox().accept(letter('1'), null)
    const lost = await claimOne()
    await mailbox().giveBack(lost)
    await expect(finish(lost)).rejects.toThrow(ClaimLost)
    const held = await claimOne(OTHER)
    await expect(finish(lost)).rejects.toThrow('c1 was taken over')
    await finish(held, OTHER)
    expect(await mailbox().isEmpty([platform])).toBe(true)
  })

  test('when the same process has claimed it anew', async () => {
    await mailbox().accept(letter('1'), null)
    const first = await claimOne()
    await mailbox().giveBack(first)
    const second = await claimOne()
    expect(second.epoch).toBeGreaterThan(first.epoch)
    await expect(finish(first)).rejects.toThrow(ClaimLost)
    await finish(second)
  })
})

describe('a sweep', () => {
  test('frees what a dead process holds, with its attempt counted, and nothing that a live one holds', async () => {
    await mailbox().accept(letter('1', 'mine'), null)
    const mine = await claimOne()
    await mailbox().accept(letter('2', 'orphan'), null)
    const orphan = await claimOne('attune:dead')
    await mailbox(OTHER).sweep([])
    const [freed, ...more] = await claimAll(OTHER)
    expect(more).toEqual([])
    expect(freed).toMatchObject({ conversation: 'orphan', attempts: 2, epoch: 2 })
    await expect(finish(orphan, 'attune:dead')).rejects.toThrow(ClaimLost)
    await finish(mine)
  })

  test('frees what its own process holds without being at work on it', async () => {
    await mailbox().accept(letter('1', 'busy'), null)
    const busy = await claimOne()
    await mailbox().accept(letter('2', 'left'), null)
    await claimOne()
    await mailbox().sweep([busy])
    expect(await claimOne()).toMatchObject({ conversation: 'left', attempts: 2 })
    await finish(busy)
  })

  test('takes away the home of a dead process, and of no live one', async () => {
    await mailbox().accept(letter('1', 'a'), 'attune:dead')
    await mailbox().accept(letter('2', 'b'), ME)
    expect(await claimAll(OTHER)).toEqual([])
    expect(await mailbox(OTHER).isEmpty([platform])).toBe(true)
    await mailbox(OTHER).sweep([])
    expect((await claimOne(OTHER)).conversation).toBe('a')
    expect((await claimOne()).conversation).toBe('b')
  })

  // An embedded database has one process, so nobody else can live on it.
  test.skipIf(!process.env['DATABASE_URL'])('on a server knows the other processes that live', async () => {
    const second = await place.open(OTHER)
    await second.listen('attune_mail', () => {})
    await mailbox().accept(letter('1'), null)
    const claim = await claimOne(OTHER)
    await mailbox().sweep([])
    expect(await claimAll()).toEqual([])
    await second.close()
    // Its last connections may end a moment after it.
    while ((await database.alive()).includes(OTHER)) await new Promise(setImmediate)
    await mailbox().sweep([])
    expect(await claimOne()).toMatchObject({ attempts: 2 })
    await expect(finish(claim, OTHER)).rejects.toThrow(ClaimLost)
  })
})

describe('a home', () => {
  test('lets only its process answer', async () => {
    await mailbox().accept(letter('1'), ME)
    expect(await claimAll(OTHER)).toEqual([])
    expect(idsOf(await claimOne())).toEqual(['1'])
  })

  test('is each letter’s own: what two processes write into one conversation is answered where it came from', async () => {
    await mailbox().accept(letter('1'), ME)
    await mailbox(OTHER).accept(letter('2'), OTHER)
    expect(await claimAll(OTHER)).toEqual([])
    const claim = await claimOne()
    await finish(claim, ME, claim.letters.slice(0, 1))
    expect(await claimAll()).toEqual([])
    expect(await mailbox().isEmpty([platform])).toBe(true)
    expect(await mailbox(OTHER).isEmpty([platform])).toBe(false)
    expect(idsOf(await claimOne(OTHER))).toEqual(['2'])
  })
})

test('a mailbox is empty when nothing waits and nothing is being answered', async () => {
  const isEmpty = () => mailbox().isEmpty([platform])
  expect(await isEmpty()).toBe(true)
  await mailbox().accept(letter('1'), null)
  expect(await isEmpty()).toBe(false)
  expect(await mailbox().isEmpty(['elsewhere'])).toBe(true)
  expect(await mailbox().isEmpty([])).toBe(true)
  const claim = await claimOne()
  expect(await isEmpty()).toBe(false)
  await finish(claim)
  expect(await isEmpty()).toBe(true)
})

test('a listener hears of each letter', async () => {
  if (!process.env['DATABASE_URL']) return expect(await database.listen('attune_mail', () => {})).toBeUndefined()
  const heard = new Promise<void>((resolve) => {
    let calls = 0
    // The first call says that listening has begun.
    void database
      .listen('attune_mail', () => ++calls === 2 && resolve())
      .then(() => mailbox().accept(letter('1'), null))
  })
  await heard
})
