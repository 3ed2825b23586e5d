/** The language model behind Ollama: one call streams one answer, keeps to its length, and is made again once when it broke. */

import type { ChatRequest, ChatResponse } from 'ollama'
import { estimateTokens } from './budget.ts'
import type { ChatAnswer, ChatMessage, ChatOptions, Llm } from './chat.ts'
import { empty, LlmError } from './errors.ts'
import { answered, type RequestOptions, SILENCE, type Silence, streamed } from './request.ts'
import { cutBack, stops } from './sentences.ts'
import { createThinkingFilter } from './thinking.ts'

/** Some models think although they are told not to; their thoughts count as tokens of the answer. */
const THINKING_TOKENS = 1024

export interface LlmSettings {
  readonly host: URL
  readonly model: string
  readonly contextTokens: number
  readonly fetch?: typeof fetch
  readonly silence?: Silence
}

type Attempt = Omit<ChatAnswer, 'ms' | 'retried'>

/** @returns a model that asks the server what the model can do once, before the first call */
export function createLlm({
  host,
  model,
  contextTokens,
  fetch = globalThis.fetch,
  silence = SILENCE,
}: LlmSettings): Llm {
  let thinks: boolean | null = null

  async function attempt(messages: readonly ChatMessage[], options: ChatOptions): Promise<Attempt> {
    const request = { host, model, fetch, silence, signal: options.signal }
    thinks ??= await canThink(request)
    const body = chatRequest({ model, contextTokens, thinks }, messages, options)
    const { text, ...counts } = await readAnswer(request, body, options)
    if (text.trim() === '') throw empty(model)
    const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
    return { text, tokens: counts.tokens, promptTokens: counts.promptTokens ?? prompt }
  }

  return {
    model,
    contextTokens,
    async chat(messages, options) {
      const started = performance.now()
      const finish = (answer: Attempt, retried: boolean) => ({ ...answer, ms: performance.now() - started, retried })
      try {
        return finish(await attempt(messages, options), false)
      } catch (error) {
        if (!(error instanceof LlmError && error.again)) throw error
        return finish(await attempt(messages, options), true)
      }
    },
  }
}

async function canThink(request: RequestOptions): Promise<boolean> {
  const { capabilities } = await answered(request, (client) => client.show({ model: request.model }))
  return Array.isArray(capabilities) && capabilities.includes('thinking')
}

function chatRequest(
  model: { readonly model: string; readonly contextTokens: number; readonly thinks: boolean },
  messages: readonly ChatMessage[],
  { maxTokens, format }: ChatOptions,
): ChatRequest & { stream: true } {
  const guard = (format ? maxTokens : 2 * maxTokens + 64) + (model.thinks ? THINKING_TOKENS : 0)
  return {
    model: model.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    // Without num_ctx the server cuts to a small default, the system prompt first.
    options: { num_ctx: model.contextTokens, num_predict: guard },
    ...(model.thinks && { think: false }),
    ...(format && { format }),
  }
}

interface Read {
  readonly text: string
  readonly tokens: number
  readonly promptTokens: number | null
}

async function readAnswer(
  request: RequestOptions,
  body: ChatRequest & { stream: true },
  options: ChatOptions,
): Promise<Read> {
  const filter = createThinkingFilter()
  const bound = options.format ? () => null : createBound(options.maxTokens)
  const show = (text: string, seen: string) => {
    if (text !== seen && text.trim() !== '') options.onText?.(text)
    return text
  }
  let text = ''
  let tokens = 0
  let last: ChatResponse | null = null
  for await (const part of streamed(request, (client) => client.chat(body))) {
    const chunk = part.message?.content ?? ''
    const grown = filter.push(chunk)
    if (chunk !== '') tokens += 1
    const stop = bound(grown)
    if (stop !== null) return { text: show(grown.slice(0, stop), text), tokens, promptTokens: null }
    text = show(grown, text)
    if (part.done) last = part
  }
  const whole = filter.end()
  return {
    text: last?.done_reason === 'length' && !options.format ? cutBack(whole) : whole,
    tokens: last?.eval_count ?? tokens,
    promptTokens: last?.prompt_eval_count ?? null,
  }
}

/**
 * Watches an answer grow: once it has `maxTokens`, says where it may stop.
 * A chunk is a token with Ollama; a proxy may join chunks, so length counts as well.
 */
function createBound(maxTokens: number) {
  let chunks = 0
  let length = 0
  let least: number | null = null
  return (text: string): number | null => {
    if (text.length > length) chunks += 1
    length = text.length
    if (least === null && Math.max(chunks, length / 5) >= maxTokens) least = text.trimEnd().length
    const from = least
    if (from === null) return null
    // The end of the text isn't trusted while more may come.
    return stops(text).find((stop) => stop >= from && stop < text.trimEnd().length) ?? null
  }
}
