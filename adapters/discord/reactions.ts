/** Thumbs under a reply, as ratings of it. Pure. */

import type { APIUser } from 'discord-api-types/v10'
import type { Rating } from '../../src/adapter.ts'
import { conversationOf, messageId, toDestination, workspaceOf } from './ids.ts'
import { contextOf, type Scene, toAuthor } from './incoming.ts'

/** A dispatch MESSAGE_REACTION_ADD or MESSAGE_REACTION_REMOVE. */
export interface Reaction {
  readonly user_id: string
  readonly channel_id: string
  readonly message_id: string
  readonly guild_id?: string
  readonly member?: { readonly user?: APIUser; readonly nick?: string | null }
  readonly message_author_id?: string
  readonly emoji: { readonly id: string | null; readonly name: string | null }
}

/** In any tone of the skin; null: no thumb. */
export function ratingOf({ id, name }: Reaction['emoji']): 'up' | 'down' | null {
  const thumb = id === null ? name?.replace(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, '') : undefined
  return thumb === '👍' ? 'up' : thumb === '👎' ? 'down' : null
}

export interface Thumb {
  readonly user: APIUser | { readonly id: string }
  readonly nick?: string | null
  readonly post: string
  readonly rating: 'up' | 'down'
  readonly change?: 'give' | 'take'
}

/** @param id tells this change from every other */
export function toRating(
  { user, nick, post, rating, change }: Thumb,
  scene: Omit<Scene, 'me'>,
  id: string,
  at: Date,
): Rating {
  const { guild, channel } = scene
  const author = 'username' in user ? toAuthor(user, nick, guild === null) : { id: user.id, name: '', isAdmin: false }
  return {
    id: `${conversationOf(scene)}:${id}`,
    workspace: workspaceOf(guild, user.id),
    conversation: conversationOf(scene),
    context: contextOf(scene),
    author,
    sentAt: at,
    destination: toDestination({ guild, channel, user: user.id, isSilent: true }),
    rating,
    ...(change !== undefined && { change }),
    post: messageId(scene, post),
  }
}
