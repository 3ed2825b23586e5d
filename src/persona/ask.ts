/** The model as the nightly work uses it: only while nobody waits for a reply, each call bounded and counted. */

import { z } from 'zod'
import type { ChatMessage, Llm } from '../llm/chat.ts'
import type { Prompts } from '../prompts.ts'

/** A call that takes longer is given up; a small machine writes a detailed reply in a third of it. */
const CALL_MS = 300_000

/** What the model said is not what it was asked for. */
export class UnreadableAnswer extends Error {}

export interface Asker {
  readonly prompts: Prompts
  readonly contextTokens: number
  /** Calls so far. */
  readonly calls: () => number
  /** @throws LlmError, the signal's reason, or a TimeoutError */
  text(messages: readonly ChatMessage[], maxTokens: number): Promise<string>
  /** @throws UnreadableAnswer besides */
  json<T>(content: string, schema: z.ZodType<T>, maxTokens: number): Promise<T>
}

export interface AskOptions {
  readonly llm: Llm
  readonly prompts: Prompts
  readonly signal: AbortSignal
  /** Resolves as soon as nobody waits for a reply; asked before each call. */
  readonly quiet?: (() => Promise<void>) | undefined
  /** Of one call, in milliseconds. */
  readonly callMs?: number | undefined
}

export function createAsker({ llm, prompts, signal, quiet, callMs = CALL_MS }: AskOptions): Asker {
  let calls = 0
  async function chat(
    messages: readonly ChatMessage[],
    options: { readonly maxTokens: number; readonly format?: object },
  ) {
    await quiet?.()
    signal.throwIfAborted()
    calls += 1
    const { text } = await llm.chat(messages, {
      ...options,
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]),
    })
    return text
  }
  return {
    prompts,
    contextTokens: llm.contextTokens,
    calls: () => calls,
    text: (messages, maxTokens) => chat(messages, { maxTokens }),
    async json(content, schema, maxTokens) {
      const text = await chat([{ role: 'user', content }], { maxTokens, format: z.toJSONSchema(schema) })
      try {
        return schema.parse(JSON.parse(text))
      } catch (error) {
        throw new UnreadableAnswer('Expected the model to answer with JSON of the given form', { cause: error })
      }
    },
  }
}

/** A text of a person as data: no tag in it ends the tags around it. */
export function quotedText(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›')
}
