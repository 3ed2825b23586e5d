/** An embedding model that an Ollama server runs. */

import { LlmError } from '../llm/errors.ts'
import { ensureModel, type OnProgress, sameModel } from '../llm/pull.ts'
import { answered, type RequestOptions, SILENCE } from '../llm/request.ts'
import { type Embedder, EmbedderError, normalised } from './embedder.ts'
import { createQueue } from './queue.ts'

export interface OllamaOptions {
  readonly host: URL
  readonly model: string
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/**
 * Pulls the model when the server lacks it. The dimension is that of a first vector.
 * @throws EmbedderError, or the reason of an aborted signal
 */
export async function openOllama({ host, model, onProgress, signal }: OllamaOptions): Promise<Embedder> {
  const request = { host, model, fetch: globalThis.fetch, silence: SILENCE }
  const opening = { ...request, signal }
  try {
    await ensureModel({ host, model, signal, onProgress })
    const { models } = await answered(opening, (client) => client.list())
    const digest = models.find(({ name }) => sameModel(name, model))?.digest ?? ''
    const [first = []] = await vectorsOf(opening, ['Hello'])
    const dimension = first.length
    if (dimension === 0) throw new EmbedderError(`The model ${model} gives no vectors: choose another EMBEDDER.`)

    const closing = new AbortController()
    const queue = createQueue(async (texts) => {
      const vectors = await vectorsOf({ ...request, signal: closing.signal }, texts)
      const isWhole = vectors.length === texts.length && vectors.every((vector) => vector.length === dimension)
      if (!isWhole) throw new EmbedderError(`The model ${model} gave vectors of another shape than before.`)
      return vectors
    })
    return {
      id: `ollama:${model}@${digest.replace(/^sha256:/, '').slice(0, 12)}:${dimension}`,
      dimension,
      embed: queue.embed,
      async close() {
        closing.abort(new EmbedderError('The embedder is closed.'))
        await queue.close()
      },
    }
  } catch (error) {
    if (error instanceof LlmError) throw inWords(error, model)
    throw error
  }
}

/** Numbers beyond these are left out, as an index has no room for more. */
const MAX_DIMENSION = 768

/** Scaled to length 1. What is too long for the model even after its own cut is cut in halves until it fits. */
async function vectorsOf(request: RequestOptions, texts: readonly string[]): Promise<readonly (readonly number[])[]> {
  try {
    const { embeddings } = await answered(request, (client) =>
      client.embed({ model: request.model, input: [...texts], truncate: true }),
    )
    return embeddings.map((numbers) => normalised(numbers.slice(0, MAX_DIMENSION)))
  } catch (error) {
    if (!(error instanceof LlmError)) throw error
    if (error.kind !== 'too-long' || texts.every(({ length }) => length < 2)) throw inWords(error, request.model)
    const vectors: (readonly number[])[] = []
    for (const text of texts) {
      const shorter = texts.length > 1 ? text : text.slice(0, Math.ceil(text.length / 2)).toWellFormed()
      vectors.push(...(await vectorsOf(request, [shorter])))
    }
    return vectors
  }
}

function inWords(error: LlmError, model: string): EmbedderError {
  const sentence = /does not support embed/i.test(error.message)
    ? `The model ${model} gives no vectors: choose another EMBEDDER.`
    : error.message
  return new EmbedderError(sentence, { cause: error })
}
