/** What an embedder is: it turns texts into vectors whose cosine says how close they are in meaning. */

/** Who waits for the vectors: somebody for an answer, or nobody. */
export type Urgency = 'question' | 'backlog'

export interface Embedder {
  /** Names the model and its very file, and the dimension: vectors of different ones are never compared. */
  readonly id: string
  readonly dimension: number
  /**
   * One vector per text, in order: of length 1, with `dimension` numbers; null for a blank text. Long texts are cut at
   * `MAX_TOKENS`. Questions go before backlog, a batch at a time.
   * @throws EmbedderError when it can't; the next call tries anew; or the reason of an aborted signal
   */
  embed(
    texts: readonly string[],
    urgency: Urgency,
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[] | null)[]>
  /** Refuses what has not begun, waits for the batch in flight, then frees everything. */
  close(): Promise<void>
}

/** No embedder can be had, or it failed; the message says what to do. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError'
}

export const MAX_TOKENS = 256
/** More characters than that many tokens of prose have; the rest need not be read. */
const MAX_CHARACTERS = 4000

/** As much of a text as can matter, null when there is nothing in it. */
export function readable(text: string): string | null {
  const cut = text.trim().slice(0, MAX_CHARACTERS).toWellFormed()
  return cut === '' ? null : cut
}

/** The numbers scaled to length 1; zeros stay as they are. */
export function normalised(numbers: readonly number[]): readonly number[] {
  const length = Math.hypot(...numbers)
  return length === 0 ? numbers : numbers.map((number) => number / length)
}
