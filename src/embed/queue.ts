/** Texts that wait for an embedder: questions before backlog, at most a batch in flight. Knows nothing of models. */

import { type Embedder, EmbedderError, readable, type Urgency } from './embedder.ts'

export const BATCH_TEXTS = 8
/** A question waits for the batch in flight: long texts of the backlog go by one or two. */
const BATCH_CHARACTERS = 1200

/** @throws EmbedderError */
export type EmbedBatch = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

interface Item {
  readonly text: string
  readonly done: (vector: readonly number[]) => void
  readonly failed: (error: unknown) => void
  /** All of the same call: when one fails, nobody waits for the others. */
  readonly call: readonly Item[]
}

type Waiting = Readonly<Record<Urgency, Item[]>>

/** @param embedBatch called with 1 to `BATCH_TEXTS` texts, never while it is at work */
export function createQueue(embedBatch: EmbedBatch): Pick<Embedder, 'embed' | 'close'> {
  const waiting: Waiting = { question: [], backlog: [] }
  let running: Promise<void> | null = null
  let isClosed = false

  async function run(): Promise<void> {
    for (let items = next(waiting); items.length > 0; items = next(waiting)) {
      try {
        const vectors = await embedBatch(items.map(({ text }) => text))
        for (const [index, item] of items.entries()) item.done(vectors[index]!)
      } catch (error) {
        fail(items, error)
      }
    }
    running = null
  }

  function fail(items: readonly Item[], error: unknown): void {
    const gone = new Set(items.flatMap(({ call }) => call))
    for (const { failed } of gone) failed(error)
    for (const list of [waiting.question, waiting.backlog]) {
      list.splice(0, list.length, ...list.filter((item) => !gone.has(item)))
    }
  }

  return {
    async embed(texts, urgency, signal) {
      signal?.throwIfAborted()
      if (isClosed) throw closed()
      const items: Item[] = []
      const vectors = texts.map((text) => vectorOf(text, items))
      waiting[urgency].push(...items)
      if (items.length > 0) running ??= run()
      const stop = () => fail(items, signal?.reason)
      signal?.addEventListener('abort', stop)
      try {
        return await Promise.all(vectors)
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
    async close() {
      isClosed = true
      fail([...waiting.question, ...waiting.backlog], closed())
      await running
    },
  }
}

/** Adds what is to be done to the items, unless the text is blank. */
async function vectorOf(text: string, items: Item[]): Promise<readonly number[] | null> {
  const cut = readable(text)
  if (cut === null) return null
  return new Promise((done, failed) => items.push({ text: cut, done, failed, call: items }))
}

function next(waiting: Waiting): readonly Item[] {
  if (waiting.question.length > 0) return waiting.question.splice(0, BATCH_TEXTS)
  let characters = 0
  const end = waiting.backlog.findIndex(({ text }, index) => {
    characters += text.length
    return index > 0 && characters > BATCH_CHARACTERS
  })
  return waiting.backlog.splice(0, end < 0 ? BATCH_TEXTS : Math.min(end, BATCH_TEXTS))
}

function closed(): EmbedderError {
  return new EmbedderError('The embedder is closed.')
}
