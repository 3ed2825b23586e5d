/** One server of tools, kept connected in the background: its tools are there while it is. */

import { setTimeout } from 'node:timers/promises'
import type { Server } from './configuration.ts'
import type { Connecting, Patience, Session } from './session.ts'
import type { OfferedTool } from './tool.ts'

export const PATIENCE: Patience = { startMs: 60_000, firstMs: 1000, mostMs: 60_000 }

export interface Connection {
  /** Those that are allowed and there; none while the server is away. */
  tools(): readonly OfferedTool[]
  /** Resolves when the signal has aborted and the server's process has ended. */
  readonly closed: Promise<void>
}

/** Connects until the signal aborts. A server that is dead, slow or broken costs nobody anything but its tools. */
export function keepConnected(server: Server, connecting: Connecting): Connection {
  const { log, signal, patience } = connecting
  let session: Session | null = null

  async function keep(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        // The library is loaded only where a server is configured.
        const { connect } = await import('./session.ts')
        session = await connect(server, connecting)
        log.info({ server: server.name, ...told(server, session) }, 'tools are there')
        const since = performance.now()
        await session.ended
        failures = performance.now() - since > patience.mostMs ? 1 : failures + 1
        if (!signal.aborted) log.warn({ server: server.name }, 'tools are gone')
      } catch (error) {
        failures++
        if (failures === 1 && !signal.aborted) log.warn({ server: server.name, error }, 'tools can not be reached')
      }
      session = null
      await pause(Math.min(patience.firstMs * 2 ** (failures - 1), patience.mostMs), signal)
    }
  }

  return { tools: () => session?.tools ?? [], closed: keep() }
}

/** Names that are listed but not allowed are told, so that whoever runs the bot knows what there is to allow. */
function told({ tools }: Server, { listed }: Session) {
  return {
    allowed: tools.filter((name) => listed.includes(name)),
    missing: tools.filter((name) => !listed.includes(name)),
    others: listed.filter((name) => !tools.includes(name)).slice(0, 50),
  }
}

/** Resolves at once when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => {})
}
