/** A process that gives the real model 50 texts and closes it in the middle of them, as one does that is stopped; four times. */

import { openEmbedder } from '../../src/embed/open.ts'

const texts = Array.from(
  { length: 50 },
  (_, index) => `The ${index}th text is about ${'a walk by the river in the rain, '.repeat(4)}`,
)
const options = {
  modelsDir: process.env['MODELS_DIR'] ?? null,
  cacheDir: 'unused',
  ollamaHost: new URL('http://127.0.0.1:1'),
  onProgress: () => {},
  signal: new AbortController().signal,
}
for (let round = 0; round < 4; round++) {
  const embedder = await openEmbedder({ kind: 'minilm' }, options)
  if (embedder === null) throw new Error('Expected an embedder, got null')
  const first = embedder.embed(texts.slice(0, 1), 'question')
  const rest = Promise.allSettled([embedder.embed(texts, 'backlog')])
  await first
  // By now the next batch is at the thread; a moment later it is being computed.
  await new Promise((resolve) => setTimeout(resolve, 2 + 7 * round))
  await embedder.close()
  const [{ status }] = await rest
  process.stdout.write(`${status}\n`)
}
process.exit(0)
