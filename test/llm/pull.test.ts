/** A model is pulled when the server lacks it, and only then. */

import { afterEach, describe, expect, it } from 'vitest'
import { LlmError } from '../../src/llm/errors.ts'
import { ensureModel, sameModel } from '../../src/llm/pull.ts'
import { type FakeOllama, type Script, startOllama } from '../fakes/ollama.ts'

const open: FakeOllama[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function ensure(model: string, script: Script, signal = new AbortController().signal) {
  const server = await startOllama(script)
  open.push(server)
  const seen: (readonly [string, number, number])[] = []
  const onProgress = (...progress: readonly [string, number, number]) => seen.push(progress)
  const error: unknown = await ensureModel({ host: server.host, model, signal, onProgress }).then(
    () => null,
    (reason: unknown) => reason,
  )
  return { server, seen, error, paths: server.requests.map(({ path }) => path) }
}

describe('ensureModel', () => {
  it.each(['qwen3', 'qwen3:latest'])('pulls nothing when %s is listed', async (model) => {
    const { error, paths } = await ensure(model, { models: ['other:1b', 'qwen3:latest'] })
    expect(error).toBeNull()
    expect(paths).toEqual(['/api/tags'])
  })

  it('pulls what is lacking and adds up the progress of its layers', async () => {
    const { error, seen, server } = await ensure('qwen3:4b', {
      models: ['qwen3:latest'],
      pull: () => [
        { progress: { status: 'pulling manifest' } },
        { progress: { status: 'pulling a', digest: 'a', total: 100 } },
        { progress: { status: 'pulling a', digest: 'a', total: 100, completed: 100 } },
        { progress: { status: 'pulling b', digest: 'b', total: 10, completed: 5 } },
      ],
    })
    expect(error).toBeNull()
    expect(server.requests[1]).toEqual({ path: '/api/pull', body: { name: 'qwen3:4b', stream: true } })
    expect(seen).toEqual([
      ['pulling manifest', 0, 0],
      ['pulling a', 0, 100],
      ['pulling a', 100, 100],
      ['pulling b', 105, 110],
      ['success', 0, 0],
    ])
  })

  it('says why a pull failed', async () => {
    const text = 'pull model manifest: file does not exist'
    const { error } = await ensure('nope', {
      pull: () => [{ progress: { status: 'pulling manifest' } }, { error: text }],
    })
    expect(error).toMatchObject({ name: 'LlmError', kind: 'missing' })
    expect(String(error)).toMatch(
      /The model nope is not on the server \S+ and pulling it failed \(pull model manifest: file does not exist\): run `ollama pull nope` there\./,
    )
  })

  it('says why a pull was refused or broke off', async () => {
    expect((await ensure('nope', { pull: () => [{ status: 400, error: 'invalid model name' }] })).error).toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('(invalid model name)'),
    })
    const broken = await ensure('nope', {
      pull: () => [{ progress: { status: 'pulling manifest' } }, { fault: 'cut' }],
    })
    expect(broken.error).toMatchObject({ kind: 'missing' })
  })

  it('says that the server is down', async () => {
    const server = await startOllama()
    await server.close()
    const error: unknown = await ensureModel({
      host: server.host,
      model: 'a',
      signal: new AbortController().signal,
    }).catch((e) => e)
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject({ kind: 'down' })
  })

  it('stops a pull that is cancelled', async () => {
    const abort = new AbortController()
    const pull = function* () {
      yield { progress: { status: 'pulling manifest' } }
      abort.abort('enough')
      yield { fault: 'hang' } as const
    }
    const { error, server } = await ensure('big', { pull }, abort.signal)
    expect(error).toBe('enough')
    await server.cancelled()
  })
})

describe('sameModel', () => {
  it.each([
    ['llama3.2', 'llama3.2:latest', true],
    ['Qwen:0.5b', 'qwen:0.5B', true],
    ['qwen:0.5b', 'qwen', false],
    ['library/qwen', 'qwen:latest', true],
    ['host:5000/a/b', 'host:5000/a/b:latest', true],
    ['ann/qwen', 'qwen', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(sameModel(a, b)).toBe(expected)
  })
})
