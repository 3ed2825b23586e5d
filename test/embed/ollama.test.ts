/** An embedding model on an Ollama server, against a scripted one. */

import { afterEach, describe, expect, it } from 'vitest'
import { EmbedderError } from '../../src/embed/embedder.ts'
import { openEmbedder } from '../../src/embed/open.ts'
import { type FakeOllama, type Script, startOllama } from '../fakes/ollama.ts'

const open: FakeOllama[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function openWith(script: Script, model = 'all-minilm') {
  const server = await startOllama({ models: ['all-minilm:latest'], ...script })
  open.push(server)
  const steps: string[] = []
  const embedder = openEmbedder(
    { kind: 'ollama', model },
    {
      modelsDir: null,
      cacheDir: 'unused',
      ollamaHost: server.host,
      onProgress: (status) => steps.push(status),
      signal: new AbortController().signal,
    },
  )
  return { server, steps, embedder }
}

const lengths = (texts: readonly string[]) => texts.map((text) => [3 * text.length, 4 * text.length])

describe('an embedder on Ollama', () => {
  it('names the model, the digest of its file and the dimension, and scales vectors to length 1', async () => {
    const embedder = await (await openWith({ embed: lengths })).embedder
    expect(embedder?.id).toMatch(/^ollama:all-minilm@[0-9a-f]{12}:2$/)
    expect(embedder?.dimension).toBe(2)
    const [vector, blank] = (await embedder?.embed(['abc', ' '], 'question')) ?? []
    expect(vector?.[0]).toBeCloseTo(0.6)
    expect(vector?.[1]).toBeCloseTo(0.8)
    expect(blank).toBeNull()
    await embedder?.close()
  })

  it('pulls the model when the server lacks it, and tells how far it is', async () => {
    const { server, steps, embedder } = await openWith(
      { embed: lengths, pull: () => [{ progress: { status: 'pulling manifest' } }] },
      'other-embed',
    )
    expect((await embedder)?.id).toMatch(/^ollama:other-embed@/)
    expect(steps).toContain('pulling manifest')
    expect(server.requests.map(({ path }) => path)).toContain('/api/pull')
  })

  it('halves what is too long for the model until it fits, and keeps the others whole', async () => {
    const embed = (texts: readonly string[]) =>
      texts.some(({ length }) => length > 300) ? 'the input length exceeds the context length' : lengths(texts)
    const { server, embedder } = await openWith({ embed })
    const vectors = await (await embedder)?.embed(['short', 'long '.repeat(100)], 'backlog')
    expect(vectors?.every((vector) => vector?.length === 2)).toBe(true)
    const sent = server.requests
      .filter(({ path }) => path === '/api/embed')
      .map(({ body }) => Reflect.get(Object(body), 'input'))
    expect(sent.at(-2)).toEqual(['long '.repeat(100).trim()])
    expect(sent.at(-1)?.[0]).toHaveLength(250)
    expect(sent).toContainEqual(['short'])
  })

  it('refuses a model that gives no vectors', async () => {
    const { embedder } = await openWith({ embed: () => 'this model does not support embeddings' })
    await expect(embedder).rejects.toThrow(
      new EmbedderError('The model all-minilm gives no vectors: choose another EMBEDDER.'),
    )
  })

  it('says what to do when the server is not there', async () => {
    const server = await startOllama()
    await server.close()
    const again = openEmbedder(
      { kind: 'ollama', model: 'all-minilm' },
      {
        modelsDir: null,
        cacheDir: 'unused',
        ollamaHost: server.host,
        onProgress: () => {},
        signal: new AbortController().signal,
      },
    )
    await expect(again).rejects.toThrow(EmbedderError)
    await expect(again).rejects.toThrow(
      /I can't reach Ollama at .*: start it with `ollama serve`, or set OLLAMA_HOST\./,
    )
  })
})
