/** What exists in the fake Discord: people, guilds, channels, messages and interactions, with its clock and its ids. */

import { PermissionFlagsBits } from 'discord.js'

export type Payload = Record<string, unknown>
export type Permission = keyof typeof PermissionFlagsBits

export interface User {
  readonly id: string
  readonly name: string
  readonly isBot: boolean
  /** Refuses direct messages of the bot (50007). */
  hasClosedDms: boolean
}

export interface Member {
  readonly user: User
  readonly nick: string | null
  readonly permissions: bigint
  /** The role that carries what this member may do beyond everyone. */
  readonly roleId: string | null
}

export interface Guild {
  readonly id: string
  readonly name: string
  readonly members: Map<string, Member>
  /** `gone`: the bot was removed; `outage`: the guild can't be reached. */
  state: 'here' | 'gone' | 'outage'
}

export interface Channel {
  readonly id: string
  readonly name: string
  /** Null: a direct chat with `recipient`. */
  readonly guild: Guild | null
  readonly recipient: User | null
  /** Of a thread: the channel it hangs under. */
  readonly parent: Channel | null
  readonly messages: Map<string, Message>
  /** The bot may not post here (50013). */
  isForbidden: boolean
  /** Milliseconds of the fake's clock at each sign of typing. */
  readonly typing: number[]
}

export interface Attached {
  readonly name: string
  readonly bytes: Buffer
}

/** Whom a message has notified so far, its edits included. */
export interface Pinged {
  readonly everyone: boolean
  readonly users: readonly string[]
  readonly roles: readonly string[]
  /** The author of the message that was replied to. */
  readonly replied: boolean
}

export interface Message {
  readonly id: string
  readonly channel: Channel
  readonly author: User
  readonly sentAt: number
  /** The message replied to; it may be deleted meanwhile. */
  readonly reference: Message | null
  /** The message passed on. */
  readonly forwarded: Message | null
  readonly nonce: string | number | null
  readonly interaction: Interaction | null
  readonly isEphemeral: boolean
  content: string
  /** Earlier contents, oldest first. */
  readonly edits: string[]
  editedAt: number | null
  embeds: readonly unknown[]
  components: readonly unknown[]
  files: readonly Attached[]
  flags: number
  pinged: Pinged
  readonly reactions: Record<string, string[]>
  isDeleted: boolean
}

export type Answer = 'message' | 'deferred' | 'deferred update' | 'update' | 'choices' | 'modal'

export interface Interaction {
  readonly id: string
  readonly token: string
  /** 2 a command, 3 a component, 4 completion, 5 a form. */
  readonly type: 2 | 3 | 4 | 5
  readonly user: User
  readonly channel: Channel
  /** The message whose button was pressed. */
  readonly message: Message | null
  readonly sentAt: number
  answer: Answer | null
  original: Message | null
  readonly followUps: Message[]
  choices: readonly unknown[]
  modal: Payload | null
}

export interface Command extends Payload {
  readonly id: string
  readonly name: string
  readonly type?: number
  readonly options?: readonly CommandOption[]
  readonly default_member_permissions?: string | null
  readonly contexts?: readonly number[] | null
}

export interface CommandOption {
  readonly type: number
  readonly name: string
  readonly required?: boolean
  readonly options?: readonly CommandOption[]
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[]
}

export interface World {
  readonly bot: User
  /** Milliseconds since 1970 of the fake's clock. */
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** A new id; later ones are greater and carry the time. */
  readonly snowflake: () => string
  readonly users: Map<string, User>
  readonly guilds: Map<string, Guild>
  readonly channels: Map<string, Channel>
  /** By token. */
  readonly interactions: Map<string, Interaction>
  /** Registered commands by guild id; '' holds the global ones. */
  readonly commands: Map<string, readonly Command[]>
}

/** What an ordinary member may do: see, write, react, read back, add files and links. */
export const ORDINARY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.UseApplicationCommands

/** Snowflakes count milliseconds from here, 2015-01-01. */
const EPOCH = 1_420_070_400_000n

export function createWorld(): World {
  let offset = 0
  let increment = 0n
  const now = () => Date.now() + offset
  const snowflake = () => {
    increment += 1n
    return String(((BigInt(now()) - EPOCH) << 22n) | (increment & 0x3fffffn))
  }
  const bot: User = { id: snowflake(), name: 'Attune', isBot: true, hasClosedDms: false }
  return {
    bot,
    now,
    advance: (ms) => {
      offset += ms
    },
    snowflake,
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    interactions: new Map(),
    commands: new Map(),
  }
}

/** Makes an ordinary member of whoever was none. */
export function memberOf(world: World, guild: Guild, user: User): Member {
  const member = guild.members.get(user.id) ?? { user, nick: null, permissions: ORDINARY, roleId: null }
  guild.members.set(user.id, member)
  world.users.set(user.id, user)
  return member
}

export function bitsOf(permissions: readonly Permission[]): bigint {
  return permissions.reduce((bits, name) => bits | PermissionFlagsBits[name], ORDINARY)
}

/** The bot is kept in sight of what it may see: a guild that is here, its own direct chats. */
export function isVisible(channel: Channel): boolean {
  return channel.guild === null || channel.guild.state === 'here'
}
