/** The fake's gateway: sessions over WebSocket with heartbeats, resumption and everything that can go wrong with them. */

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { GatewayIntentBits } from 'discord.js'
import { type WebSocket, WebSocketServer } from 'ws'
import { isRecord } from './body.ts'
import type { Payload } from './world.ts'

export interface Session {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [index: number, count: number]
  /** Everything sent, to be sent again after a resumption; the first has number 1. */
  readonly sent: { readonly t: string; readonly d: unknown }[]
  /** Null while the client is away; it may resume. */
  socket: WebSocket | null
}

/** Where an event goes: a guild's shard, or shard 0 without one; only to sessions with this intent (0: to all). */
export interface Audience {
  readonly guildId: string | null
  readonly intent: number
}

export interface GatewaySettings {
  readonly token: string
  /** Whether the message content switch of the portal is on. */
  readonly messageContent: boolean
  /** Milliseconds between heartbeats. */
  readonly heartbeat: number
  /** What a new session is told: READY's data, then dispatches. */
  readonly greeting: (session: Session) => {
    readonly ready: Payload
    readonly dispatches: readonly (readonly [string, Payload])[]
  }
}

export interface Gateway {
  readonly sessions: Set<Session>
  readonly counts: { identifies: number; resumes: number; heartbeats: number }
  /** The data is made per session: what is in it depends on the intents. */
  readonly dispatch: (event: string, to: Audience, data: (session: Session) => unknown) => void
  readonly drop: () => void
  readonly reconnect: () => void
  readonly invalidate: () => void
  readonly missHeartbeats: (missed: boolean) => void
  readonly duplicate: () => void
  readonly hold: () => void
  readonly release: (order: 'kept' | 'reversed') => void
  readonly closeWith: (code: number, reason: string) => void
}

interface State {
  readonly settings: GatewaySettings
  readonly sessions: Set<Session>
  readonly counts: { identifies: number; resumes: number; heartbeats: number }
  readonly base: () => string
  isDeaf: boolean
  copies: number
  held: (() => void)[] | null
}

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 } as const

export function openGateway(
  server: Server,
  base: () => string,
  isDown: () => boolean,
  settings: GatewaySettings,
): Gateway {
  const sockets = new WebSocketServer({ noServer: true })
  const state: State = {
    settings,
    sessions: new Set(),
    counts: { identifies: 0, resumes: 0, heartbeats: 0 },
    base,
    isDeaf: false,
    copies: 1,
    held: null,
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isDown()) socket.destroy()
    else sockets.handleUpgrade(request, socket, head, (client) => greet(state, client))
  })
  return {
    sessions: state.sessions,
    counts: state.counts,
    dispatch: (event, to, data) => dispatch(state, event, to, data),
    drop: () => each(sockets, (socket) => socket.terminate()),
    reconnect: () => each(sockets, (socket) => send(socket, { op: OP.reconnect, d: null })),
    invalidate: () => {
      state.sessions.clear()
      each(sockets, (socket) => send(socket, { op: OP.invalid, d: false }))
    },
    missHeartbeats: (missed) => {
      state.isDeaf = missed
    },
    duplicate: () => {
      state.copies = 2
    },
    hold: () => {
      state.held ??= []
    },
    release: (order) => {
      const held = state.held ?? []
      state.held = null
      for (const let_go of order === 'reversed' ? held.reverse() : held) let_go()
    },
    closeWith: (code, reason) => each(sockets, (socket) => socket.close(code, reason)),
  }
}

function each(sockets: WebSocketServer, act: (socket: WebSocket) => void): void {
  for (const socket of sockets.clients) act(socket)
}

function send(socket: WebSocket, payload: Payload): void {
  socket.send(JSON.stringify({ s: null, t: null, ...payload }))
}

