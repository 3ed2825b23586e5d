/** One request to Ollama that can be cancelled, notices silence, and fails with an LlmError. Knows nothing of chat. */

import { existsSync } from 'node:fs'
import { Ollama } from 'ollama'
import { silent, toLlmError } from './errors.ts'

/** Milliseconds without a byte that count as failure: before the first (requests queue at the server) and after it. */
export interface Silence {
  readonly first: number
  readonly next: number
}

export const SILENCE: Silence = { first: 5 * 60_000, next: 30_000 }

export interface RequestOptions {
  readonly host: URL
  readonly model: string
  readonly signal: AbortSignal
  readonly fetch: typeof fetch
  readonly silence: Silence
}

/**
 * Yields what `start` streams. Leaving the loop early closes the connection.
 * @throws LlmError, or the reason of an aborted signal
 */
export async function* streamed<T>(
  options: RequestOptions,
  start: (client: Ollama) => Promise<Iterable<T> | AsyncIterable<T>>,
): AsyncGenerator<T, void> {
  const asked = { host: options.host, model: options.model, inContainer: isContainer() }
  const closing = new AbortController()
  const watch = watchSilence(options.silence, (time) => closing.abort(silent(asked, time)))
  const signals = [options.signal, closing.signal]
  const client = new Ollama({
    host: options.host.href,
    fetch: (url, init) => watchedFetch(options.fetch, signals, watch, url, init),
  })
  let whole = false
  try {
    for await (const part of await start(client)) yield part
    whole = true
  } catch (error) {
    options.signal.throwIfAborted()
    throw toLlmError(error, asked)
  } finally {
    watch.stop()
    if (!whole) closing.abort()
  }
}

/** The one answer of a request that doesn't stream. */
export async function answered<T>(options: RequestOptions, ask: (client: Ollama) => Promise<T>): Promise<T> {
  const answers: T[] = []
  for await (const answer of streamed(options, async (client) => [await ask(client)])) answers.push(answer)
  const [answer] = answers
  if (answer === undefined) throw new Error('The request gave no answer')
  return answer
}

type Fetch = typeof fetch
type Watch = ReturnType<typeof watchSilence>

function watchSilence(silence: Silence, onSilence: (time: string) => void) {
  const arm = (ms: number) => setTimeout(() => onSilence(duration(ms)), ms)
  let timer: NodeJS.Timeout | null = arm(silence.first)
  const stop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    stop,
    heard() {
      if (timer === null) return
      clearTimeout(timer)
      timer = arm(silence.next)
    },
  }
}

/** The library prints what it can't parse: it gets only lines of JSON objects, and errors as JSON. */
async function watchedFetch(
  fetch: Fetch,
  signals: readonly AbortSignal[],
  watch: Watch,
  url: Parameters<Fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const signal = AbortSignal.any([...signals, ...(init.signal ? [init.signal] : [])])
  const response = await fetch(url, { ...init, signal })
  const headers = { 'content-type': 'application/json' }
  if (!response.ok) {
    const error = errorText(await response.text()) || response.statusText
    return new Response(JSON.stringify({ error }), { status: response.status, headers })
  }
  if (response.body === null) throw new Error('the answer has no body')
  const lines = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(linesOfJson(watch))
    .pipeThrough(new TextEncoderStream())
  return new Response(lines, { status: response.status, headers })
}

function linesOfJson(watch: Watch): TransformStream<string, string> {
  let rest = ''
  const pass = (line: string, out: TransformStreamDefaultController<string>) => {
    if (line.trim() === '') return
    if (!isJsonObject(line)) throw new Error('it sent something that is not JSON')
    out.enqueue(`${line}\n`)
  }
  return new TransformStream({
    transform(chunk, out) {
      watch.heard()
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) pass(line, out)
    },
    flush(out) {
      pass(rest, out)
    },
  })
}

function errorText(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) return String(parsed.error)
  } catch {
    // An answer that is not JSON is quoted as it is.
  }
  return body
}

function isJsonObject(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null
  } catch {
    return false
  }
}

function duration(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 1000)} seconds`
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
