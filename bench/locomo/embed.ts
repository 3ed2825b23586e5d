/** Vectors of texts from the real encoder, kept in a file so that a second run needs none of its time. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { env, pipeline } from '@xenova/transformers'

const MODEL = 'Xenova/all-MiniLM-L6-v2'
export const EMBEDDER = `${MODEL}:q8`
const DIMENSIONS = 384
const CACHE = 'node_modules/.cache/locomo/minilm.json'
const BATCH = 8

export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

/** @throws Error when the folder does not hold the model */
export async function loadEmbedder(modelsDir: string): Promise<Embed> {
  if (!existsSync(resolve(modelsDir, MODEL))) {
    throw new Error(`Expected \`MODELS_DIR\` to be a folder that holds ${MODEL}, got \`${modelsDir}\``)
  }
  env.localModelPath = resolve(modelsDir)
  env.allowRemoteModels = false
  const extract = await pipeline('feature-extraction', MODEL, {
    dtype: 'q8',
    session_options: { intraOpNumThreads: 1 },
  })
  const known = readCache()
  return async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text)).toSorted((a, b) => a.length - b.length)
    for (let start = 0; start < missing.length; start += BATCH) {
      const batch = missing.slice(start, start + BATCH)
      const { data } = await extract(batch, { pooling: 'mean', normalize: true })
      batch.forEach((text, i) => {
        known.set(text, Float32Array.from(data.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS) as ArrayLike<number>))
      })
    }
    if (missing.length > 0) writeCache(known)
    return texts.map((text) => [...known.get(text)!])
  }
}

function readCache(): Map<string, Float32Array> {
  if (!existsSync(CACHE)) return new Map()
  const entries = JSON.parse(readFileSync(CACHE, 'utf8')) as [string, string][]
  return new Map(
    entries.map(([text, base64]) => [text, new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)]),
  )
}

function writeCache(known: ReadonlyMap<string, Float32Array>): void {
  mkdirSync(dirname(CACHE), { recursive: true })
  const entries = [...known].map(([text, vector]) => [
    text,
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  ])
  writeFileSync(CACHE, JSON.stringify(entries))
}
