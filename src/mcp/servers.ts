/** The servers of tools that are configured, and which of their tools a message has offered. */

import type { Action, Asking } from '../actions/action.ts'
import { estimateTokens } from '../llm/budget.ts'
import type { Log } from '../log.ts'
import { actionName, type Server } from './configuration.ts'
import { keepConnected, PATIENCE } from './connection.ts'
import type { Patience } from './session.ts'
import { ENOUGH, telling, weightOf } from './words.ts'

/** Of one message: tools, and tokens of all their descriptions. */
const MOST_TOOLS = 3
const MOST_TOKENS = 600

export interface ToolServers {
  /** Tools of the workspace's servers that are there now and share words with the message, the nearest first. */
  offered(workspace: string, asking: Asking): readonly Action[]
  /** What all of them are called, whether they are there or not. */
  readonly names: readonly string[]
  /** Resolves once the signal has aborted and every child has ended. */
  readonly closed: Promise<unknown>
}

/** Connects in the background, and anew whenever a server is gone, until the signal aborts. */
export function openServers(
  servers: readonly Server[],
  {
    log,
    signal,
    patience = PATIENCE,
  }: { readonly log: Log; readonly signal: AbortSignal; readonly patience?: Patience },
): ToolServers {
  const kept = servers.map((server) => ({ server, ...keepConnected(server, { log, signal, patience }) }))
  return {
    names: servers.flatMap((server) => server.tools.map((tool) => actionName(server.name, tool))),
    closed: Promise.all(kept.map(({ closed }) => closed)),
    offered(workspace, asking) {
      const here = kept.filter(({ server }) => server.workspaces?.includes(workspace) ?? true)
      const tools = here.flatMap((server) => server.tools())
      if (tools.length === 0) return []
      const said = telling(asking.text)
      const weighed = tools.map((tool) => ({ tool, weight: weightOf(tool.words, said) }))
      const helpful = weighed.filter(({ weight }) => weight >= ENOUGH).toSorted((a, b) => b.weight - a.weight)
      return within(helpful.map(({ tool }) => tool))
    },
  }
}

function within(tools: readonly Action[]): readonly Action[] {
  let room = MOST_TOKENS
  return tools.slice(0, MOST_TOOLS).filter(({ name, description, parameters }) => {
    const tokens = estimateTokens(JSON.stringify({ name, description, parameters }))
    if (tokens > room) return false
    room -= tokens
    return true
  })
}
