import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../src/store/database.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { newDatabase } from './database.ts'
import { type FakeOllama, startOllama } from './fakes/ollama.ts'
import { type Program, startProgram } from './process.ts'

let place: Awaited<ReturnType<typeof newDatabase>>
let ollama: FakeOllama | undefined
const programs: Program[] = []
beforeAll(async () => {
  place = await newDatabase()
  await (await place.open('attune:first')).close()
})
afterEach(async () => {
  for (const { child, exited } of programs.splice(0)) {
    child.kill('SIGKILL')
    await exited
  }
  await ollama?.close()
  ollama = undefined
})
afterAll(() => place.remove())

type Script = Parameters<typeof startOllama>[0]

/** A workspace of its own, so that runs don't meet. */
let runs = 0
async function start(script: Script, args: readonly string[] = ['--json'], env: Record<string, string> = {}) {
  ollama = await startOllama(script)
  return run(ollama.host.href, args, env)
}

function run(
  host: string,
  args: readonly string[],
  env: Record<string, string> = {},
  workspace = `w${++runs}`,
): Program {
  const program = startProgram([...args, '--workspace', workspace], {
    ...place.env,
    OLLAMA_HOST: host,
    OLLAMA_MODEL: 'test',
    ...env,
  })
  programs.push(program)
  return program
}

const NOBODY = 'http://127.0.0.1:9'
const MODELS = process.env['MODELS_DIR'] || '../shared/models'
const hasModel = existsSync(join(MODELS, 'Xenova/all-MiniLM-L6-v2'))

/** Resolves when the words are on standard error. */
async function heard(program: Program, words: string): Promise<void> {
  let isOver = false
  void program.exited.then(() => (isOver = true))
  while (!program.stderr().includes(words)) {
    if (isOver) throw new Error(`Expected "${words}", but the program ended: ${program.stderr().slice(-2000)}`)
    await setTimeout(5)
  }
}

describe('lines', () => {
  test('each line is a message, standard output holds the replies and nothing else', async () => {
    let count = 0
    const program = await start({ reply: () => `Reply ${++count}.` }, [])
    program.say('hello')
    program.say('')
    program.say('how are you?')
    expect(await program.end()).toBe(0)
    expect(program.lines).toEqual(['Reply 1.', 'Reply 2.'])
    expect(program.stderr()).not.toContain('how are you')
  })
})

describe('--json', () => {
  test('yields one line a turn, command, rating and fault', async () => {
    const program = await start({ reply: () => ['Hel', 'lo.'] })
    program.say({ text: 'hello there, how are you today?', as: 'ana', id: 'x1', at: '2026-03-01T09:00:00Z' })
    const turn = await program.record()
    expect(Object.keys(turn)).toEqual([
      'ids',
      'as',
      'channel',
      'reply',
      'directive',
      'observed',
      'estimate',
      'events',
      'recalled',
      'actions',
      'model',
      'ms',
    ])
    expect(turn).toMatchObject({ ids: ['x1'], as: 'ana', channel: 'direct', reply: 'Hello.', model: true, events: [] })
    program.say({ text: '+', as: 'ana' })
    expect(await program.record()).toEqual({ ids: [2], as: 'ana', rated: 'up' })
    program.say('{"text": ')
    expect(await program.record()).toMatchObject({ ids: [3], error: expect.stringMatching(/^Expected /) })
    program.say({ text: '/tune lambda 2', as: 'ana' })
    expect((await program.record())['reply']).toBe(
      'Expected `lambda` to be a number from 0 to 1, `auto` or `dynamic`, got `2`',
    )
    program.say({ text: '/tune lambda 0.2', as: 'ana', admin: false })
    expect((await program.record())['reply']).toMatch(/admin/)
    program.say({ text: 'hello there, how are you today?', as: 'ana', id: 'x1' })
    program.say({ text: 'and now?', as: 'ana' })
    expect(await program.record()).toMatchObject({ ids: [7] })
    expect(await program.end()).toBe(0)
    expect(program.lines).toHaveLength(6)
  })

  test('a replay with times has a reply for each line, and the bot lives in that time', async () => {
    const program = await start({ reply: () => 'Yes.' })
    program.say({ text: 'my sister lives in Oslo', at: '2026-01-02T09:00:00Z', channel: 'trips' })
    for (let i = 0; i < 13; i++) program.say({ text: `number ${i}`, at: '2026-02-02T09:00:00Z', channel: 'trips' })
    program.say({ text: 'where does my sister live?', at: '2026-05-02T09:00:00Z', channel: 'trips' })
    expect(await program.end()).toBe(0)
    const records = program.lines.map((line) => JSON.parse(line))
    expect(records.map(({ ids }) => ids)).toEqual(Array.from({ length: 15 }, (_, i) => [i + 1]))
    expect(records.at(-1).recalled).toEqual([{ at: '2026-01-02T09:00:00.000Z', text: 'my sister lives in Oslo' }])
  })
})

