/** A process that gives the real model 50 texts and closes it at once, as one does that is stopped; ten times. */

import { openEmbedder } from '../../src/embed/open.ts'

const texts = Array.from({ length: 50 }, (_, index) => `The ${index}th text is about a walk by the river in the rain.`)
const options = {
  modelsDir: process.env['MODELS_DIR'] ?? null,
  cacheDir: 'unused',
  ollamaHost: new URL('http://127.0.0.1:1'),
  onProgress: () => {},
  signal: new AbortController().signal,
}
for (let round = 0; round < 10; round++) {
  const embedder = await openEmbedder({ kind: 'minilm' }, options)
  if (embedder === null) throw new Error('Expected an embedder, got null')
  const [answers] = await Promise.all([Promise.allSettled([embedder.embed(texts, 'backlog')]), embedder.close()])
  process.stdout.write(`${answers[0].status}\n`)
}
