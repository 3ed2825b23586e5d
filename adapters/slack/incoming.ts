/** What Slack's events say, in the bot's words. Knows nothing of the network. */

import type { Author, Destination, IncomingMessage, Rating, Removal } from '../../src/adapter.ts'
import { filesOf } from './files.ts'
import { channelId, dateOf, isDirectChat, lastOf, postId, workspaceId } from './ids.ts'
import type { ClickAction, ClickBody, CommandBody, MessageEvent, ReactionEvent } from './payloads.ts'
import { mentionsOf, type Names, readable } from './words.ts'

/** Who the bot is, and where. */
export interface Self {
  readonly team: string
  /** Its user. */
  readonly user: string
  /** The id that its posts carry. */
  readonly bot: string
}

/** What people wrote themselves; all other subtypes are Slack's notes of what happened. */
const WRITTEN = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message'])

/** A person's message, as far as it was written by a person in this workspace. */
export interface Written {
  readonly event: MessageEvent
  readonly user: string
  readonly isDirect: boolean
  readonly isMention: boolean
  /** The message that the thread began with; null outside of threads. */
  readonly thread: string | null
}

/** Null for what no person wrote: bots, the bot itself, joins, changes, deletions. */
export function writtenBy(event: MessageEvent, self: Self): Written | null {
  const { user, subtype, bot_id, channel, channel_type } = event
  if (user === undefined || bot_id !== undefined || user === self.user || user === 'USLACKBOT') return null
  if (!WRITTEN.has(subtype)) return null
  return {
    event,
    user,
    isDirect: channel_type === 'im' || isDirectChat(channel),
    isMention: mentionsOf(event.text ?? '').includes(self.user),
    thread: event.thread_ts ?? null,
  }
}

/** What a change of a message made of it; null when its words stayed, as when a link was unfolded, or it is a bot's. */
export function changed(event: MessageEvent, self: Self): Written | null {
  const { message, previous_message: before, channel, channel_type } = event
  if (message === undefined || message.text === before?.text) return null
  const kind = channel_type === undefined ? {} : { channel_type }
  return writtenBy({ ...message, ...kind, type: 'message', channel }, self)
}

/** The message that is gone; null when it was no person's. */
export function deleted(event: MessageEvent, self: Self): Removal | null {
  const { previous_message: before, channel } = event
  const isTombstone = event.subtype === 'message_changed' && event.message?.subtype === 'tombstone'
  if (event.subtype !== 'message_deleted' && !isTombstone) return null
  const ts = event.deleted_ts ?? event.message?.ts ?? before?.ts
  if (ts === undefined || before?.bot_id !== undefined || before?.user === self.user) return null
  const id = postId({ team: self.team, channel, ts })
  return { id: `${id}:deleted`, workspace: workspaceId(self.team), messages: [id] }
}

/** A direct chat is one conversation, whatever thread a message is in; in a channel every thread is one of its own. */
export function conversationOf({ event, isDirect, thread }: Written, self: Self): string {
  const { channel, ts } = event
  return isDirect ? channelId(self.team, channel) : postId({ team: self.team, channel, ts: thread ?? ts })
}

export function toMessage(written: Written, self: Self, author: Author, names: Names): IncomingMessage {
  const { event, user, isDirect, thread } = written
  const { channel, ts } = event
  const files = filesOf(event.files)
  return {
    id: postId({ team: self.team, channel, ts }),
    workspace: workspaceId(self.team),
    conversation: conversationOf(written, self),
    context: isDirect ? 'direct' : channelId(self.team, channel),
    author,
    text: readable(event.text ?? '', self.user, names),
    sentAt: dateOf(ts),
    destination: { team: self.team, channel, user, thread: thread ?? ts },
    ...(files.length > 0 ? { files } : {}),
  }
}

/** What all that comes without a message has in common. */
function placed(self: Self, channel: string, author: Author, at: string) {
  const isDirect = isDirectChat(channel)
  const destination: Destination = { team: self.team, channel, user: lastOf(author.id), thread: null }
  return {
    workspace: workspaceId(self.team),
    conversation: channelId(self.team, channel),
    context: isDirect ? 'direct' : channelId(self.team, channel),
    author,
    sentAt: dateOf(at),
    destination,
  }
}

const RATINGS: Readonly<Record<string, Rating['rating']>> = {
  '+1': 'up',
  thumbsup: 'up',
  '-1': 'down',
  thumbsdown: 'down',
}

/** Whether somebody's thumb says something of a post that may be the bot's, and what. */
export function ratingOf(event: ReactionEvent, self: Self): Rating['rating'] | null {
  const { item, item_user, reaction, user } = event
  if (item.type !== 'message' || item.channel === undefined || item.ts === undefined || user === self.user) return null
  if (item_user !== undefined && item_user !== self.user) return null
  return RATINGS[reaction.replace(/::skin-tone-\d$/, '')] ?? null
}

export function toReactionRating(
  event: ReactionEvent,
  rating: Rating['rating'],
  self: Self,
  author: Author,
): Rating | null {
  const { channel, ts } = event.item
  if (channel === undefined || ts === undefined) return null
  const post = postId({ team: self.team, channel, ts })
  return {
    ...placed(self, channel, author, event.event_ts),
    id: `${post}:${event.type}:${event.user}:${event.event_ts}`,
    rating,
    change: event.type === 'reaction_removed' ? 'take' : 'give',
    post,
  }
}

export function toClickRating(body: ClickBody, action: ClickAction, self: Self, author: Author): Rating | null {
  const { channel, message } = body
  const { value } = action
  if (channel === undefined || message === undefined || (value !== 'up' && value !== 'down')) return null
  const post = postId({ team: self.team, channel: channel.id, ts: message.ts })
  return {
    ...placed(self, channel.id, author, action.action_ts),
    id: `${post}:click:${body.user.id}:${action.action_ts}`,
    rating: value,
    change: 'give',
    post,
  }
}

/** `at`: when it came, as Slack does not tell. */
export function toCommand(body: CommandBody, self: Self, author: Author, at: Date): IncomingMessage {
  const { channel_id: channel, command, text = '', trigger_id } = body
  const place = placed(self, channel, author, '0.0')
  return {
    ...place,
    id: `${channelId(self.team, channel)}:command:${trigger_id}`,
    text: readable(`${command} ${text}`, '', { person: () => null, channel: () => null }),
    sentAt: at,
    destination: { ...place.destination, answer: body.response_url },
  }
}
