/** One chat that goes wrong: what is tried again, what is said, how long silence is borne. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLlm } from '../../src/llm/client.ts'
import { SILENCE } from '../../src/llm/request.ts'
import { type Reply, type Step, startOllama } from '../fakes/ollama.ts'
import { ask, createGate, inTurn, kindOf, QUESTION } from './ask.ts'

describe('failures worth a second attempt', () => {
  it.each<[string, readonly Step[]]>([
    ['a connection closed before the first byte', [{ fault: 'cut' }]],
    ['a connection closed in mid-answer', ['One ', 'two ', { fault: 'cut' }]],
    ['a stream that ends without its last part', ['One ', { fault: 'end' }]],
    ['half a line at the end', ['One ', { raw: '{"message":{"content":"tw' }, { fault: 'end' }]],
    ['a line that is not JSON', ['One ', { raw: '<html>' }]],
    ['a line that is not an object', [{ raw: '7' }]],
    ['an error inside the stream', ['One ', { error: 'model runner has unexpectedly stopped' }]],
    ['an error of the server', [{ status: 500, error: 'llama runner process has terminated' }]],
    ['an empty answer', []],
    ['a blank answer', [' ', '\n']],
    ['an answer of thinking only', ['<think>hm']],
  ])('asks again after %s', async (_what, steps) => {
    const { text, retried, server } = await ask({ reply: inTurn(steps, ['Fine.']) })
    expect({ text, retried, chats: server.chats.length }).toEqual({ text: 'Fine.', retried: true, chats: 2 })
  })

  it('begins the text anew in the second attempt', async () => {
    const gate = createGate()
    const seen: string[] = []
    const reply: Reply = async function* (_request, count) {
      if (count > 0) return yield* ['New ', 'text.']
      yield 'Old '
      await gate.opened
      yield { fault: 'cut' }
    }
    const onText = (text: string) => {
      seen.push(text)
      gate.open()
    }
    expect((await ask({ reply }, { onText })).text).toBe('New text.')
    expect(seen).toEqual(['Old ', 'New ', 'New text.'])
  })

  it.each<[string, string, RegExp, readonly Step[]]>([
    [
      'cut',
      'a lost connection',
      /lost the connection in the middle of the answer: try again/,
      ['One ', { fault: 'cut' }],
    ],
    ['cut', 'an error inside the stream', /broke off \(runner stopped\): try again/, [{ error: 'runner stopped' }]],
    ['cut', 'no last part', /broke off in the middle of the answer/, ['One ', { fault: 'end' }]],
    ['cut', 'garbage', /broke off \(it sent something that is not JSON\)/, [{ raw: 'oops' }]],
    ['refused', 'an error of the server', /refused the request \(500: boom\)/, [{ status: 500, error: 'boom' }]],
    [
      'empty',
      'an empty answer',
      /The model test gave an empty answer: ask again in other words/,
      ['<think>hm</think>\n'],
    ],
  ])('gives up with `%s` when %s comes twice', async (kind, _what, sentence, steps) => {
    const { error, server } = await ask({ reply: () => steps })
    expect(kindOf(error)).toBe(kind)
    expect(String(error)).toMatch(sentence)
    expect(server.chats).toHaveLength(2)
  })
})

describe('failures not worth a second attempt', () => {
  const MEMORY = 'model requires more system memory (5.6 GiB) than is available (3.1 GiB)'

  it('says how to start Ollama when nothing listens', async () => {
    const server = await startOllama()
    await server.close()
    const llm = createLlm({ host: server.host, model: 'test', contextTokens: 2048 })
    const error: unknown = await llm
      .chat(QUESTION, { signal: new AbortController().signal, maxTokens: 9 })
      .catch((e) => e)
    expect(kindOf(error)).toBe('down')
    expect(String(error)).toContain(`I can't reach Ollama at http://127.0.0.1:${server.host.port}: `)
  })

  it('says what to pull when the model is missing', async () => {
    const { error, server } = await ask({}, { model: 'nope:1b' })
    expect(kindOf(error)).toBe('missing')
    expect(String(error)).toMatch(/The model nope:1b is not on the server http:\S+: run `ollama pull nope:1b` there\.$/)
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, readonly Step[]]>([
    ['as a status', [{ status: 500, error: MEMORY }]],
    ['inside the stream', [{ error: MEMORY }]],
  ])('says that memory is short, told %s', async (_where, steps) => {
    const { error, server } = await ask({ reply: () => steps })
    expect(kindOf(error)).toBe('memory')
    expect(String(error)).toContain(`(${MEMORY}): use a smaller model`)
    expect(server.chats).toHaveLength(1)
  })

  it('quotes a refusal', async () => {
    const { error, server } = await ask({ reply: () => [{ status: 400, error: 'invalid options: foo' }] })
    expect(kindOf(error)).toBe('refused')
    expect(String(error)).toContain('refused the request (400: invalid options: foo)')
    expect(server.chats).toHaveLength(1)
  })
})

describe('silence', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('ends a chat that has no byte for five minutes, and closes the connection', async () => {
    const reply: Reply = function* () {
      vi.advanceTimersByTime(5 * 60_000)
      yield { fault: 'hang' }
    }
    const { error, server } = await ask({ reply }, { silence: SILENCE })
    expect(kindOf(error)).toBe('silent')
    expect(String(error)).toContain('has sent nothing for 5 minutes: it may be busy or stuck')
    await server.cancelled()
    expect(server.chats).toHaveLength(1)
  })

  it('ends a chat that breaks off for half a minute, and closes the connection', async () => {
    const { error, server } = await ask(
      { reply: () => ['One ', { fault: 'hang' }] },
      { silence: SILENCE, onText: () => vi.advanceTimersByTime(30_000) },
    )
    expect(kindOf(error)).toBe('silent')
    expect(String(error)).toContain('has sent nothing for 30 seconds')
    await server.cancelled()
    expect(server.chats).toHaveLength(1)
  })

  it('lets an answer take any time that keeps coming', async () => {
    let gate = createGate()
    const words = ['One ', 'two ', 'three ', 'four.']
    const reply: Reply = async function* () {
      for (const word of words) {
        yield word
        await gate.opened
        gate = createGate()
      }
    }
    const onText = () => {
      vi.advanceTimersByTime(29_000)
      gate.open()
    }
    expect((await ask({ reply }, { silence: SILENCE, onText })).text).toBe('One two three four.')
  })
})
