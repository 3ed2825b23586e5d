/** The files of the sentence model: where they are, how they get there, and which ones they are. */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OnProgress } from '../llm/pull.ts'
import { EmbedderError } from './embedder.ts'

/** `folder` holds the folder `model`. */
export interface ModelFiles {
  readonly folder: string
  readonly model: string
}

const MODEL = 'Xenova/all-MiniLM-L6-v2'
const WEIGHTS = 'onnx/model_quantized.onnx'
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS]
const HUB = new URL('https://huggingface.co')

export interface Source {
  /** Holds the files already; null: they belong in the cache. */
  readonly modelsDir: string | null
  readonly cacheDir: string
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
  /** Where they are downloaded from. */
  readonly hub?: URL
}

/**
 * Finds the files in `modelsDir`, or else in `cacheDir`, where they are downloaded once.
 * @throws EmbedderError, or the reason of an aborted signal
 */
export async function findFiles(source: Source): Promise<ModelFiles> {
  const folder = source.modelsDir ?? source.cacheDir
  const missing = FILES.filter((file) => !existsSync(join(folder, MODEL, file)))
  if (missing.length > 0 && source.modelsDir !== null) {
    throw new EmbedderError(
      `Expected \`MODELS_DIR\` to be a folder that holds ${MODEL}/${missing[0]}, got \`${source.modelsDir}\``,
    )
  }
  try {
    for (const file of missing) await download(source, file)
  } catch (error) {
    source.signal.throwIfAborted()
    throw new EmbedderError(
      `I can't download the sentence model ${MODEL} (${reason(error)}): check the connection, or set MODELS_DIR to a folder that holds it.`,
      { cause: error },
    )
  }
  return { folder, model: MODEL }
}

/** The first 12 hexadecimal digits of the SHA-256 of the weights. */
export async function fileId({ folder, model }: ModelFiles): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(join(folder, model, WEIGHTS))) hash.update(part)
  return hash.digest('hex').slice(0, 12)
}

/** A file has its name only when it is whole; several processes may download it at once. */
async function download({ cacheDir, hub = HUB, onProgress, signal }: Source, file: string): Promise<void> {
  const response = await fetch(new URL(`/${MODEL}/resolve/main/${file}`, hub), { signal })
  if (!response.ok || response.body === null) throw new Error(`${response.status} for ${file}`)
  const path = join(cacheDir, MODEL, file)
  const part = `${path}.${process.pid}.part`
  const total = Number(response.headers.get('content-length') ?? 0)
  let completed = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, pass) {
      completed += chunk.length
      if (file === WEIGHTS) onProgress('downloading', completed, total)
      pass(null, chunk)
    },
  })
  await mkdir(dirname(path), { recursive: true })
  try {
    await pipeline(Readable.fromWeb(response.body), counter, createWriteStream(part), { signal })
    const isEncoded = response.headers.has('content-encoding')
    if (total > 0 && !isEncoded && completed !== total) throw new Error(`${file} broke off`)
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}

/** The cause says more than `fetch failed`. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const text = cause instanceof Error && cause.message !== '' ? cause.message : error.message
  return text.split('\n')[0]!.slice(0, 160)
}
