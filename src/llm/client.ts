/** The language model behind Ollama: one call streams one answer, keeps to its length, and is made again once when it broke. */

import type { ChatRequest, ChatResponse, Message } from 'ollama'
import { estimateTokens } from './budget.ts'
import type { ChatAnswer, ChatMessage, ChatOptions, Llm, ToolCall } from './chat.ts'
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
  let known: Abilities | null = null

  async function abilities(request: RequestOptions): Promise<Abilities> {
    known ??= await abilitiesOf(request)
    return known
  }

  async function attempt(messages: readonly ChatMessage[], options: ChatOptions): Promise<Attempt> {
    const request = { host, model, fetch, silence, signal: options.signal }
    const { thinks } = await abilities(request)
    const body = chatRequest({ model, contextTokens, thinks }, messages, options)
    const { text, toolCalls, ...counts } = await readAnswer(request, body, options)
    if (text.trim() === '' && toolCalls.length === 0) throw empty(model)
    const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
    return {
      text,
      ...(toolCalls.length > 0 && { toolCalls }),
      tokens: counts.tokens,
      promptTokens: counts.promptTokens ?? prompt,
    }
  }

  return {
    model,
    contextTokens,
    async takesTools(signal) {
      return (await abilities({ host, model, fetch, silence, signal })).takesTools
    },
    async chat(messages, options) {
      const started = performance.now()
      const finish = (answer: Attempt, retried: boolean) => ({ ...answer, ms: performance.now() - started, retried })
      try {
        return finish(await attempt(messages, options), false)
      } catch (error) {
        // What the server lists is not always what the model's template can do.
        if (error instanceof LlmError && error.kind === 'no-tools' && known) known = { ...known, takesTools: false }
        if (!(error instanceof LlmError && error.again)) throw error
        return finish(await attempt(messages, options), true)
      }
    },
  }
}

interface Abilities {
  readonly thinks: boolean
  readonly takesTools: boolean
}

async function abilitiesOf(request: RequestOptions): Promise<Abilities> {
  const { capabilities } = await answered(request, (client) => client.show({ model: request.model }))
  const has = (ability: string) => Array.isArray(capabilities) && capabilities.includes(ability)
  return { thinks: has('thinking'), takesTools: has('tools') }
}

function chatRequest(
  model: { readonly model: string; readonly contextTokens: number; readonly thinks: boolean },
  messages: readonly ChatMessage[],
  { maxTokens, format, tools = [] }: ChatOptions,
): ChatRequest & { stream: true } {
  const guard = (format ? maxTokens : 2 * maxTokens + 64) + (model.thinks ? THINKING_TOKENS : 0)
  return {
    model: model.model,
    messages: messages.map(toMessage),
    stream: true,
    // Without num_ctx the server cuts to a small default, the system prompt first.
    options: { num_ctx: model.contextTokens, num_predict: guard },
    ...(model.thinks && { think: false }),
    ...(format && { format }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  }
}

function toMessage({ role, content, toolCalls, toolName }: ChatMessage): Message {
  return {
    role,
    content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ name, arguments: given }) => ({ function: { name, arguments: Object(given) } })),
    }),
    ...(toolName !== undefined && { tool_name: toolName }),
  }
}

/** The calls of one part of a stream, whatever their shape. */
function callsIn(part: ChatResponse): readonly ToolCall[] {
  const calls: unknown = part.message?.tool_calls
  if (!Array.isArray(calls)) return []
  return calls.map((call) => ({
    name: String(call?.function?.name ?? ''),
    arguments: call?.function?.arguments ?? {},
  }))
}

interface Read {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
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
  const toolCalls: ToolCall[] = []
  let text = ''
  let tokens = 0
  let last: ChatResponse | null = null
  for await (const part of streamed(request, (client) => client.chat(body))) {
    const chunk = part.message?.content ?? ''
    const grown = filter.push(chunk)
    if (chunk !== '') tokens += 1
    toolCalls.push(...callsIn(part))
    const stop = bound(grown)
    if (stop !== null) return { text: show(grown.slice(0, stop), text), toolCalls, tokens, promptTokens: null }
    text = show(grown, text)
    if (part.done) last = part
  }
  const whole = filter.end()
  return {
    text: last?.done_reason === 'length' && !options.format ? cutBack(whole) : whole,
    toolCalls,
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
