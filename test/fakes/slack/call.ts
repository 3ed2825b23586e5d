/** One request to the Web API, and what every method asks of it: a channel, a post, a string. */

import type { Backend } from './backend.ts'
import type { Desk } from './desk.ts'
import { Refused } from './refused.ts'
import type { Channel, Data, Person, Post, Team } from './world.ts'

export interface Call {
  readonly backend: Backend
  /** Whose token it came with. */
  readonly team: Team
  readonly args: Data
  readonly desk: Desk
}

export interface Method {
  /** The scope it needs, if any. */
  readonly scope?: string
  readonly run: (call: Call) => Data
}

export type Methods = Readonly<Record<string, Method>>

/** @throws {Refused} `invalid_arguments`. */
export function stringOf({ args }: Call, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refused('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
  })
}

export function optional({ args }: Call, name: string): string | undefined {
  const value = args[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function isTrue({ args }: Call, name: string): boolean {
  return args[name] === true || args[name] === 'true' || args[name] === '1'
}

/**
 * The channel, if the team's bot may see it: every public one of its team, and those it is a member of.
 * @throws {Refused} `channel_not_found`.
 */
export function visibleChannel(call: Call, name = 'channel'): Channel {
  const channel = call.backend.world.channels.get(stringOf(call, name))
  const isMember = channel?.members.has(call.team.bot.userId)
  if (channel !== undefined && (isMember || (channel.kind === 'public' && channel.team === call.team.id)))
    return channel
  throw new Refused('channel_not_found')
}

/**
 * The channel, if the bot may post there. A user's id stands for the direct channel with them.
 * @throws {Refused} `channel_not_found`, `not_in_channel`, `is_archived`.
 */
export function postableChannel(call: Call): Channel {
  const direct = directChannel(call, String(call.args['channel']))
  const channel = direct ?? visibleChannel(call)
  if (channel.isArchived) throw new Refused('is_archived')
  if (!channel.members.has(call.team.bot.userId)) throw new Refused('not_in_channel')
  return channel
}

export function directChannel({ backend, team }: Call, user: string): Channel | undefined {
  return [...backend.world.channels.values()].find(
    ({ kind, members }) =>
      kind === 'im' && members.has(user) && members.has(team.bot.userId) && user !== team.bot.userId,
  )
}

/**
 * The post, if it is the app's own.
 * @throws {Refused} `message_not_found`, or `foreign` when somebody else wrote it.
 */
export function ownPost(call: Call, channel: Channel, foreign: string): Post {
  const ts = stringOf(call, 'ts')
  const post = channel.posts.find((one) => one.ts === ts)
  if (post === undefined) throw new Refused('message_not_found')
  if (post.botId !== call.team.bot.botId) throw new Refused(foreign)
  return post
}

/**
 * The root to reply under. A root that was deleted still takes replies.
 * @throws {Refused} `thread_not_found`, or `cannot_reply_to_message` when it is itself a reply.
 */
export function threadOf(call: Call, channel: Channel): string | undefined {
  const thread = optional(call, 'thread_ts')
  if (thread === undefined) return undefined
  if (!channel.issued.has(thread)) throw new Refused('thread_not_found')
  if (channel.posts.find(({ ts }) => ts === thread)?.thread !== undefined) throw new Refused('cannot_reply_to_message')
  return thread
}

/** @throws {Refused} `user_not_found`. */
export function userIn(call: Call, name = 'user'): Person {
  const person = call.backend.world.people.get(stringOf(call, name))
  if (person === undefined) throw new Refused('user_not_found')
  return person
}