describe('without a model', () => {
  test('the start says once what to do, and the reply comes from memory', async () => {
    const program = run(NOBODY, ['--json'])
    program.say('my cat is called Miro')
    expect(await program.record()).toMatchObject({
      model: false,
      reply: expect.stringContaining('no language model right now'),
    })
    program.say('what is my cat called?')
    expect((await program.record())['reply']).toMatch(/On that you told me on \d+ \w+: “my cat is called Miro”/)
    program.say('/persona')
    expect(await program.record()).toMatchObject({ model: false })
    expect(await program.end()).toBe(0)
    expect(program.stderr().match(/ollama serve/g)).toHaveLength(1)
  })

  test('a server that breaks off in mid-reply and comes back', async () => {
    let calls = 0
    const program = await start({ reply: () => (++calls <= 2 ? ['Half a ', { fault: 'cut' as const }] : 'Whole.') })
    program.say('hello')
    expect(await program.record()).toMatchObject({ model: false })
    program.say('hello again')
    expect(await program.record()).toMatchObject({ model: true, reply: 'Whole.' })
    expect(await program.end()).toBe(0)
  })

  test('a model that the server lacks is pulled, in plain lines', async () => {
    const program = await start({
      models: [],
      pull: () => [
        { progress: { status: 'pulling manifest' } },
        ...[0, 50, 100].map((completed) => ({ progress: { status: 'pulling x', digest: 'x', total: 100, completed } })),
        { progress: { status: 'success' } },
      ],
      reply: () => 'Here.',
    })
    program.say('hello')
    expect(await program.record()).toMatchObject({ reply: 'Here.' })
    expect(program.stderr()).toMatch(/Downloading test: 50 %/)
    expect(program.stderr()).not.toContain('\u001b')
    expect(await program.end()).toBe(0)
  })
})

describe('stopping', () => {
  test('by SIGTERM cancels the stream, gives the work back and ends with 0; the next start answers it once', async () => {
    const program = await start({
      async *reply() {
        yield 'Half a '
        await new Promise(() => {})
      },
    })
    program.say({ text: 'hello', id: 'one' })
    while (!ollama?.chats.length) await new Promise(setImmediate)
    const cancelled = ollama.cancelled()
    program.child.kill('SIGTERM')
    expect(await program.exited).toBe(0)
    await cancelled
    await ollama.close()
    expect(program.lines).toEqual([])

    const again = await start({ reply: () => 'Whole.' })
    expect(await again.record()).toMatchObject({ ids: ['one'], reply: 'Whole.' })
    expect(await again.end()).toBe(0)
    expect(again.lines).toHaveLength(1)
  })

  test('by SIGKILL in mid-reply loses nothing and answers nothing twice', async () => {
    const program = await start({
      async *reply(_, count) {
        yield 'Half a '
        if (count > 0) await new Promise(() => {})
      },
    })
    for (const id of ['a', 'b']) program.say({ text: `hello ${id}`, id, as: id })
    const first = await program.record()
    while (ollama?.chats.length !== 2) await new Promise(setImmediate)
    program.child.kill('SIGKILL')
    await program.exited
    await ollama.close()

    const again = await start({ reply: () => 'Whole.' })
    const second = await again.record()
    expect([first, second].map(({ ids }) => ids).sort()).toEqual([['a'], ['b']])
    expect(await again.end()).toBe(0)
    expect(again.lines).toHaveLength(1)
  })
})

