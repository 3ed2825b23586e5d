/** all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0) in a worker thread of its own. */

import { Worker } from 'node:worker_threads'
import { type Embedder, EmbedderError } from './embedder.ts'
import { fileId, type ModelFiles } from './files.ts'
import { createQueue } from './queue.ts'
import type { Request, Response, WorkerData } from './worker.ts'

interface Thread {
  readonly dimension: number
  isAlive(): boolean
  /** Shape: texts × dimension, one text after the other. One call at a time. */
  embed(texts: readonly string[]): Promise<Float32Array>
  /** Must not be called while a call is in flight: the process would be aborted. */
  end(): Promise<void>
}

/**
 * @throws EmbedderError when the files can't be read as a model; or the reason of an aborted signal, once the thread
 * has ended
 */
export async function openMiniLm(files: ModelFiles, signal: AbortSignal): Promise<Embedder> {
  const hash = await fileId(files)
  signal.throwIfAborted()
  let thread = await startThread(files, signal)
  const { dimension } = thread

  const queue = createQueue(async (texts) => {
    if (!thread.isAlive()) thread = await startThread(files)
    const numbers = await thread.embed(texts)
    return texts.map((_, index) => Array.from(numbers.subarray(index * dimension, (index + 1) * dimension)))
  })
  return {
    id: `${files.model}@${hash}:${dimension}`,
    dimension,
    embed: queue.embed,
    async close() {
      await queue.close()
      await thread.end()
    },
  }
}

async function startThread({ folder, model }: ModelFiles, signal?: AbortSignal): Promise<Thread> {
  const data: WorkerData = { folder, model }
  const worker = new Worker(new URL('./start.mjs', import.meta.url), {
    workerData: data,
    execArgv: [],
    // The library tells of its doings on stdout, which belongs to the conversation.
    stdout: true,
  })
  let waiting: { readonly done: (response: Response) => void; readonly failed: (error: Error) => void } | null = null
  let isAlive = true
  const fail = (reason: string) => {
    isAlive = false
    waiting?.failed(unusable(folder, model, reason))
    waiting = null
  }
  worker.on('message', (response: Response) => waiting?.done(response))
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)))
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      fail(`its thread ended with code ${code}`)
      resolve()
    })
  })
  const ask = async (request: Request | null): Promise<Response> => {
    const response = await new Promise<Response>((done, failed) => {
      waiting = { done, failed }
      if (request !== null) worker.postMessage(request)
    })
    if (response.kind === 'failed') throw unusable(folder, model, response.reason)
    return response
  }
  let isEnding = false
  const end = () => {
    if (isAlive && !isEnding) worker.postMessage('end' satisfies Request)
    isEnding = true
    return ended
  }
  const ready = await untilAborted(ask(null), end, signal)
  return {
    dimension: ready.kind === 'ready' ? ready.dimension : 0,
    isAlive: () => isAlive,
    async embed(texts) {
      const response = await ask({ texts })
      if (response.kind !== 'vectors') throw unusable(folder, model, `it answered ${response.kind}`)
      return response.vectors
    },
    end,
  }
}

/** An end comes after what is being computed, so that it aborts nothing. */
async function untilAborted<T>(ready: Promise<T>, end: () => Promise<void>, signal?: AbortSignal): Promise<T> {
  signal?.addEventListener('abort', end)
  try {
    return await ready
  } finally {
    signal?.removeEventListener('abort', end)
    if (signal?.aborted) {
      await end()
      signal.throwIfAborted()
    }
  }
}

function unusable(folder: string, model: string, reason: string): EmbedderError {
  const text = reason.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return new EmbedderError(
    `I can't use the sentence model ${model} in \`${folder}\` (${text}): remove its folder so that it is downloaded again, or set MODELS_DIR to a folder that holds it.`,
  )
}
