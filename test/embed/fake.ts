/** An embedder made of letters: it needs no model, and says which texts it was given, batch by batch. */

import { type Embedder, normalised } from '../../src/embed/embedder.ts'
import { createQueue, type EmbedBatch } from '../../src/embed/queue.ts'

export interface FakeEmbedder extends Embedder {
  readonly batches: readonly (readonly string[])[]
}

/** `before` is called with each batch before it is embedded; it may throw or wait. */
export function fakeEmbedder(
  id: string,
  before: (texts: readonly string[], count: number) => void | Promise<void> = () => {},
): FakeEmbedder {
  const batches: (readonly string[])[] = []
  const embedBatch: EmbedBatch = async (texts) => {
    batches.push(texts)
    await before(texts, batches.length - 1)
    return texts.map(letters)
  }
  return { id, dimension: 26, batches, ...createQueue(embedBatch) }
}

/** How often each letter occurs, scaled to length 1. */
export function letters(text: string): readonly number[] {
  const counts = new Array<number>(26).fill(0)
  for (const letter of text.toLowerCase().replaceAll(/[^a-z]/g, '')) counts[letter.charCodeAt(0) - 97]! += 1
  return normalised(counts)
}
