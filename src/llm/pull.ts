/** Makes sure that the server has the model: looks at its list, and pulls only what is not on it. */

import { LlmError, missing } from './errors.ts'
import { answered, SILENCE, type Silence, streamed } from './request.ts'

/** Bytes of all layers heard of so far; both are 0 while the server does something else, such as checking. */
export type OnProgress = (status: string, completed: number, total: number) => void

/** Checking gigabytes takes a slow disk minutes, in which nothing is sent. */
const PULL_SILENCE: Silence = { first: SILENCE.first, next: SILENCE.first }

/**
 * A pull asks the registry even for a model that is there, and fails without a network: what is listed is never pulled.
 * @throws LlmError: `down`, `silent`, `missing` when the pull failed; or the reason of an aborted signal
 */
export async function ensureModel(options: {
  readonly host: URL
  readonly model: string
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
  readonly fetch?: typeof fetch
  readonly silence?: Silence
}): Promise<void> {
  const request = { fetch: globalThis.fetch, silence: PULL_SILENCE, ...options }
  const { models } = await answered(request, (client) => client.list())
  if (models?.some(({ name }) => sameModel(name, options.model))) return
  const layers = new Map<string, { readonly completed: number; readonly total: number }>()
  try {
    for await (const part of streamed(request, (client) => client.pull({ model: options.model, stream: true }))) {
      if (part.digest) layers.set(part.digest, { completed: part.completed ?? 0, total: part.total ?? 0 })
      const sum = (key: 'completed' | 'total') => [...layers.values()].reduce((bytes, layer) => bytes + layer[key], 0)
      const [completed, total] = part.digest ? [sum('completed'), sum('total')] : [0, 0]
      options.onProgress?.(part.status, completed, total)
    }
  } catch (error) {
    if (error instanceof LlmError && (error.kind === 'cut' || error.kind === 'refused')) {
      throw missing(options, reason(error), error)
    }
    throw error
  }
}

/** Whether two names mean the same model: without a tag it is `latest`. */
export function sameModel(a: string, b: string): boolean {
  return fullName(a) === fullName(b)
}

function fullName(name: string): string {
  const short = name.toLowerCase().replace(/^(?:registry\.ollama\.ai\/)?(?:library\/)?/, '')
  return /:[^/]+$/.test(short) ? short : `${short}:latest`
}

/** The server's own words are clearer here than our sentence about them. */
function reason(error: LlmError): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
