/** Opens the embedder that was chosen. */

import type { OnProgress } from '../llm/pull.ts'
import type { EmbedderChoice } from './choice.ts'
import type { Embedder } from './embedder.ts'
import { findFiles } from './files.ts'
import { openMiniLm } from './minilm.ts'
import { openOllama } from './ollama.ts'

export interface OpenOptions {
  /** A folder with `Xenova/all-MiniLM-L6-v2` in it; null: it is kept in the cache. */
  readonly modelsDir: string | null
  /** Where a downloaded model is kept. */
  readonly cacheDir: string
  readonly ollamaHost: URL
  /** Told of a download, never of what is there already. */
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/**
 * Null where none is wanted.
 * @throws EmbedderError, whose sentence says what to do, or the reason of an aborted signal
 */
export async function openEmbedder(choice: EmbedderChoice, options: OpenOptions): Promise<Embedder | null> {
  if (choice.kind === 'none') return null
  if (choice.kind === 'minilm') return openMiniLm(await findFiles(options), options.signal)
  const { ollamaHost, onProgress, signal } = options
  return openOllama({ host: ollamaHost, model: choice.model, onProgress, signal })
}
