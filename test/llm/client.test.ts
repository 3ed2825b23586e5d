/** One chat with a scripted server: streaming, length, cancelling. */

import { describe, expect, it } from 'vitest'
import { createLlm } from '../../src/llm/client.ts'
import type { Reply, Script, Step } from '../fakes/ollama.ts'
import { ask, createGate, QUESTION, start } from './ask.ts'

describe('chat', () => {
  it('streams the whole text so far and returns it with its counts', async () => {
    const { text, seen, tokens, promptTokens, retried } = await ask({ reply: () => 'One two three.' })
    expect({ text, tokens, promptTokens, retried }).toEqual({
      text: 'One two three.',
      tokens: 3,
      promptTokens: 12,
      retried: false,
    })
    expect(seen).toEqual(['One ', 'One two ', 'One two three.'])
  })

  it('shows text before the answer is complete', async () => {
    const gate = createGate()
    const reply: Reply = async function* () {
      yield 'One '
      await gate.opened
      yield 'two.'
    }
    const { text } = await ask({ reply }, { onText: gate.open })
    expect(text).toBe('One two.')
  })

  it('always streams, always sets num_ctx, and guards the length well above the bound', async () => {
    const { server } = await ask({}, { maxTokens: 50 })
    expect(server.chats).toEqual([
      { model: 'test', stream: true, messages: [...QUESTION], options: { num_ctx: 2048, num_predict: 164 } },
    ])
  })

  it('tells a model that can think not to, and asks what it can do only once', async () => {
    const server = await start({ capabilities: ['completion', 'thinking'] })
    const llm = createLlm({ host: server.host, model: 'test', contextTokens: 2048 })
    const options = { signal: new AbortController().signal, maxTokens: 10 }
    await llm.chat(QUESTION, options)
    await llm.chat(QUESTION, options)
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/show', '/api/chat', '/api/chat'])
    expect(server.chats.map(({ think }) => think)).toEqual([false, false])
  })

  it('hides thinking, in the text and beside it', async () => {
    const { text, seen } = await ask({
      reply: () => [{ thinking: 'secret' }, '<thi', 'nk>secret</thi', 'nk>\n\n', 'Hi', '.'],
    })
    expect(text).toBe('Hi.')
    expect(seen).toEqual(['Hi', 'Hi.'])
  })

  it('passes a schema on and leaves the answer as it is', async () => {
    const format = { type: 'object' }
    const { text, server } = await ask(
      { reply: () => ['{"a":"One. ', 'Two. ', 'Thr', { done: 'length' }] },
      { format, maxTokens: 2 },
    )
    expect(text).toBe('{"a":"One. Two. Thr')
    expect(server.chats[0]).toMatchObject({ format, options: { num_predict: 2 } })
  })
})

describe('length of an answer', () => {
  const endless = (chunks: readonly string[], end: Step = { fault: 'hang' }): Script => ({
    reply: () => [...chunks, end],
  })

  it('ends with the sentence that passes the bound, and the server stops generating', async () => {
    const { text, seen, server, tokens } = await ask(
      endless(['One ', 'is ', 'here. ', 'Two ', 'is ', 'here', '. ', 'Three']),
      { maxTokens: 4 },
    )
    expect(text).toBe('One is here. Two is here.')
    expect(seen.at(-1)).toBe(text)
    expect(tokens).toBe(8)
    await server.cancelled()
    expect(server.chats).toHaveLength(1)
  })

  it('does not end inside a block of code', async () => {
    const chunks = ['Do:\n', '```\n', 'a. B.\n', 'c. D.\n', '```\n', 'Then. ', 'So']
    expect((await ask(endless(chunks), { maxTokens: 2 })).text).toBe('Do:\n```\na. B.\nc. D.\n```')
  })

  it('ends behind an item of a list', async () => {
    const chunks = ['Colours:\n', '- red\n', '- green\n', '- blue\n', '- white\n']
    expect((await ask(endless(chunks), { maxTokens: 4 })).text).toBe('Colours:\n- red\n- green')
  })

  it('does not take a decimal point for an end', async () => {
    const { text } = await ask(endless(['It ', 'costs ', '3.', '50 ', 'each. ', 'More']), { maxTokens: 3 })
    expect(text).toBe('It costs 3.50 each.')
  })

  it('leaves an answer alone that ends by itself', async () => {
    expect((await ask({ reply: () => 'One two three four' }, { maxTokens: 2 })).text).toBe('One two three four')
  })

  it('is cut back to the last sentence when the hard guard hit', async () => {
    expect((await ask({ reply: () => ['One two. ', 'Three and', { done: 'length' }] })).text).toBe('One two.')
  })

  it('stays whole when the hard guard hit and no sentence has ended', async () => {
    expect((await ask({ reply: () => ['one two three', { done: 'length' }] })).text).toBe('one two three')
  })
})

describe('cancelling', () => {
  it('closes the connection in mid-answer and rejects with the reason of the signal', async () => {
    const abort = new AbortController()
    const reason = new Error('superseded')
    const { error, server } = await ask(
      { reply: () => ['One ', { fault: 'hang' }] },
      { signal: abort.signal, onText: () => abort.abort(reason) },
    )
    expect(error).toBe(reason)
    await server.cancelled()
    expect(server.chats).toHaveLength(1)
  })

  it('closes the connection before the first byte', async () => {
    const abort = new AbortController()
    const reply: Reply = async function* () {
      abort.abort()
      yield { fault: 'hang' }
    }
    const { error, server } = await ask({ reply }, { signal: abort.signal })
    expect(error).toBe(abort.signal.reason)
    await server.cancelled()
  })

  it('asks nothing when it is cancelled already', async () => {
    const { error, server } = await ask({}, { signal: AbortSignal.abort('too late') })
    expect(error).toBe('too late')
    expect(server.requests).toEqual([])
  })

  it('does not count as cancelled when the answer was complete', async () => {
    const { server } = await ask({ reply: () => 'One two.' })
    await server.close()
    expect(server.cancels).toBe(0)
  })

  it('closes the connection when onText throws, and passes its error on', async () => {
    const fault = new Error('draft is gone')
    const { error, server } = await ask(
      { reply: () => ['One ', { fault: 'hang' }] },
      {
        onText: () => {
          throw fault
        },
      },
    )
    expect(error).toBe(fault)
    await server.cancelled()
  })
})
