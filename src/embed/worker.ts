/** The worker thread in which a sentence model runs: inference is synchronous and would stop the main loop. */

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Tensor } from '@xenova/transformers'
import { MAX_TOKENS } from './embedder.ts'

/** What the thread is started with: the folder of models, and the model's folder in it. */
export interface WorkerData {
  readonly folder: string
  readonly model: string
}

/** `texts`: 1 or more. `end`: free everything; the thread ends by itself. */
export type Request = { readonly texts: readonly string[] } | 'end'

/** `vectors`: as many per text as `dimension`, one text after the other. */
export type Response =
  | { readonly kind: 'ready'; readonly dimension: number }
  | { readonly kind: 'vectors'; readonly vectors: Float32Array }
  | { readonly kind: 'failed'; readonly reason: string }

/** One intra-op thread; without the arena a batch of long texts leaves 30 MB less behind, at the same speed. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false, enableMemPattern: false }

if (parentPort === null) throw new Error('Expected to be started as a worker thread')
await run(parentPort, workerData as WorkerData)

async function run(port: MessagePort, { folder, model: name }: WorkerData): Promise<void> {
  const { AutoModel, AutoTokenizer, env, mean_pooling } = await import('@xenova/transformers')
  env.localModelPath = folder
  env.allowRemoteModels = false
  env.useFSCache = false
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  if (isToldToEnd(port)) return port.close()
  const model = await AutoModel.from_pretrained(name, { dtype: 'q8', session_options: SESSION })

  /** Mean over the tokens of a text, scaled to length 1. Shape: texts × dimension. */
  async function embed(texts: readonly string[]): Promise<Tensor> {
    const tokens = tokenizer([...texts], { padding: true, truncation: true, max_length: MAX_TOKENS })
    const { last_hidden_state: states } = await model(tokens)
    return mean_pooling(states, tokens.attention_mask).normalize(2, -1)
  }

  async function answer(texts: readonly string[]): Promise<void> {
    try {
      const vectors = Float32Array.from((await embed(texts)).data as Float32Array)
      port.postMessage({ kind: 'vectors', vectors } satisfies Response, [vectors.buffer])
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      port.postMessage({ kind: 'failed', reason } satisfies Response)
    }
  }

  const warm = await embed(['Hello'])
  port.on('message', async (request: Request) => {
    if (request !== 'end') return answer(request.texts)
    await model.dispose()
    port.close()
  })
  port.postMessage({ kind: 'ready', dimension: warm.dims.at(-1) ?? 0 } satisfies Response)
}

/** Nobody waits any more: what comes next can't be broken off and takes a second. */
function isToldToEnd(port: MessagePort): boolean {
  return receiveMessageOnPort(port)?.message === ('end' satisfies Request)
}