describe('a start that is interrupted', () => {
  /** Tells when the program listens to signals, which is the first thing it does. */
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(
    'process.on("newListener",(name)=>name==="SIGTERM"&&queueMicrotask(()=>process.stderr.write("listening\\n")))',
  )}`

  async function interrupt(signal: NodeJS.Signals, ms: number, env: Record<string, string>) {
    const program = run(NOBODY, ['--json'], { NODE_OPTIONS, ...env })
    await heard(program, 'listening')
    await setTimeout(ms)
    program.child.kill(signal)
    return program.exited
  }

  test.each([
    ['SIGTERM', [0, 100, 300, 600, 1000, 1500]],
    ['SIGINT', [0, 300, 1000]],
  ] as const)('by %s ends with 0 at any moment, and the next one answers', async (signal, moments) => {
    for (const ms of moments) expect([ms, await interrupt(signal, ms, {})]).toEqual([ms, 0])
    const next = await start({ reply: () => 'Yes.' })
    next.say('hello')
    expect(await next.record()).toMatchObject({ reply: 'Yes.' })
    expect(await next.end()).toBe(0)
  })

  test('while the database is made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-main-'))
    const env = { DATABASE_URL: '', DATA_DIR: join(folder, 'data') }
    for (const ms of [400, 1200, 2500]) expect([ms, await interrupt('SIGTERM', ms, env)]).toEqual([ms, 0])
    const next = await start({ reply: () => 'Yes.' }, ['--json'], env)
    next.say('hello')
    expect(await next.record()).toMatchObject({ reply: 'Yes.' })
    expect(await next.end()).toBe(0)
    rmSync(folder, { recursive: true })
  })

  test('while a model is downloaded', async () => {
    const program = await start({
      models: [],
      async *pull() {
        yield { progress: { status: 'pulling x', digest: 'x', total: 100, completed: 50 } }
        await new Promise(() => {})
      },
    })
    await heard(program, '50 %')
    program.child.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  })
})

describe.skipIf(!hasModel)(`with the sentence model of ${MODELS}`, () => {
  const env = { EMBEDDER: 'minilm', MODELS_DIR: MODELS, LOG_LEVEL: 'info' }

  test('it answers before the model is ready, and what was said gets vectors in the background', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-main-'))
    const data = join(folder, 'data')
    const program = await start({ reply: () => 'Yes.' }, ['--json'], { ...env, DATABASE_URL: '', DATA_DIR: data })
    for (const text of ['my cat is called Miro', 'I moved to Oslo']) program.say({ text, at: '2026-03-01T09:00:00Z' })
    await program.record()
    await program.record()
    expect(program.stderr()).not.toContain('"embedder"')
    await heard(program, '"turns have vectors"')
    expect(await program.end()).toBe(0)

    const database = await openEmbedded(data, 'attune:look')
    const turns = await rowsOf(database.queries, sql`SELECT embedder, vector_dims(meaning) AS numbers FROM turns`)
    await database.close()
    rmSync(folder, { recursive: true })
    expect(turns.length).toBeGreaterThan(0)
    for (const turn of turns) {
      expect(turn).toEqual({ embedder: expect.stringMatching(/MiniLM.*:384$/), numbers: 384 })
    }
  })

  test.each([
    ['while the model is loaded', 1, null, 900],
    ['while the model is at work', 30, '"embedder"', 30],
  ])('SIGTERM %s ends it with 0', async (_, count, mark, ms) => {
    const program = await start({ reply: () => 'Yes.' }, ['--json'], env)
    const words = 'a walk by the river, '.repeat(40)
    for (let i = 0; i < count; i++) program.say({ text: `The ${i}th: ${words}`, as: `p${i}` })
    for (let i = 0; i < count; i++) await program.record()
    if (mark !== null) await heard(program, mark)
    await setTimeout(ms)
    program.child.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  })
})

test('without a sentence model it says once what to do, and goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attune-main-'))
  const program = await start({ reply: () => 'Yes.' }, ['--json'], { EMBEDDER: 'minilm', MODELS_DIR: folder })
  await heard(program, 'by its words alone')
  program.say('hello')
  expect(await program.record()).toMatchObject({ reply: 'Yes.' })
  expect(await program.end()).toBe(0)
  expect(program.stderr().match(/Expected `MODELS_DIR` to be a folder that holds Xenova/g)).toHaveLength(1)
  rmSync(folder, { recursive: true })
})

describe('a start that can’t be', () => {
  test('says all that is wrong at once', async () => {
    const program = run(NOBODY, [], { CONCURRENCY: 'many', OLLAMA_CONTEXT: '3' })
    expect(await program.exited).toBe(1)
    expect(program.stderr()).toBe(
      'Expected `OLLAMA_CONTEXT` to be a whole number from 1024 to 131072, got `3`\n' +
        'Expected `CONCURRENCY` to be a whole number from 1 to 64, got `many`\n',
    )
  })

  test('says whose the folder is, and takes nothing from it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-main-'))
    const env = { DATABASE_URL: '', DATA_DIR: join(folder, 'data') }
    ollama = await startOllama({ reply: () => 'Yes.' })
    const holder = run(ollama.host.href, ['--json'], env, 'held')
    holder.say('hello')
    await holder.record()
    const second = run(ollama.host.href, ['--json'], env, 'held')
    expect(await second.exited).toBe(1)
    expect(second.stderr()).toContain(`is in use by process ${holder.child.pid} `)
    holder.say('still here?')
    expect(await holder.record()).toMatchObject({ reply: 'Yes.' })
    expect(await holder.end()).toBe(0)
    rmSync(folder, { recursive: true })
  })

  test('names a folder that is none, and an option that is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-main-'))
    writeFileSync(join(folder, 'file'), '')
    const program = run(NOBODY, [], { DATABASE_URL: '', DATA_DIR: join(folder, 'file') })
    expect(await program.exited).toBe(1)
    expect(program.stderr()).toMatch(/^Expected `DATA_DIR` to be a folder that I can write to .*, got `.*file`/)
    const other = run(NOBODY, ['--nonsense'])
    expect(await other.exited).toBe(1)
    expect(other.stderr()).toMatch(/^Expected /)
    rmSync(folder, { recursive: true })
  })
})

test('200,000 characters are answered with a sentence, and the next message as ever', async () => {
  const program = await start({ reply: () => 'Yes.' })
  program.say({ text: 'word '.repeat(40_000) })
  expect(await program.record()).toMatchObject({ model: false, reply: expect.stringMatching(/long|words/) })
  program.say('short')
  expect(await program.record()).toMatchObject({ model: true, reply: 'Yes.' })
  expect(await program.end()).toBe(0)
})
