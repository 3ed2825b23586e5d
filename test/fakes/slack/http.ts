/** The HTTP side: the Web API, files behind the bot's token, and addresses to answer interactions at. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, answer } from './api.ts'
import type { Fault, Faults } from './faults.ts'
import { Refused } from './refused.ts'
import type { Data } from './world.ts'

export interface Recorded {
  readonly method: string
  /** What was JSON inside the form is parsed. */
  readonly args: Data
  readonly token: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** What was answered; a fault's name or an HTTP status where there was no answer of Slack's. Absent while it works. */
  answer?: Data | string | number
}

export interface HttpOptions {
  readonly api: Api
  readonly faults: Faults
  readonly requests: Recorded[]
  readonly isDown: () => boolean
  readonly upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  readonly changed: () => void
}

export async function listen(options: HttpOptions): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((request, response) => {
    if (options.isDown()) return void request.socket.destroy()
    route(options, request, response).catch((error) => {
      // A fault of the fake's own: the test must see it.
      response.writeHead(500).end(String(error))
      options.requests.push({ method: 'fake', args: {}, token: '', at: Date.now(), answer: String(error) })
    })
  })
  server.on('upgrade', (request, stream, head) =>
    options.isDown() ? stream.destroy() : options.upgrade(request, stream, head),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

async function route(options: HttpOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, area = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  if (area === 'files-pri') return sendFile(options.api, rest[0] ?? '', tokenOf(request, {}), response)
  const args = parse(await textOf(request), request.headers['content-type'] ?? '')
  const name = area === 'response' ? 'response_url' : rest.join('/')
  if (area !== 'response' && area !== 'api') return void response.writeHead(404).end()
  const credentials = basicOf(request)
  const recorded: Recorded = { method: name, args, token: tokenOf(request, args), at: options.api.backend.now() }
  options.requests.push(recorded)
  const act = () =>
    area === 'api'
      ? answer(options.api, { ...recorded, args: { ...args, ...credentials } })
      : answerAt(options.api, rest[0] ?? '', args)
  const scopes = scopesOf(options.api, recorded.token)
  if (scopes !== null) response.setHeader('x-oauth-scopes', scopes)
  await perform(options, recorded, act, request, response)
  options.changed()
}

async function perform(
  { faults }: HttpOptions,
  recorded: Recorded,
  act: () => Data,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fault: Fault | Record<never, never> = faults.take(recorded.method) ?? {}
  const end = (status: number, body: Data, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  }
  if ('hang' in fault) recorded.answer = 'hang'
  else if ('cut' in fault) {
    if (fault.cut === 'after') act()
    recorded.answer = `cut ${fault.cut}`
    request.socket.destroy()
  } else if ('retryAfter' in fault) {
    recorded.answer = 429
    end(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(fault.retryAfter) })
  } else if ('status' in fault) {
    recorded.answer = fault.status
    end(fault.status, {})
  } else {
    if ('slow' in fault) await wait(fault.slow)
    recorded.answer = 'error' in fault ? { ok: false, error: fault.error } : act()
    end(recorded.method === 'response_url' && recorded.answer['ok'] === false ? 404 : 200, recorded.answer)
  }
}

function answerAt(api: Api, id: string, body: Data): Data {
  try {
    api.desk.answerAt(id, body)
    return { ok: true }
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

/** What Slack tells with every answer to a bot token. */
function scopesOf({ backend }: Api, token: string): string | null {
  const team = [...backend.world.teams.values()].find(({ botToken }) => botToken === token)
  return team === undefined || team.scopes.size === 0 ? null : [...team.scopes].join(',')
}

/** A file needs the bot's token; without it Slack sends people to its sign-in page. */
function sendFile(api: Api, id: string, token: string, response: ServerResponse): void {
  const file = api.backend.world.files.get(id)
  const team = [...api.backend.world.teams.values()].find(({ botToken }) => botToken === token)
  if (team === undefined || team.isRevoked || !team.scopes.has('files:read'))
    return void response.writeHead(302, { location: `${api.backend.origin()}/signin` }).end()
  if (file === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.bytes.length }).end(file.bytes)
}

function tokenOf({ headers }: IncomingMessage, args: Data): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  return bearer ?? (typeof args['token'] === 'string' ? args['token'] : '')
}

/** `oauth.v2.access` may carry the client's id and secret in the header. */
function basicOf({ headers }: IncomingMessage): Data {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return {}
  const [id, secret] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return { client_id: id, client_secret: secret }
}

const STRUCTURED = ['blocks', 'chunks', 'metadata', 'attachments', 'view', 'prompts', 'loading_messages']

/** A form with JSON in some of its fields, or JSON. What is not JSON where it should be stays a string. */
function parse(text: string, type: string): Data {
  if (type.includes('application/json')) return text === '' ? {} : JSON.parse(text)
  const parsed: Data = {}
  for (const [name, value] of new URLSearchParams(text)) parsed[name] = STRUCTURED.includes(name) ? read(value) : value
  return parsed
}

function read(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
