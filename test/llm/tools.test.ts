/** Tools over a real connection: how they are offered, how calls come back, and models that take none. */

import { describe, expect, test } from 'vitest'
import { createLlm } from '../../src/llm/client.ts'
import type { Script } from '../fakes/ollama.ts'
import { ask, inTurn, kindOf, start } from './ask.ts'

const TOOL = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } }
const CALLS = [
  { name: 'add', arguments: { a: 1 } },
  { name: 'add', arguments: { a: 2 } },
]

describe('a call with tools', () => {
  test('offers them, streams text, and gives all calls in their order', async () => {
    const reply = () => ['Let me ', 'see.', { calls: CALLS.slice(0, 1) }, { calls: CALLS.slice(1) }]
    const answer = await ask({ reply, capabilities: ['completion', 'tools'] }, { tools: [TOOL] })
    expect(answer).toMatchObject({ text: 'Let me see.', toolCalls: CALLS, error: null })
    expect(answer.seen).toEqual(['Let me ', 'Let me see.'])
    expect(answer.server.chats[0]?.tools).toEqual([{ type: 'function', function: TOOL }])
  })

  test('may be answered by calls alone, which is no empty answer', async () => {
    expect(await ask({ reply: () => [{ calls: CALLS }] }, { tools: [TOOL] })).toMatchObject({
      text: '',
      retried: false,
    })
  })

  test('that are no list are none', async () => {
    const raw = JSON.stringify({ message: { role: 'assistant', content: 'Hm.', tool_calls: 'add(1)' }, done: false })
    const answer = await ask({ reply: () => [{ raw }] }, { tools: [TOOL] })
    expect(answer).toMatchObject({ text: 'Hm.', error: null })
    expect(answer).not.toHaveProperty('toolCalls')
  })

  test('sends calls and results back as the server takes them', async () => {
    const server = await start()
    const llm = createLlm({ host: server.host, model: 'test', contextTokens: 2048 })
    const messages = [
      { role: 'assistant', content: '', toolCalls: CALLS.slice(0, 1) },
      { role: 'tool', content: '3', toolName: 'add' },
    ] as const
    await llm.chat(messages, { signal: new AbortController().signal, maxTokens: 9 })
    expect(server.chats[0]?.messages).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ function: CALLS[0] }] },
      { role: 'tool', content: '3', tool_name: 'add' },
    ])
  })
})

describe('whether a model takes tools', () => {
  const asking = async (script: Script) => {
    const server = await start(script)
    const llm = createLlm({ host: server.host, model: 'test', contextTokens: 2048 })
    return { llm, server, signal: new AbortController().signal }
  }

  test.each([
    [['completion', 'tools'], true],
    [['completion'], false],
  ])('is told by the server once: %j', async (capabilities, takes) => {
    const { llm, server, signal } = await asking({ capabilities })
    expect([await llm.takesTools?.(signal), await llm.takesTools?.(signal)]).toEqual([takes, takes])
    expect(server.requests.filter(({ path }) => path === '/api/show')).toHaveLength(1)
  })

  test('is no longer believed once it was refused', async () => {
    const error = '"registry.ollama.ai/library/test" does not support tools'
    const { llm, signal } = await asking({
      capabilities: ['completion', 'tools'],
      reply: inTurn([{ status: 400, error }], ['Hi.']),
    })
    expect(await llm.takesTools?.(signal)).toBe(true)
    const refused = await llm
      .chat([{ role: 'user', content: 'Hi' }], { signal, maxTokens: 9, tools: [TOOL] })
      .catch((reason: unknown) => reason)
    expect(kindOf(refused)).toBe('no-tools')
    expect(await llm.takesTools?.(signal)).toBe(false)
  })
})
