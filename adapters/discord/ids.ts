/** The ids of Discord's messages, and the plain data by which a reply finds its way. */

import { createHash } from 'node:crypto'
import type { Destination } from '../../src/adapter.ts'

/** A channel, thread or direct chat. */
export interface Place {
  /** Null: a direct chat. */
  readonly guild: string | null
  readonly channel: string
}

/** An interaction, which is answered through its own token for 15 minutes. */
export interface Ticket {
  readonly application: string
  readonly interaction: string
  readonly token: string
  /** Only whoever asked sees the answer. */
  readonly isPrivate: boolean
}

/** Where a reply goes. */
export interface Address extends Place {
  readonly user: string
  /** The message that is replied to. */
  readonly message?: string
  readonly ticket?: Ticket
  /** Nothing is said, so that nobody is typing: a rating. */
  readonly isSilent?: boolean
}

/** `discord:<guild or dm>:<channel>:<message>`; of an interaction the last part is `i` and its id. */
export function messageId({ guild, channel }: Place, message: string): string {
  return `${conversationOf({ guild, channel })}:${message}`
}

export function conversationOf({ guild, channel }: Place): string {
  return `discord:${guild ?? 'dm'}:${channel}`
}

/** In a direct chat everybody is on their own: their settings and what they said are theirs alone. */
export function workspaceOf(guild: string | null, user: string): string {
  return guild === null ? `discord:dm-${user}` : `discord:${guild}`
}

/** Null: it is no message that can be seen in Discord. */
export function placeOf(id: string): (Place & { readonly message: string }) | null {
  const [, guild, channel, message] = /^discord:(dm|\d+):(\d+):(\d+)$/.exec(id) ?? []
  if (guild === undefined || channel === undefined || message === undefined) return null
  return { guild: guild === 'dm' ? null : guild, channel, message }
}

export function toDestination({ guild, channel, user, message, ticket, isSilent }: Address): Destination {
  return {
    guild,
    channel,
    user,
    ...(message !== undefined && { message }),
    ...(ticket !== undefined && { ticket: { ...ticket } }),
    ...(isSilent && { isSilent }),
  }
}

/** @throws Error for what this adapter did not write */
export function toAddress(destination: Destination): Address {
  const { guild, channel, user, message, ticket, isSilent } = destination as Record<string, unknown>
  if (typeof channel !== 'string' || typeof user !== 'string')
    throw new Error(`Expected a destination in Discord, got the keys ${Object.keys(destination).join(', ')}`)
  return {
    guild: typeof guild === 'string' ? guild : null,
    channel,
    user,
    ...(typeof message === 'string' && { message }),
    ...(typeof ticket === 'object' && ticket !== null && { ticket: ticket as Ticket }),
    ...(isSilent === true && { isSilent }),
  }
}

/** The same for the same part of the same reply, so that Discord knows a post again; at most 25 characters. */
export function nonceOf(key: string, part: number): string {
  return createHash('sha256').update(`${key} ${part}`).digest('base64url').slice(0, 24)
}

const EPOCH = 1_420_070_400_000n

/** When what has this id was made. */
export function timeOf(snowflake: string): Date {
  return new Date(Number((BigInt(snowflake) >> 22n) + EPOCH))
}
