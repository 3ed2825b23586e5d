/** The connection on which Discord tells what happens: opened with patience, kept, and given up where only somebody can help. */

import type { REST } from '@discordjs/rest'
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import { GatewayCloseCodes, GatewayIntentBits } from 'discord-api-types/v10'
import { PlatformError } from '../../src/adapter.ts'
import type { Dispatch } from './places.ts'

export interface GatewayOptions {
  readonly token: string
  readonly rest: REST
  /** Which shards this process holds; null: all. */
  readonly shards: readonly number[] | null
  /** How many there are; null: as Discord recommends. */
  readonly shardCount: number | null
  readonly onDispatch: (dispatch: Dispatch, shard: number) => void
  readonly warn: Warn
  readonly signal: AbortSignal
}

/** Where a line of the log goes: what it is about, and a sentence. */
export type Warn = (facts: Readonly<Record<string, unknown>>, text: string) => void

/** Mentions, direct messages and replies carry their words without the privileged intent. */
const INTENTS =
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.GuildMessageReactions |
  GatewayIntentBits.DirectMessages |
  GatewayIntentBits.DirectMessageReactions

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 60_000

const BAD_TOKEN =
  'Discord does not know the token: copy it anew from discord.com/developers/applications, Bot, Reset Token, into `DISCORD_TOKEN`'

/** What Discord closes for good with, and what to do about it. */
const FATAL: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: BAD_TOKEN,
  [GatewayCloseCodes.InvalidShard]:
    'Discord does not know such a shard: look at `DISCORD_SHARDS` and `DISCORD_SHARD_COUNT`',
  [GatewayCloseCodes.ShardingRequired]: 'Discord wants more shards: raise `DISCORD_SHARD_COUNT`, or leave it out',
  [GatewayCloseCodes.InvalidAPIVersion]: 'Discord no longer speaks this version of its API: update me',
  [GatewayCloseCodes.InvalidIntents]: 'Discord does not know an intent that I ask for: update me',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord refuses an intent: switch on Message Content Intent at discord.com/developers/applications, Bot, Privileged Gateway Intents',
}

/**
 * Resolves when the signal aborts.
 * @throws PlatformError when Discord says that it will not have this bot as it is
 */
export async function listen(options: GatewayOptions): Promise<void> {
  const { warn, signal } = options
  for (let delay = FIRST_DELAY_MS; !signal.aborted; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      return await connected(options)
    } catch (error) {
      if (error instanceof PlatformError || signal.aborted) throw error
      warn({ error: nameOf(error), delay }, 'Discord can not be reached')
      await waited(delay, signal)
    }
  }
}

async function connected({ token, rest, shards, shardCount, onDispatch, warn, signal }: GatewayOptions): Promise<void> {
  const manager = new WebSocketManager({
    token,
    rest,
    intents: INTENTS,
    shardCount,
    shardIds: shards === null ? null : [...shards],
  })
  manager.on(WebSocketShardEvents.Dispatch, ({ data, shardId }) => onDispatch(data, shardId))
  manager.on(WebSocketShardEvents.Error, ({ error, shardId }) =>
    warn({ error: nameOf(error), shard: shardId }, 'the gateway failed'),
  )
  const ended = new Promise<void>((resolve, reject) => {
    manager.on(WebSocketShardEvents.Closed, ({ code }) => {
      const cure = FATAL[code]
      if (cure !== undefined) reject(new PlatformError(cure))
    })
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  const opened = manager.connect()
  // Once it is ended nobody waits for it.
  opened.catch(() => {})
  ended.catch(() => {})
  try {
    await Promise.race([opened, ended])
    await ended
  } catch (error) {
    throw isUnauthorized(error) ? new PlatformError(BAD_TOKEN) : error
  } finally {
    await manager.destroy({ reason: 'stopped' })
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401
}

/** Of an error what can't hold people's words. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  const status = 'status' in error ? ` ${String(error.status)}` : ''
  return `${error.name}${code}${status}`.slice(0, 80)
}

/** Resolves after so many milliseconds, or when the signal aborts. */
export function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
