/** Guilds, channels and roles as Discord's JSON. */

import { memberJson, userJson } from './payloads.ts'
import { type Channel, type Guild, ORDINARY, type Payload, type World } from './world.ts'

export function roleJson(id: string, name: string, permissions: bigint): Payload {
  return {
    id,
    name,
    permissions: String(permissions),
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: name === '@everyone' ? 0 : 1,
    managed: false,
    mentionable: false,
    flags: 0,
  }
}

export function channelJson(channel: Channel): Payload {
  const last = [...channel.messages.keys()].at(-1) ?? null
  if (channel.guild === null)
    return {
      id: channel.id,
      type: 1,
      flags: 0,
      last_message_id: last,
      recipients: channel.recipient === null ? [] : [userJson(channel.recipient)],
    }
  const shared = { id: channel.id, name: channel.name, guild_id: channel.guild.id, last_message_id: last, flags: 0 }
  if (channel.parent === null)
    return {
      ...shared,
      type: 0,
      parent_id: null,
      position: 0,
      permission_overwrites: [],
      topic: null,
      nsfw: false,
      rate_limit_per_user: 0,
    }
  return {
    ...shared,
    type: 11,
    parent_id: channel.parent.id,
    owner_id: channel.parent.guild?.id,
    message_count: channel.messages.size,
    member_count: 1,
    total_message_sent: channel.messages.size,
    rate_limit_per_user: 0,
    thread_metadata: {
      archived: false,
      auto_archive_duration: 1440,
      archive_timestamp: '2024-01-01T00:00:00.000000+00:00',
      locked: false,
    },
  }
}

export function guildJson(world: World, guild: Guild): Payload {
  const channels = [...world.channels.values()].filter((channel) => channel.guild === guild)
  const members = [...guild.members.values()]
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    banner: null,
    description: null,
    owner_id: '1',
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: 'en-US',
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    vanity_url_code: null,
    features: [],
    emojis: [],
    stickers: [],
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    large: false,
    unavailable: false,
    member_count: members.length,
    roles: [
      roleJson(guild.id, '@everyone', ORDINARY),
      ...members.flatMap((member) =>
        member.roleId === null ? [] : [roleJson(member.roleId, `role of ${member.user.name}`, member.permissions)],
      ),
    ],
    // Without the members intent a guild comes with the bot's own membership alone.
    members: members.filter((member) => member.user === world.bot).map((member) => memberJson(member, 'whole')),
    channels: channels.filter((channel) => channel.parent === null).map(channelJson),
    threads: channels.filter((channel) => channel.parent !== null).map(channelJson),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}
