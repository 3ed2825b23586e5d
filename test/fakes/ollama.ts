/** A server that speaks Ollama's HTTP API with scripted answers and scripted faults, and remembers what it was asked. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The body of a request to /api/chat. */
export interface ChatRequest {
  readonly model: string
  /** What a pull calls the model. */
  readonly name?: string
  readonly stream: boolean
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number }
  readonly think?: boolean
  readonly format?: unknown
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  /** Of a request to /api/embed. */
  readonly input?: readonly string[]
}

/**
 * A chunk of the answer, of its thinking, its tool calls, of a pull; an error inside the stream; a line as it is; or a fault:
 * `cut` closes the connection, `hang` sends nothing more, `end` ends the body without a last part.
 * `status` answers with an HTTP error and is only possible first.
 */
export type Step =
  | string
  | { readonly thinking: string }
  | { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] }
  | {
      readonly progress: {
        readonly status: string
        readonly digest?: string
        readonly completed?: number
        readonly total?: number
      }
    }
  | { readonly error: string }
  | { readonly raw: string }
  | { readonly status: number; readonly error: string }
  | { readonly fault: 'cut' | 'hang' | 'end' }
  | { readonly done: 'stop' | 'length' }

export type Steps = Iterable<Step> | AsyncIterable<Step>

/** `count` numbers the chats, 0 first. A string is sent word by word. To wait, await a promise between two steps. */
export type Reply = (request: ChatRequest, count: number) => string | Steps

export interface Script {
  /** What /api/tags lists besides what was pulled; a chat with another model is a 404. */
  readonly models?: readonly string[]
  readonly capabilities?: readonly string[]
  readonly reply?: Reply
  readonly pull?: () => Steps
  /** The vectors of these texts; a string is an error of the server about them. */
  readonly embed?: (texts: readonly string[]) => readonly (readonly number[])[] | string
}

export interface FakeOllama {
  readonly host: URL
  readonly requests: readonly { readonly path: string; readonly body: unknown }[]
  readonly chats: readonly ChatRequest[]
  /** How many requests the client has closed before their end. */
  readonly cancels: number
  /** Resolves when `cancels` has reached 1, or at once. */
  readonly cancelled: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startOllama(script: Script = {}): Promise<FakeOllama> {
  const seen: Seen = { requests: [], chats: [], pulled: [] }
  const waiting: (() => void)[] = []
  let cancels = 0
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (response.writableEnded || cutByUs.has(response)) return
      cancels += 1
      for (const resume of waiting.splice(0)) resume()
    })
    textOf(request)
      .then((text) => answer(script, seen, request.url ?? '', text === '' ? {} : JSON.parse(text), response))
      .catch((error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    ...seen,
    host: new URL(`http://127.0.0.1:${address.port}`),
    get cancels() {
      return cancels
    },
    cancelled: () => (cancels > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Seen {
  readonly requests: { readonly path: string; readonly body: unknown }[]
  readonly chats: ChatRequest[]
  readonly pulled: string[]
}

async function answer(script: Script, seen: Seen, path: string, body: ChatRequest, response: ServerResponse) {
  const models = [...(script.models ?? ['test:latest']), ...seen.pulled]
  const { capabilities = ['completion'], reply = () => 'Hello there.' } = script
  const knows = models.some((model) => model === body.model || model === `${body.model}:latest`)
  seen.requests.push({ path, body })
  if (path === '/api/tags')
    return sendJson(response, 200, { models: models.map((name) => ({ name, model: name, digest: digestOf(name) })) })
  if (path === '/api/version') return sendJson(response, 200, { version: '0.17.4' })
  if (path === '/api/pull') {
    seen.pulled.push(String(body.model ?? body.name))
    return play(response, script.pull?.() ?? [], { status: 'success' })
  }
  if (path === '/api/embed' && knows) return sendVectors(response, script.embed?.(body.input ?? []) ?? [])
  if (path === '/api/embed') return sendJson(response, 404, { error: `model '${body.model}' not found` })
  if (path !== '/api/show' && path !== '/api/chat') return sendJson(response, 404, { error: 'not found' })
  if (path === '/api/chat') seen.chats.push(body)
  if (!knows) return sendJson(response, 404, { error: `model '${body.model}' not found` })
  if (path === '/api/show') return sendJson(response, 200, { capabilities })
  const steps = reply(body, seen.chats.length - 1)
  return play(response, typeof steps === 'string' ? steps.split(/(?<= )/) : steps, null)
}

function sendVectors(response: ServerResponse, vectors: readonly (readonly number[])[] | string): void {
  const isError = typeof vectors === 'string'
  sendJson(response, isError ? 400 : 200, isError ? { error: vectors } : { model: 'test', embeddings: vectors })
}

/** A digest as long as the real ones. */
function digestOf(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)
}

const cutByUs = new WeakSet<ServerResponse>()

/** Sends the steps, and `last` (or a chat's last part) when none of them ended the answer. */
async function play(response: ServerResponse, steps: Steps, last: object | null): Promise<void> {
  const send = (value: unknown) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
  }
  let count = 0
  for await (const step of steps) {
    if (response.closed) return
    count += 1
    if (typeof step === 'string') send(chatPart({ content: step }))
    else if ('thinking' in step) send(chatPart({ content: '', thinking: step.thinking }))
    else if ('calls' in step)
      send(chatPart({ content: '', tool_calls: step.calls.map((call) => ({ function: call })) }))
    else if ('progress' in step) send(step.progress)
    else if ('raw' in step) send(step.raw)
    else if ('status' in step) return sendJson(response, step.status, { error: step.error })
    else if ('error' in step) {
      send({ error: step.error })
      return void response.end()
    } else if ('done' in step) {
      send(donePart(step.done, count - 1))
      return void response.end()
    } else if (step.fault === 'cut') {
      cutByUs.add(response)
      return void response.destroy()
    } else if (step.fault === 'end') return void response.end()
    else return
  }
  send(last ?? donePart('stop', count))
  response.end()
}

function chatPart(message: object): object {
  return { model: 'test', message: { role: 'assistant', ...message }, done: false }
}

function donePart(reason: string, count: number): object {
  const message = { role: 'assistant', content: '' }
  return { model: 'test', message, done: true, done_reason: reason, prompt_eval_count: 12, eval_count: count }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
