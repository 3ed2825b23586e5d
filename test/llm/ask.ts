/** Asks a scripted server one question over a real connection, and tells all that came of it. */

import { afterEach } from 'vitest'
import type { ChatOptions } from '../../src/llm/chat.ts'
import { createLlm } from '../../src/llm/client.ts'
import { LlmError } from '../../src/llm/errors.ts'
import type { Silence } from '../../src/llm/request.ts'
import { type FakeOllama, type Reply, type Script, type Step, startOllama } from '../fakes/ollama.ts'

const open: FakeOllama[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

export async function start(script: Script = {}) {
  const server = await startOllama(script)
  open.push(server)
  return server
}

export const QUESTION = [{ role: 'user', content: 'Hi' }] as const

export async function ask(script: Script, options: Partial<ChatOptions> & { silence?: Silence; model?: string } = {}) {
  const server = await start(script)
  const { silence = { first: 60_000, next: 60_000 }, model = 'test', ...rest } = options
  const llm = createLlm({ host: server.host, model, contextTokens: 2048, silence })
  const seen: string[] = []
  const answer = llm.chat(QUESTION, {
    signal: new AbortController().signal,
    maxTokens: 100,
    onText: (text) => seen.push(text),
    ...rest,
  })
  const outcome = await answer.then(
    (value) => ({ ...value, error: null }),
    (error: unknown) => ({ text: null, retried: null, tokens: null, promptTokens: null, error }),
  )
  return { ...outcome, seen, server }
}

export function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** A reply that plays each script once and the last one for ever. */
export function inTurn(...scripts: readonly (readonly Step[])[]): Reply {
  return (_request, count) => scripts[Math.min(count, scripts.length - 1)] ?? []
}

export function kindOf(error: unknown): string {
  return error instanceof LlmError ? error.kind : `not an LlmError: ${String(error)}`
}