function greet(state: State, socket: WebSocket): void {
  send(socket, { op: OP.hello, d: { heartbeat_interval: state.settings.heartbeat } })
  socket.on('error', () => socket.terminate())
  socket.on('message', (raw) => {
    const payload: unknown = JSON.parse(String(raw))
    if (!isRecord(payload)) socket.close(4002, 'Error while decoding payload.')
    else if (payload['op'] === OP.heartbeat) {
      state.counts.heartbeats += 1
      if (!state.isDeaf) send(socket, { op: OP.ack })
    } else if (payload['op'] === OP.identify && isRecord(payload['d'])) identify(state, socket, payload['d'])
    else if (payload['op'] === OP.resume && isRecord(payload['d'])) resume(state, socket, payload['d'])
  })
  socket.on('close', (code) => {
    for (const session of state.sessions)
      if (session.socket === socket) {
        session.socket = null
        // A client that says goodbye in these words ends its session.
        if (code === 1000 || code === 1001) state.sessions.delete(session)
      }
  })
}

function identify(state: State, socket: WebSocket, data: Payload): void {
  state.counts.identifies += 1
  const intents = Number(data['intents'])
  const isDisallowed = (intents & GatewayIntentBits.MessageContent) !== 0 && !state.settings.messageContent
  const [index = 0, count = 1] = Array.isArray(data['shard']) ? data['shard'].map(Number) : []
  if (data['token'] !== state.settings.token) socket.close(4004, 'Authentication failed.')
  else if (isDisallowed) socket.close(4014, 'Disallowed intent(s).')
  else if (!(index >= 0 && index < count)) socket.close(4010, 'Invalid shard.')
  else start(state, socket, intents, [index, count])
}

function start(state: State, socket: WebSocket, intents: number, shard: Session['shard']): void {
  const session: Session = {
    id: `session-${state.counts.identifies}`,
    intents,
    shard,
    sent: [],
    socket,
  }
  state.sessions.add(session)
  const { ready, dispatches } = state.settings.greeting(session)
  deliver(session, 'READY', {
    v: 10,
    session_id: session.id,
    session_type: 'normal',
    resume_gateway_url: `${state.base()}/resume`,
    shard: session.shard,
    ...ready,
  })
  for (const [event, payload] of dispatches) deliver(session, event, payload)
}

function resume(state: State, socket: WebSocket, data: Payload): void {
  state.counts.resumes += 1
  const session = [...state.sessions].find(({ id }) => id === data['session_id'])
  const seen = Number(data['seq'])
  if (data['token'] !== state.settings.token) socket.close(4004, 'Authentication failed.')
  else if (session === undefined) send(socket, { op: OP.invalid, d: false })
  else if (seen > session.sent.length) socket.close(4007, 'Invalid seq.')
  else replay(session, socket, seen)
}

function replay(session: Session, socket: WebSocket, seen: number): void {
  session.socket?.terminate()
  session.socket = socket
  for (const [index, { t, d }] of session.sent.entries())
    if (index >= seen) send(socket, { op: OP.dispatch, s: index + 1, t, d })
  deliver(session, 'RESUMED', {})
}

function dispatch(state: State, event: string, to: Audience, data: (session: Session) => unknown): void {
  const copies = state.copies
  state.copies = 1
  for (const session of state.sessions) {
    const home = to.guildId === null ? 0 : Number((BigInt(to.guildId) >> 22n) % BigInt(session.shard[1]))
    if (home !== session.shard[0] || (to.intent !== 0 && (session.intents & to.intent) === 0)) continue
    // Made now: what the event tells is what was true when it happened, also when it is held back.
    const payload = data(session)
    for (let copy = 0; copy < copies; copy += 1)
      if (state.held === null) deliver(session, event, payload)
      else state.held.push(() => deliver(session, event, payload))
  }
}

function deliver(session: Session, t: string, d: unknown): void {
  session.sent.push({ t, d })
  if (session.socket !== null && session.socket.readyState === session.socket.OPEN)
    send(session.socket, { op: OP.dispatch, s: session.sent.length, t, d })
}
