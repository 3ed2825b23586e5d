/** Slack's side of Socket Mode: tickets, the hello, envelopes out and acknowledgements in. */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Delivery } from './delivery.ts'
import type { Data } from './world.ts'

export type Reason = 'refresh_requested' | 'warning' | 'too_many_websockets' | 'link_disabled'

export interface SocketOptions {
  readonly origin: () => string
  readonly acknowledge: (envelopeId: string, payload: Data) => void
  readonly changed: () => void
}

/** Slack's own limit per app. */
const MOST = 10
/** Milliseconds. */
const PARTING = 100

export type Sockets = ReturnType<typeof openSockets>

export function openSockets(options: SocketOptions) {
  // Pongs are answered by hand, so that a test can keep them back.
  const server = new WebSocketServer({ noServer: true, autoPong: false })
  const tickets = new Set<string>()
  const open: WebSocket[] = []
  const fault = { isMute: false, withholdsHello: false }
  let opened = 0
  let turn = 0

  const take = (socket: WebSocket) => {
    const forget = () => {
      const index = open.indexOf(socket)
      if (index >= 0) open.splice(index, 1)
      options.changed()
    }
    socket.on('close', forget)
    socket.on('error', forget)
    socket.on('ping', (data) => void (fault.isMute || socket.pong(data)))
    socket.on('message', (data) => {
      const { envelope_id: envelopeId, payload } = JSON.parse(String(data))
      options.acknowledge(envelopeId, payload)
    })
    if (open.length >= MOST) return say(socket, { type: 'disconnect', reason: 'too_many_websockets' })
    if (fault.withholdsHello) return
    open.push(socket)
    say(socket, {
      type: 'hello',
      num_connections: open.length,
      debug_info: { host: 'applink-fake', build_number: 1, approximate_connection_time: 18060 },
      connection_info: { app_id: 'A1' },
    })
    options.changed()
  }

  return {
    fault,
    /** A new address, good for one connection: what `apps.connections.open` answers. */
    address(): string {
      opened += 1
      tickets.add(String(opened))
      return `${options.origin().replace('http', 'ws')}/link/?ticket=${opened}`
    },
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      const ticket = new URL(request.url ?? '', options.origin()).searchParams.get('ticket') ?? ''
      if (!tickets.delete(ticket)) return void stream.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      server.handleUpgrade(request, stream, head, take)
    },
    /** Sends it to one of the open sockets, each in turn. @returns False when none is open. */
    carry(delivery: Delivery): boolean {
      const socket = open[turn % Math.max(1, open.length)]
      turn += 1
      if (socket === undefined) return false
      const { envelopeId, type, payload, attempt, reason } = delivery
      say(socket, {
        envelope_id: envelopeId,
        type,
        accepts_response_payload: type !== 'events_api',
        payload,
        ...(type === 'events_api' ? { retry_attempt: attempt, retry_reason: reason ?? '' } : {}),
      })
      return true
    },
    /** How many have been greeted and are open. */
    get count() {
      return open.length
    },
    /** How many addresses were ever given. */
    get opened() {
      return opened
    },
    /** Asks every client to connect anew. */
    refresh(reason: Reason): void {
      for (const socket of [...open]) say(socket, { type: 'disconnect', reason, debug_info: { host: 'applink-fake' } })
    },
    /** Cuts the connections without a word. */
    drop(): void {
      for (const socket of server.clients) socket.terminate()
    },
    /** Lets a client that is taking its leave finish, for a moment; then cuts what is left. */
    async close(): Promise<void> {
      const left = [...server.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      await Promise.race([Promise.all(left), wait(PARTING)])
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

function say(socket: WebSocket, message: Data): void {
  socket.send(JSON.stringify(message))
}
