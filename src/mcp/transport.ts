/** The ways to a server of tools: a child process that ends with the bot, and HTTP. Messages are bounded. */

import { type ChildProcess, spawn } from 'node:child_process'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Reached } from './configuration.ts'

/** A server that sends more at once is left. */
const MOST_BYTES = 4 * 1024 * 1024
/** A child that is told to end has so long, twice, before it is killed. */
const END_WITHIN_MS = 500
const isPosix = process.platform !== 'win32'

export function transportTo(reached: Reached): Transport {
  return 'command' in reached ? childTransport(reached) : httpTransport(reached)
}

function childTransport({ command, args, env }: Extract<Reached, { command: string }>): Transport {
  const buffer = new ReadBuffer({ maxBufferSize: MOST_BYTES })
  let child: ChildProcess | null = null
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        // Of the bot's own variables it gets none but those that every program needs. In a group of its own, so that
        // what it has started ends with it, and an interrupt at the terminal is the bot's alone.
        const started = spawn(command, args, {
          env: { ...getDefaultEnvironment(), ...env },
          stdio: ['pipe', 'pipe', 'ignore'],
          detached: isPosix,
          windowsHide: true,
        })
        child = started
        started.on('spawn', () => {
          endWithUs(started)
          resolve()
        })
        started.on('error', reject)
        started.stdin.on('error', () => {})
        started.stdout.on('data', (chunk: Buffer) => read(buffer, chunk, transport))
        // Not `close`: what it has started may hold its output open.
        started.on('exit', () => {
          alive.delete(started)
          kill(started, 'SIGKILL')
          transport.onclose?.()
        })
      }),
    async send(message) {
      if (!child?.stdin?.writable) throw new Error('the server has ended')
      child.stdin.write(serializeMessage(message))
    },
    async close() {
      if (child !== null) await end(child)
    },
  }
  return transport
}

const alive = new Set<ChildProcess>()

/** Whatever way this process ends, short of being killed. */
function endWithUs(child: ChildProcess): void {
  if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll)
  alive.add(child)
}

function killAll(): void {
  for (const child of alive) kill(child, 'SIGKILL')
}

/** What is no message is passed over: some servers print other things, too. */
function read(buffer: ReadBuffer, chunk: Buffer, transport: Transport): void {
  try {
    buffer.append(chunk)
  } catch {
    return void transport.close()
  }
  while (true) {
    try {
      const message = buffer.readMessage()
      if (message === null) return
      transport.onmessage?.(message)
    } catch {
      // The line is gone from the buffer.
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
  const inTime = () =>
    Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, END_WITHIN_MS, false).unref())])
  child.stdin?.end()
  if (await inTime()) return
  kill(child, 'SIGTERM')
  if (await inTime()) return
  kill(child, 'SIGKILL')
  await ended
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (isPosix) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It has ended, and all that it started.
  }
}

/** The token of a header goes to no other host: redirects are followed within the origin only. */
function httpTransport({ url, headers }: Extract<Reached, { url: URL }>): Transport {
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
}

/** Nothing is awaited from a server but answers, so that there is no need of the stream that a bare GET would open. */
const boundedFetch: FetchLike = async (url, init) => {
  if (init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')) {
    return new Response(null, { status: 405 })
  }
  const response = await fetch(url, init)
  if (response.body === null) return response
  let bytes = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) throw new Error('the answer is too long')
      out.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers })
}
