/** The real sentence model in its thread; skipped where its files are not. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Embedder, EmbedderError } from '../../src/embed/embedder.ts'
import { openEmbedder } from '../../src/embed/open.ts'

const MODELS = process.env['MODELS_DIR'] || '../shared/models'
const MODEL = 'Xenova/all-MiniLM-L6-v2'
const hasModel = existsSync(join(MODELS, MODEL))

function open(modelsDir: string | null, cacheDir = 'unused'): Promise<Embedder | null> {
  return openEmbedder(
    { kind: 'minilm' },
    {
      modelsDir,
      cacheDir,
      ollamaHost: new URL('http://127.0.0.1:1'),
      onProgress: () => {},
      signal: new AbortController().signal,
    },
  )
}

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-models-'))
  folders.push(folder)
  return folder
}

it('is no embedder when none is wanted', async () => {
  const options = {
    modelsDir: null,
    cacheDir: 'unused',
    ollamaHost: new URL('http://127.0.0.1:1'),
    onProgress: () => {},
    signal: new AbortController().signal,
  }
  expect(await openEmbedder({ kind: 'none' }, options)).toBeNull()
})

it('says what MODELS_DIR is to hold when it does not', async () => {
  const folder = await newFolder()
  await expect(open(folder)).rejects.toThrow(
    new EmbedderError(`Expected \`MODELS_DIR\` to be a folder that holds ${MODEL}/config.json, got \`${folder}\``),
  )
})

describe.skipIf(!hasModel)(`MiniLM from ${MODELS}`, () => {
  let embedder: Embedder
  beforeAll(async () => {
    embedder = (await open(MODELS))!
  })
  afterAll(() => embedder.close())

  it('names the model, its file and the dimension', () => {
    expect(embedder.id).toMatch(/^Xenova\/all-MiniLM-L6-v2@[0-9a-f]{12}:384$/)
    expect(embedder.dimension).toBe(384)
  })

  it('gives vectors of length 1 that tell near from far', async () => {
    const texts = ['I adopted a small dog last week.', 'A puppy lives with me now.', 'The invoice is due on Friday.']
    const [dog, puppy, invoice] = (await embedder.embed(texts, 'question')) as readonly (readonly number[])[]
    expect(dog).toHaveLength(384)
    expect(Math.hypot(...dog!)).toBeCloseTo(1, 4)
    expect(cosine(dog!, puppy!)).toBeGreaterThan(cosine(dog!, invoice!) + 0.3)
  })

  it('gives a text the same vector whatever else is in its batch', async () => {
    const [alone] = await embedder.embed(['I like tea.'], 'question')
    const [, among] = await embedder.embed(['word '.repeat(80), 'I like tea.', 'x'], 'backlog')
    expect(cosine(alone!, among!)).toBeGreaterThan(0.999)
  })

  it('cuts a text at its 256th token', async () => {
    const start = 'river '.repeat(300)
    const [short, long] = await embedder.embed([start, `${start} entirely different words about taxes`], 'backlog')
    expect(cosine(short!, long!)).toBeCloseTo(1, 5)
  })

  it('takes what nobody would write', async () => {
    const texts = ['🙂🙂🙂', 'Привет, как дела', '東京に引っ越しました', '\u0000\ud800', 'x'.repeat(10_000), '…']
    const vectors = await embedder.embed(texts, 'backlog')
    expect(vectors.map((vector) => vector?.length)).toEqual(texts.map(() => 384))
    expect(vectors.flat().every((number) => Number.isFinite(number))).toBe(true)
  })

  it('says what to do when a file is damaged', async () => {
    const folder = await newFolder()
    await cp(join(MODELS, MODEL), join(folder, MODEL), { recursive: true })
    await writeFile(join(folder, MODEL, 'onnx/model_quantized.onnx'), 'not a model')
    await expect(open(folder)).rejects.toThrow(
      /^I can't use the sentence model Xenova\/all-MiniLM-L6-v2 in `.*` \(.+\): remove its folder so that it is downloaded again, or set MODELS_DIR/,
    )
  })

  it('ends cleanly when it is closed in the middle of 50 texts, four times', async () => {
    const env = { ...process.env, MODELS_DIR: MODELS }
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/embed/child.ts'], { env })
    expect(stdout).toBe('rejected\n'.repeat(4))
  })
})

function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, number, index) => sum + number * b[index]!, 0)
}
