/** The fake's REST server: finds the route, records the request, lets it meet its faults, answers as Discord does. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, bodyOf } from './body.ts'
import type { Fault, Faults } from './faults.ts'
import { Refusal } from './refusal.ts'
import type { Attached } from './world.ts'

export interface RestRequest {
  readonly method: string
  /** The method and the path's pattern; `null` where no such route is known. */
  readonly route: string | null
  /** Without the prefix `/api/v10` and without the query. */
  readonly path: string
  readonly query: Record<string, string>
  readonly body: unknown
  readonly files: readonly Attached[]
  /** Milliseconds of the fake's clock. */
  readonly at: number
  /** What was answered; 0 while nothing was, also when the connection was cut. */
  status: number
}

export interface Call {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Record<string, string>
  readonly body: Body
}

/** Returns the JSON to answer with 200, undefined for 204; throws a `Refusal`. */
export type Handler = (call: Call) => unknown

export interface RestSettings {
  readonly token: string
  readonly routes: Readonly<Record<string, Handler>>
  readonly faults: Faults
  readonly requests: RestRequest[]
  readonly now: () => number
  readonly isDown: () => boolean
}

const PREFIX = /^\/api\/v10/
/** Routes whose token stands in the path. */
const OPEN = /^\w+ \/(interactions|webhooks)\//

export function serveRest(server: Server, settings: RestSettings): void {
  const table = Object.entries(settings.routes).map(([route, handler]) => ({ route, handler, match: matcher(route) }))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (settings.isDown()) request.socket.destroy()
    else answer(settings, table, request, response).catch(() => response.destroy())
  })
}

interface Row {
  readonly route: string
  readonly handler: Handler
  readonly match: (method: string, path: string) => Record<string, string> | null
}

function matcher(route: string): Row['match'] {
  const [method = '', pattern = ''] = route.split(' ')
  const expression = new RegExp(`^${pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
  return (asked, path) => {
    const found = asked === method ? expression.exec(path) : null
    return found === null ? null : { ...found.groups }
  }
}

async function answer(
  settings: RestSettings,
  table: readonly Row[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost')
  const path = url.pathname.replace(PREFIX, '')
  const method = request.method ?? ''
  const body = await bodyOf(request)
  const row = table.find(({ match }) => match(method, path) !== null)
  const query = Object.fromEntries(url.searchParams)
  const record = {
    method,
    route: row?.route ?? null,
    path,
    query,
    body: body.json,
    files: body.files,
    at: settings.now(),
  }
  const entry: RestRequest = { ...record, status: 0 }
  settings.requests.push(entry)
  const fault = settings.faults.take(entry.route ?? '')
  const budget = settings.faults.spend(entry.route ?? '', path, settings.now())
  for (const [name, value] of Object.entries(budget.headers)) response.setHeader(name, value)
  if (await failed(settings, fault, budget.wait, entry, response)) return
  try {
    if (row === undefined) throw new Refusal(404, 0, '404: Not Found')
    if (!OPEN.test(row.route) && request.headers.authorization !== `Bot ${settings.token}`)
      throw new Refusal(401, 0, '401: Unauthorized')
    const parameters = decoded(row.match(method, path) ?? {})
    const result = row.handler({ parameters, query, body })
    if (fault !== null && 'cut' in fault) cut(request, fault.cut)
    else reply(entry, response, result === undefined ? 204 : 200, result)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, errors } = error
    reply(entry, response, status, { message, code, ...(errors && { errors }) })
  }
}

function cut(request: IncomingMessage, how: 'closed' | 'reset'): void {
  if (how === 'reset') request.socket.resetAndDestroy()
  else request.socket.destroy()
}

const decoded = (parameters: Record<string, string>) =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]))

/** True when the fault was the answer, or there will be none. */
async function failed(
  settings: RestSettings,
  fault: Fault | null,
  wait: number | null,
  entry: RestRequest,
  response: ServerResponse,
): Promise<boolean> {
  const limit = fault !== null && 'rateLimited' in fault ? fault.rateLimited : wait
  if (limit !== null) {
    const isGlobal = fault !== null && 'global' in fault && fault.global === true
    limited(entry, response, limit, isGlobal)
    return true
  }
  if (fault === null) return false
  if ('status' in fault) {
    reply(entry, response, fault.status, { message: fault.message ?? `${fault.status}: fault`, code: fault.code ?? 0 })
    return true
  }
  if ('hang' in fault) {
    await settings.faults.cleared()
    return false
  }
  if ('delay' in fault) await sleep(fault.delay)
  return false
}

function limited(entry: RestRequest, response: ServerResponse, seconds: number, isGlobal: boolean): void {
  response.setHeader('retry-after', String(seconds))
  if (!response.hasHeader('x-ratelimit-limit')) {
    response.setHeader('x-ratelimit-limit', '5')
    response.setHeader('x-ratelimit-remaining', '0')
    response.setHeader('x-ratelimit-reset-after', String(seconds))
    response.setHeader('x-ratelimit-bucket', 'fault')
  }
  response.setHeader('x-ratelimit-scope', isGlobal ? 'global' : 'user')
  if (isGlobal) response.setHeader('x-ratelimit-global', 'true')
  reply(entry, response, 429, { message: 'You are being rate limited.', retry_after: seconds, global: isGlobal })
}

function reply(entry: RestRequest, response: ServerResponse, status: number, body: unknown): void {
  entry.status = status
  response.statusCode = status
  // A content type over an empty body makes discord.js throw; Discord sends none.
  if (status === 204) response.end()
  else {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
}
