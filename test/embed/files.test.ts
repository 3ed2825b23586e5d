/** The files of the model are downloaded once, whole or not at all. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EmbedderError } from '../../src/embed/embedder.ts'
import { fileId, findFiles } from '../../src/embed/files.ts'

const MODEL = 'Xenova/all-MiniLM-L6-v2'
let folder = ''
let server: Server
let asked: string[] = []
/** How the server answers; null: it closes the connection in the middle. */
let answer: (path: string) => { readonly status: number; readonly body: string } | null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-models-'))
  asked = []
  answer = (path) => ({ status: 200, body: `content of ${path}` })
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const given = answer(request.url ?? '')
    if (given === null) {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('some of it', () => response.destroy())
    } else {
      response.writeHead(given.status, { 'content-length': String(Buffer.byteLength(given.body)) })
      response.end(given.body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function find(steps: unknown[] = [], signal = new AbortController().signal) {
  const { port } = server.address() as AddressInfo
  return findFiles({
    modelsDir: null,
    cacheDir: folder,
    onProgress: (...step) => steps.push(step),
    signal,
    hub: new URL(`http://127.0.0.1:${port}`),
  })
}

it('downloads what is lacking, once, and tells how far it is', async () => {
  const steps: unknown[] = []
  const files = await find(steps)
  expect(files).toEqual({ folder, model: MODEL })
  const weights = await readFile(join(folder, MODEL, 'onnx/model_quantized.onnx'), 'utf8')
  expect(weights).toBe(`content of /${MODEL}/resolve/main/onnx/model_quantized.onnx`)
  expect(steps.at(-1)).toEqual(['downloading', weights.length, weights.length])
  expect(asked).toHaveLength(4)
  await find()
  expect(asked).toHaveLength(4)
})

it('names the weights by what is in them', async () => {
  const first = await fileId(await find())
  expect(first).toMatch(/^[0-9a-f]{12}$/)
  await rm(join(folder, MODEL, 'onnx'), { recursive: true })
  answer = () => ({ status: 200, body: 'other weights' })
  expect(await fileId(await find())).not.toBe(first)
})

it('keeps nothing of a file that broke off, and goes on from there', async () => {
  answer = (path) => (path.endsWith('.onnx') ? null : { status: 200, body: '{}' })
  await expect(find()).rejects.toThrow(EmbedderError)
  expect(await readdir(join(folder, MODEL, 'onnx'))).toEqual([])
  answer = () => ({ status: 200, body: 'whole' })
  await find()
  expect(asked.filter((path) => path.endsWith('/config.json'))).toHaveLength(1)
  expect(await readdir(join(folder, MODEL, 'onnx'))).toEqual(['model_quantized.onnx'])
})

it('says what to do when it can be had nowhere', async () => {
  answer = () => ({ status: 503, body: '' })
  await expect(find()).rejects.toThrow(
    new EmbedderError(
      `I can't download the sentence model ${MODEL} (503 for config.json): check the connection, or set MODELS_DIR to a folder that holds it.`,
    ),
  )
})

it('ends with the reason of the signal when it is told to stop', async () => {
  const stopping = new AbortController()
  stopping.abort(new Error('stopped'))
  await expect(find([], stopping.signal)).rejects.toThrow('stopped')
})
