/** One connection to a server of tools, from its greeting to its end. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolResultSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { Log } from '../log.ts'
import type { Server } from './configuration.ts'
import { type Call, type OfferedTool, toolAction } from './tool.ts'
import { transportTo } from './transport.ts'

const MOST_PAGES = 20
/** Within which a server gives a sign of life. */
const PING_MS = 5000

/** Milliseconds: until a server has started; between attempts, which double up to the most. */
export interface Patience {
  readonly startMs: number
  readonly firstMs: number
  readonly mostMs: number
}

export interface Connecting {
  readonly log: Log
  readonly signal: AbortSignal
  readonly patience: Patience
}

export interface Session {
  /** Those that are allowed, as actions. */
  readonly tools: readonly OfferedTool[]
  /** The names of all. */
  readonly listed: readonly string[]
  /** Resolves when the server is gone, and its process ended. */
  readonly ended: Promise<void>
}

/** @throws Error when the server does not start in time, or does not speak the protocol */
export async function connect(server: Server, { log, signal, patience }: Connecting): Promise<Session> {
  const client = new Client({ name: 'attune', version: '1' })
  const transport = transportTo(server.reached)
  const close = () => void client.close()
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve
  }).then(() => {
    signal.removeEventListener('abort', close)
    return transport.close()
  })
  const options = { timeout: patience.startMs, maxTotalTimeout: patience.startMs, signal: apart(signal) }
  try {
    await client.connect(transport, options)
    const listed = await listTools(client, options)
    signal.throwIfAborted()
    signal.addEventListener('abort', close)
    const check = checking(client)
    client.onerror = check
    const allowed = listed.filter(({ name }) => server.tools.includes(name))
    const tools = toolsFrom(server, allowed, calling(client, server, check), log)
    return { tools, listed: listed.map(({ name }) => name), ended }
  } catch (error) {
    await transport.close()
    throw error
  }
}

/** All pages. Not by the library's `listTools`, which refuses every tool when one has an output schema that it can't compile. */
async function listTools(client: Client, options: RequestOptions): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || (cursor !== undefined && page < MOST_PAGES); page++) {
    const params = cursor === undefined ? {} : { cursor }
    const next = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, options)
    tools.push(...next.tools)
    cursor = next.nextCursor
  }
  return tools
}

function toolsFrom(server: Server, listed: readonly ListedTool[], call: Call, log: Connecting['log']) {
  const validator = new AjvJsonSchemaValidator()
  return listed.flatMap((tool) => {
    try {
      return [toolAction(server, tool, call, (schema) => validator.getValidator(schema))]
    } catch (error) {
      log.warn({ server: server.name, tool: tool.name, error }, 'a tool has a schema that can not be checked')
      return []
    }
  })
}

function calling(client: Client, { timeoutMs }: Server, check: () => void): Call {
  return async (name, given, signal) => {
    const options = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal: apart(signal) }
    const params = { name, arguments: given }
    try {
      return await client.request({ method: 'tools/call', params }, CallToolResultSchema, options)
    } catch (error) {
      signal.throwIfAborted()
      if (!isAnswer(error)) check()
      throw error
    }
  }
}

/** The library never takes its listeners off, which would gather at a signal that lives as long as the bot. */
function apart(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal])
}

/** An error that the server itself sent: it is alive. */
function isAnswer(error: unknown): boolean {
  return error instanceof McpError && ![ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout].includes(error.code)
}

/** Asks once at a time for a sign of life, and leaves a server that gives none: it is connected anew. */
function checking(client: Client): () => void {
  let isAsking = false
  return () => {
    if (isAsking) return
    isAsking = true
    client
      .ping({ timeout: PING_MS })
      .catch(() => client.close())
      .finally(() => {
        isAsking = false
      })
  }
}
