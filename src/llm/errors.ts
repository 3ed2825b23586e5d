/** What can go wrong between the bot and Ollama, told by the shape of the error and said in a sentence that helps. */

import { isLoopback, showHost } from './host.ts'

/**
 * down: nothing answers · missing: the server lacks the model · memory: the model doesn't fit · cut: the answer broke off
 * no-tools: the model can't call any · empty: no visible word · too-long: the prompt doesn't fit · silent: no byte for too long · refused: any other answer but yes
 */
export type LlmErrorKind =
  | 'down'
  | 'missing'
  | 'memory'
  | 'cut'
  | 'no-tools'
  | 'empty'
  | 'too-long'
  | 'silent'
  | 'refused'

/** The message is a sentence that says what to do. */
export class LlmError extends Error {
  override readonly name = 'LlmError'
  readonly kind: LlmErrorKind
  /** Whether asking once more at once may help. */
  readonly again: boolean

  constructor(
    kind: LlmErrorKind,
    message: string,
    options: { readonly cause?: unknown; readonly again?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.again = options.again ?? false
  }
}

/** Whom was asked for what, from where: what a sentence about a failure needs. */
export interface Asked {
  readonly host: URL
  readonly model: string
  readonly inContainer: boolean
}

const MEMORY = /more system memory|out of memory|insufficient memory|unable to allocate|cudaMalloc failed/i
const TOO_LONG = /exceeds? (?:the )?(?:available )?context|context length|prompt is too long/i
const NO_TOOLS = /does not support tools/i
const SILENT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'])

/**
 * The client library fails in four shapes: an error with `status_code` (HTTP), `TypeError: fetch failed` with a code in
 * its cause (connection), `TypeError: terminated` (connection lost in mid-answer), a plain Error (said inside the stream).
 */
export function toLlmError(error: unknown, asked: Asked): LlmError {
  if (error instanceof LlmError) return error
  const text = error instanceof Error ? error.message : String(error)
  const status = property(error, 'status_code')
  if (typeof status === 'number') return ofStatus(status, text, asked, error)
  if (!(error instanceof TypeError)) return ofStream(text, asked, error)
  const code = String(property(error.cause, 'code') ?? '')
  if (SILENT.has(code)) return silent(asked, 'too long', error)
  if (CUT.has(code) || text === 'terminated')
    return cut(asked, 'lost the connection in the middle of the answer', error)
  return down(asked, code, error)
}

export function silent(asked: Asked, time: string, cause?: unknown): LlmError {
  const sentence = `Ollama at ${showHost(asked.host)} has sent nothing for ${time}: it may be busy or stuck; try again later or use a smaller model.`
  return new LlmError('silent', sentence, { cause })
}

export function empty(model: string): LlmError {
  const sentence = `The model ${model} gave an empty answer: ask again in other words or use another model.`
  return new LlmError('empty', sentence, { again: true })
}

/** @param failure why pulling it failed, when that was tried */
export function missing(asked: Pick<Asked, 'host' | 'model'>, failure: string | null, cause?: unknown): LlmError {
  const tried = failure === null ? '' : ` and pulling it failed (${clip(failure)})`
  const sentence = `The model ${asked.model} is not on the server ${showHost(asked.host)}${tried}: run \`ollama pull ${asked.model}\` there.`
  return new LlmError('missing', sentence, { cause })
}

function down(asked: Asked, code: string, cause: unknown): LlmError {
  const start = `I can't reach Ollama at ${showHost(asked.host)}${code === '' || code === 'ECONNREFUSED' ? '' : ` (${code})`}`
  const elsewhere =
    asked.inContainer && isLoopback(asked.host)
      ? ` Inside a container this address is the container itself: the host is http://host.docker.internal:${asked.host.port || '80'}, a compose service http://ollama:11434.`
      : ''
  const sentence = `${start}: start it with \`ollama serve\`, or set OLLAMA_HOST.${elsewhere}`
  return new LlmError('down', sentence, { cause })
}

function cut(asked: Asked, what: string, cause: unknown): LlmError {
  return new LlmError('cut', `Ollama at ${showHost(asked.host)} ${what}: try again; its log says why.`, {
    cause,
    again: true,
  })
}

function memory(asked: Asked, text: string, cause: unknown): LlmError {
  const sentence = `The model ${asked.model} does not fit into the server's memory (${clip(text)}): use a smaller model or a smaller OLLAMA_CONTEXT.`
  return new LlmError('memory', sentence, { cause })
}

function ofStatus(status: number, text: string, asked: Asked, cause: unknown): LlmError {
  if (MEMORY.test(text)) return memory(asked, text, cause)
  if (status === 404 && /model .*not found/i.test(text)) return missing(asked, null, cause)
  if (status === 400 && NO_TOOLS.test(text)) {
    return new LlmError('no-tools', `The model ${asked.model} does not support tools: use it without.`, { cause })
  }
  if (status < 500 && TOO_LONG.test(text)) {
    return new LlmError(
      'too-long',
      `The conversation is too long for ${asked.model}: send a shorter message or raise OLLAMA_CONTEXT.`,
      {
        cause,
      },
    )
  }
  const sentence =
    status === 404
      ? `What answers at ${showHost(asked.host)} is not Ollama: set OLLAMA_HOST.`
      : `Ollama at ${showHost(asked.host)} refused the request (${status}: ${clip(text)}): its log says why.`
  return new LlmError('refused', sentence, { cause, again: status >= 500 })
}

function ofStream(text: string, asked: Asked, cause: unknown): LlmError {
  if (MEMORY.test(text)) return memory(asked, text, cause)
  return text.startsWith('Did not receive done')
    ? cut(asked, 'broke off in the middle of the answer', cause)
    : cut(asked, `broke off (${clip(text)})`, cause)
}

function clip(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.:]+$/, '')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}
