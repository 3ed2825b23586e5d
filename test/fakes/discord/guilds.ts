/** Guilds, members and channels come, change and go, and the sessions hear of it. */

import { GatewayIntentBits } from 'discord.js'
import type { Session } from './gateway.ts'
import type { Scene } from './messages.ts'
import { memberJson, userJson } from './payloads.ts'
import { channelJson, guildJson, roleJson } from './place-payloads.ts'
import {
  bitsOf,
  type Channel,
  type Guild,
  type Member,
  memberOf,
  type Permission,
  type User,
  type World,
} from './world.ts'

const to = (guild: Guild) => ({ guildId: guild.id, intent: GatewayIntentBits.Guilds })

export function found(scene: Scene, name: string, shardId: string | null): Guild {
  const guild: Guild = { id: shardId ?? scene.world.snowflake(), name, members: new Map(), state: 'here' }
  memberOf(scene.world, guild, scene.world.bot)
  scene.world.guilds.set(guild.id, guild)
  enter(scene, guild)
  return guild
}

/** An invitation, or the end of an outage: the guild comes whole. */
export function enter(scene: Scene, guild: Guild): void {
  guild.state = 'here'
  scene.gateway.dispatch('GUILD_CREATE', to(guild), () => guildJson(scene.world, guild))
}

/** `gone`: the bot was removed. `outage`: Discord can't reach the guild for now. */
export function leave(scene: Scene, guild: Guild, state: 'gone' | 'outage'): void {
  guild.state = state
  scene.gateway.dispatch('GUILD_DELETE', to(guild), () => ({
    id: guild.id,
    ...(state === 'outage' && { unavailable: true }),
  }))
}

/** Makes a member, or changes what it may do and is called. */
export function setMember(
  scene: Scene,
  guild: Guild,
  user: User,
  permissions: readonly Permission[],
  nick: string | null,
): Member {
  const { world, gateway } = scene
  const before = guild.members.get(user.id)
  const roleId = before?.roleId ?? (permissions.length > 0 ? world.snowflake() : null)
  const member: Member = { user, nick, permissions: bitsOf(permissions), roleId }
  guild.members.set(user.id, member)
  world.users.set(user.id, user)
  if (roleId !== null) {
    const event = before?.roleId ? 'GUILD_ROLE_UPDATE' : 'GUILD_ROLE_CREATE'
    const role = roleJson(roleId, `role of ${user.name}`, member.permissions)
    gateway.dispatch(event, to(guild), () => ({ guild_id: guild.id, role }))
  }
  const isNew = before === undefined
  gateway.dispatch(
    isNew ? 'GUILD_MEMBER_ADD' : 'GUILD_MEMBER_UPDATE',
    { guildId: guild.id, intent: GatewayIntentBits.GuildMembers },
    () => ({ ...memberJson(member, 'whole'), guild_id: guild.id }),
  )
  return member
}

export function openChannel(scene: Scene, guild: Guild, name: string, parent: Channel | null): Channel {
  const channel = blank(scene, { name, guild, parent, recipient: null })
  scene.gateway.dispatch(parent === null ? 'CHANNEL_CREATE' : 'THREAD_CREATE', to(guild), () => ({
    ...channelJson(channel),
    ...(parent !== null && { newly_created: true }),
  }))
  return channel
}

export function closeChannel(scene: Scene, channel: Channel): void {
  scene.world.channels.delete(channel.id)
  const { guild, parent } = channel
  if (guild === null) return
  scene.gateway.dispatch(parent === null ? 'CHANNEL_DELETE' : 'THREAD_DELETE', to(guild), () => channelJson(channel))
}

/** The one direct chat of bot and user. Nothing is sent: a bot hears of a direct chat by its first message. */
export function direct(scene: Scene, user: User): Channel {
  const { channels } = scene.world
  const open = [...channels.values()].find((channel) => channel.recipient === user)
  return open ?? blank(scene, { name: user.name, guild: null, parent: null, recipient: user })
}

function blank(scene: Scene, fields: Pick<Channel, 'name' | 'guild' | 'parent' | 'recipient'>): Channel {
  const { world } = scene
  const channel: Channel = { id: world.snowflake(), messages: new Map(), isForbidden: false, typing: [], ...fields }
  world.channels.set(channel.id, channel)
  return channel
}

/** What a new session is told: READY's data, then its guilds one by one. */
export function greeting(world: World, session: Session) {
  const [index, count] = session.shard
  const guilds = [...world.guilds.values()].filter(
    ({ id, state }) => state !== 'gone' && Number((BigInt(id) >> 22n) % BigInt(count)) === index,
  )
  const ready = {
    user: { ...userJson(world.bot), verified: true, mfa_enabled: true, email: null },
    application: { id: world.bot.id, flags: 0 },
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
  }
  const here = guilds.filter(({ state }) => state === 'here')
  return { ready, dispatches: here.map((guild) => ['GUILD_CREATE', guildJson(world, guild)] as const) }
}
