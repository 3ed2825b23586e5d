/** Texts wait their turn: questions first, in small batches, and nothing is lost when something fails. */

import { describe, expect, it } from 'vitest'
import { EmbedderError } from '../../src/embed/embedder.ts'
import { fakeEmbedder, letters } from './fake.ts'

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)

/** A gate that the first batch waits at. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, before: (_: readonly string[], count: number) => (count === 0 ? opened : undefined) }
}

describe('the queue of an embedder', () => {
  it('gives one vector of length 1 per text in order, and null for a blank one', async () => {
    const embedder = fakeEmbedder('fake')
    const vectors = await embedder.embed(['abc', ' \n', 'aab'], 'question')
    expect(vectors).toEqual([letters('abc'), null, letters('aab')])
    expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1)
  })

  it('goes on after nothing but blank texts', async () => {
    const embedder = fakeEmbedder('fake')
    expect(await embedder.embed([' ', ''], 'question')).toEqual([null, null])
    expect(await embedder.embed(['abc'], 'question')).toEqual([letters('abc')])
  })

  it('takes at most 8 texts at once, and questions before what waits of the backlog', async () => {
    const { open, before } = gate()
    const embedder = fakeEmbedder('fake', before)
    const backlog = embedder.embed(numbered('b', 20), 'backlog')
    const question = embedder.embed(numbered('q', 9), 'question')
    open()
    await Promise.all([backlog, question])
    expect(embedder.batches).toEqual([
      numbered('b', 8),
      numbered('q', 8),
      ['q8'],
      numbered('b', 16).slice(8),
      numbered('b', 20).slice(16),
    ])
  })

  it('takes few long texts of the backlog at once, so that a question need not wait long', async () => {
    const embedder = fakeEmbedder('fake')
    await embedder.embed(['a'.repeat(900), 'b'.repeat(900), 'c'.repeat(9000), 'd', 'e'], 'backlog')
    expect(embedder.batches.map((batch) => batch.map(({ length }) => length))).toEqual([[900], [900], [4000], [1, 1]])
  })

  it('fails the call whose batch failed, and no other', async () => {
    const embedder = fakeEmbedder('fake', (texts) => {
      if (texts.includes('b0')) throw new EmbedderError('It died.')
    })
    const backlog = embedder.embed(numbered('b', 20), 'backlog')
    const question = embedder.embed(['q'], 'question')
    await expect(backlog).rejects.toThrow('It died.')
    expect(await question).toEqual([letters('q')])
    expect(embedder.batches).toEqual([numbered('b', 8), ['q']])
  })

  it('drops what waits of an aborted call', async () => {
    const { open, before } = gate()
    const embedder = fakeEmbedder('fake', before)
    const stopping = new AbortController()
    const backlog = embedder.embed(numbered('b', 20), 'backlog', stopping.signal)
    stopping.abort(new Error('enough'))
    await expect(backlog).rejects.toThrow('enough')
    open()
    await embedder.embed(['q'], 'question')
    expect(embedder.batches).toEqual([numbered('b', 8), ['q']])
  })

  it('on closing waits for the batch in flight and refuses the rest', async () => {
    const { open, before } = gate()
    const embedder = fakeEmbedder('fake', before)
    const first = embedder.embed(['a'], 'question')
    const rest = embedder.embed(['b'], 'backlog')
    const refused = expect(rest).rejects.toThrow(new EmbedderError('The embedder is closed.'))
    let isClosed = false
    const closing = embedder.close().then(() => {
      isClosed = true
    })
    await refused
    expect(isClosed).toBe(false)
    open()
    await closing
    expect(await first).toEqual([letters('a')])
    await expect(embedder.embed(['c'], 'question')).rejects.toThrow('The embedder is closed.')
    expect(embedder.batches).toEqual([['a']])
  })
})
