/** The posts of one reply as Discord takes them: into a channel, or as the answer to an interaction. */

import type { REST } from '@discordjs/rest'
import { type APIMessage, ButtonStyle, ComponentType, MessageFlags, Routes } from 'discord-api-types/v10'
import { type Address, messageId, nonceOf, type Place, placeOf, type Ticket, timeOf } from './ids.ts'

/** One part of a reply. */
export interface Part {
  readonly number: number
  readonly content: string
  /** Buttons to rate it stand below. */
  readonly isRatable: boolean
}

/** A way out. Ids are those of messages: `discord:…`. */
export interface Posts {
  readonly place: Place
  /** Posts a part; where Discord knows it already, it is the one that is there. */
  post(part: Part): Promise<string>
  edit(id: string, part: Part): Promise<void>
  remove(id: string): Promise<void>
  /** The part that may have been posted before; null: it isn't there, or `post` finds it by itself. */
  find(part: Part): Promise<string | null>
}

/** As long Discord surely knows a nonce again. */
const NONCE_MS = 120_000

export const RATE_UP = 'rate:up'
export const RATE_DOWN = 'rate:down'

/** Nobody is pinged, neither by a post nor by its edit. */
function bodyOf({ content, isRatable }: Part) {
  const button = (custom_id: string, name: string) => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    custom_id,
    emoji: { name },
  })
  const row = { type: ComponentType.ActionRow, components: [button(RATE_UP, '👍'), button(RATE_DOWN, '👎')] }
  return { content, allowed_mentions: { parse: [], replied_user: false }, ...(isRatable && { components: [row] }) }
}

/**
 * Posts in a channel, the first one as a reply.
 * @param key the same after a crash
 */
export function channelPosts(rest: REST, to: Pick<Address, 'guild' | 'channel' | 'message'>, key: string): Posts {
  const { guild, channel, message } = to
  const reference =
    message === undefined ? undefined : { message_id: message, channel_id: channel, fail_if_not_exists: false }
  const posts: Posts = {
    place: { guild, channel },
    async post(part) {
      const body = {
        ...bodyOf(part),
        nonce: nonceOf(key, part.number),
        enforce_nonce: true,
        ...(part.number === 0 && reference !== undefined && { message_reference: reference }),
      }
      const made = (await rest.post(Routes.channelMessages(channel), { body })) as APIMessage
      const id = messageId({ guild, channel }, made.id)
      const isAsItWas = made.content.trim() !== part.content.trim() || (part.isRatable && !made.components?.length)
      if (isAsItWas) await posts.edit(id, part)
      return id
    },
    async edit(id, part) {
      const at = placeOf(id)
      if (at !== null) await rest.patch(Routes.channelMessage(at.channel, at.message), { body: bodyOf(part) })
    },
    async remove(id) {
      const at = placeOf(id)
      if (at !== null) await rest.delete(Routes.channelMessage(at.channel, at.message))
    },
    async find(part) {
      if (message === undefined || Date.now() - timeOf(message).getTime() < NONCE_MS) return null
      const query = new URLSearchParams({ after: message, limit: '100' })
      const later = (await rest.get(Routes.channelMessages(channel), { query })) as readonly APIMessage[]
      const isIt = ({ nonce, author, message_reference, content }: APIMessage) =>
        nonce === nonceOf(key, part.number) ||
        (author.bot === true &&
          (part.number === 0 ? message_reference?.message_id === message : content.trim() === part.content.trim()))
      const found = later.find(isIt)
      return found === undefined ? null : messageId({ guild, channel }, found.id)
    },
  }
  return posts
}

/** Answers an interaction that was deferred; what does not fit into the answer follows it, as private as the answer. */
export function ticketPosts(rest: REST, place: Place, ticket: Ticket): Posts {
  const { application, token, isPrivate } = ticket
  const webhook = (id: string) => Routes.webhookMessage(application, token, id)
  return {
    place,
    async post(part) {
      const body = { ...bodyOf(part), ...(isPrivate && part.number > 0 && { flags: MessageFlags.Ephemeral }) }
      const made =
        part.number === 0
          ? await rest.patch(webhook('@original'), { body, auth: false })
          : await rest.post(Routes.webhook(application, token), {
              body,
              auth: false,
              query: new URLSearchParams({ wait: 'true' }),
            })
      return messageId(place, (made as APIMessage).id)
    },
    async edit(id, part) {
      const at = placeOf(id)
      if (at !== null) await rest.patch(webhook(at.message), { body: bodyOf(part), auth: false })
    },
    async remove(id) {
      const at = placeOf(id)
      if (at !== null) await rest.delete(webhook(at.message), { auth: false })
    },
    find: async () => null,
  }
}
