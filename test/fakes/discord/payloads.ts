/** The world as Discord's JSON. Knows who may read what (the message content intent), not where it is sent. */

import type { Interaction, Member, Message, Payload, User, World } from './world.ts'

const FORWARD = 1
const EPHEMERAL = 64

export function userJson(user: User): Payload {
  return {
    id: user.id,
    username: user.name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, '_'),
    global_name: user.name,
    discriminator: '0',
    avatar: null,
    public_flags: 0,
    flags: 0,
    primary_guild: null,
    ...(user.isBot && { bot: true }),
  }
}

/** `withPermissions` as interactions have it; a member inside a message has no `user`. */
export function memberJson(member: Member, form: 'whole' | 'in message' | 'in interaction'): Payload {
  return {
    ...(form !== 'in message' && { user: userJson(member.user) }),
    nick: member.nick,
    avatar: null,
    banner: null,
    roles: member.roleId === null ? [] : [member.roleId],
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    communication_disabled_until: null,
    flags: 0,
    ...(form === 'in interaction' && { permissions: String(member.permissions) }),
  }
}

/** `mayRead` false: as a bot gets it that has no message content intent, in which case the words are blank. */
export function messageJson(world: World, message: Message, mayRead: boolean, depth = 1): Payload {
  const member = message.channel.guild?.members.get(message.author.id)
  const reference = message.reference ?? message.forwarded
  return {
    id: message.id,
    channel_id: message.channel.id,
    author: userJson(message.author),
    content: mayRead ? message.content : '',
    timestamp: new Date(message.sentAt).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    mention_everyone: message.pinged.everyone,
    mentions: mentioned(world, message),
    mention_roles: message.pinged.roles,
    attachments: mayRead
      ? message.files.map((file, index) => attachmentJson(message, file.name, file.bytes, index))
      : [],
    embeds: mayRead ? message.embeds : [],
    components: mayRead ? message.components : [],
    ...(depth > 0 && { reactions: reactionsJson(world, message) }),
    pinned: false,
    flags: message.flags | (message.isEphemeral ? EPHEMERAL : 0),
    type: message.interaction !== null && message.interaction.type === 2 ? 20 : message.reference === null ? 0 : 19,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(reference !== null && {
      message_reference: {
        type: message.forwarded === null ? 0 : FORWARD,
        message_id: reference.id,
        channel_id: reference.channel.id,
        ...(reference.channel.guild && { guild_id: reference.channel.guild.id }),
      },
    }),
    ...(message.reference !== null &&
      depth > 0 && {
        referenced_message: message.reference.isDeleted ? null : messageJson(world, message.reference, mayRead, 0),
      }),
    ...(message.forwarded !== null && {
      message_snapshots: mayRead ? [{ message: snapshotJson(message.forwarded) }] : [],
    }),
    ...(message.interaction !== null && { interaction_metadata: interactionMetadata(message.interaction) }),
    ...(member && depth > 0 && { member: memberJson(member, 'in message') }),
  }
}

function snapshotJson(message: Message): Payload {
  return {
    content: message.content,
    timestamp: new Date(message.sentAt).toISOString(),
    edited_timestamp: null,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: message.embeds,
    components: [],
    flags: 0,
    type: 0,
  }
}

function mentioned(world: World, message: Message): Payload[] {
  const ids = new Set([...message.content.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => id))
  if (message.pinged.replied && message.reference) ids.add(message.reference.author.id)
  return [...ids].flatMap((id) => {
    const user = world.users.get(id)
    const member = message.channel.guild?.members.get(id)
    return user ? [{ ...userJson(user), ...(member && { member: memberJson(member, 'in message') }) }] : []
  })
}

function reactionsJson(world: World, message: Message): Payload[] {
  return Object.entries(message.reactions).map(([name, ids]) => ({
    emoji: emojiJson(name),
    count: ids.length,
    count_details: { burst: 0, normal: ids.length },
    burst_colors: [],
    me: ids.includes(world.bot.id),
    me_burst: false,
  }))
}

/** `name:id` is an emoji of a guild, anything else one of Unicode. */
export function emojiJson(emoji: string): Payload {
  const [name, id] = emoji.split(':')
  return id === undefined ? { id: null, name: emoji } : { id, name }
}

export function attachmentId(message: Message, index: number): string {
  return String(BigInt(message.id) + BigInt(index))
}

function attachmentJson(message: Message, name: string, bytes: Buffer, index: number): Payload {
  const url = `https://cdn.example/${message.id}/${name}`
  return { id: attachmentId(message, index), filename: name, size: bytes.length, url, proxy_url: url }
}

function interactionMetadata(interaction: Interaction): Payload {
  return {
    id: interaction.id,
    type: interaction.type,
    user: userJson(interaction.user),
    authorizing_integration_owners: { '0': interaction.channel.guild?.id ?? '0' },
  }
}

/** Whether a bot without the message content intent is given the words: its own, direct ones, those that mention it. */
export function isOpen(world: World, message: Message): boolean {
  return (
    message.channel.guild === null ||
    message.author === world.bot ||
    mentioned(world, message).some((user) => user['id'] === world.bot.id)
  )
}
