/** What every part of the fake Slack shares: the world, its clock and ids, and the way an event leaves. */

import { callbackOf } from './events.ts'
import type { Channel, Data, Team, World } from './world.ts'

export interface Backend {
  readonly world: World
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** `http://127.0.0.1:port`. */
  readonly origin: () => string
  /** A new id: `Ev1`, `Ev2`, … */
  readonly id: (prefix: string) => string
  /** Hands an event's callback to the app. */
  readonly deliver: (callback: Data) => void
  /** Whether the app wants events of this name: `app_mention`, `message.im`. */
  readonly isWanted: (name: string) => boolean
  /** Whether a mention's `app_mention` leaves before its `message`. */
  readonly isMentionFirst: () => boolean
  /** Something changed; whoever waits looks again. */
  readonly changed: () => void
}

const NAMES = { channel: 'message.channels', group: 'message.groups', im: 'message.im' } as const

function nameOf(event: Data): string {
  const kind = event['channel_type']
  if (event['type'] === 'message' && (kind === 'channel' || kind === 'group' || kind === 'im')) return NAMES[kind]
  return String(event['type'])
}

export function tellTeam(backend: Backend, team: Team, event: Data, isShared = false): void {
  if (!backend.isWanted(nameOf(event))) return
  backend.deliver(callbackOf(team, event, backend.id('Ev'), backend.now(), isShared))
}

/** Tells every team whose bot is in the channel and whose token still counts. */
export function tellChannel(backend: Backend, channel: Channel, event: Data): void {
  for (const team of teamsIn(backend, channel)) tellTeam(backend, team, event, channel.isShared)
}

export function teamsIn(backend: Backend, channel: Channel): Team[] {
  return [...backend.world.teams.values()].filter(({ bot, isRevoked }) => !isRevoked && channel.members.has(bot.userId))
}

/** Counts up per prefix. */
export function idMaker(): (prefix: string) => string {
  const counts = new Map<string, number>()
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}${String(count).padStart(6, '0')}`
  }
}
