/** The worker thread in which a sentence model runs: inference is synchronous and would stop the main loop. */

import { parentPort, workerData } from 'node:worker_threads'
import { AutoModel, AutoTokenizer, env, mean_pooling, type Tensor } from '@xenova/transformers'
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

const port = parentPort
if (port === null) throw new Error('Expected to be started as a worker thread')
const { folder, model: name } = workerData as WorkerData

env.localModelPath = folder
env.allowRemoteModels = false
env.useFSCache = false

const tokenizer = await AutoTokenizer.from_pretrained(name)
const model = await AutoModel.from_pretrained(name, {
  dtype: 'q8',
  session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
})

/** Mean over the tokens of a text, scaled to length 1. Shape: texts × dimension. */
async function embed(texts: readonly string[]): Promise<Tensor> {
  const tokens = tokenizer([...texts], { padding: true, truncation: true, max_length: MAX_TOKENS })
  const { last_hidden_state: states } = await model(tokens)
  return mean_pooling(states, tokens.attention_mask).normalize(2, -1)
}

async function answer(texts: readonly string[]): Promise<void> {
  try {
    const vectors = Float32Array.from((await embed(texts)).data as Float32Array)
    send({ kind: 'vectors', vectors }, [vectors.buffer])
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

function send(response: Response, transfer: readonly ArrayBuffer[] = []): void {
  port?.postMessage(response, transfer)
}

port.on('message', async (request: Request) => {
  if (request !== 'end') return answer(request.texts)
  await model.dispose()
  port.close()
})
const warm = await embed(['Hello'])
send({ kind: 'ready', dimension: warm.dims.at(-1) ?? 0 })
