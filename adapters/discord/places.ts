/** The names of channels and roles, as far as the gateway told them to this process; the rest is asked for. */

import type { REST } from '@discordjs/rest'
import { type APIChannel, type APIGuild, GatewayDispatchEvents, Routes } from 'discord-api-types/v10'
import type { Scene } from './incoming.ts'
import { isHidden } from './refusals.ts'

/** A dispatch of the gateway, nothing of it checked. */
export interface Dispatch {
  readonly t: string
  readonly d: unknown
}

export interface Places {
  hear(dispatch: Dispatch): void
  /** @throws when Discord does not answer; what it does not tell is taken for a channel */
  scene(channel: string, guild: string | null): Promise<Omit<Scene, 'me'>>
  /** The person in a direct chat; null when Discord does not tell. */
  personIn(channel: string): Promise<string | null>
  /** This is the direct chat with this person. */
  met(channel: string, person: string): void
}

interface Known {
  readonly name: string
  /** Of a thread. */
  readonly parent: string | null
}

type Guild = Pick<APIGuild, 'id' | 'roles'> & {
  readonly channels?: readonly APIChannel[]
  readonly threads?: readonly APIChannel[]
}

export function createPlaces(rest: REST): Places {
  const channels = new Map<string, Known>()
  const roles = new Map<string, { readonly name: string; readonly isMine: (me: string) => boolean }>()
  const people = new Map<string, string>()
  let me = ''

  const learn = (channel: APIChannel) => channels.set(channel.id, known(channel))
  const learnRole = (role: APIGuild['roles'][number]) =>
    roles.set(role.id, { name: role.name, isMine: (me) => role.tags?.bot_id === me })
  async function find(id: string): Promise<Known> {
    const here = channels.get(id)
    if (here !== undefined) return here
    try {
      learn((await rest.get(Routes.channel(id))) as APIChannel)
    } catch (error) {
      if (!isHidden(error)) throw error
      channels.set(id, { name: 'a channel', parent: null })
    }
    return channels.get(id)!
  }
  return {
    hear({ t, d }) {
      if (t === GatewayDispatchEvents.Ready) me = (d as { user: { id: string } }).user.id
      if (t === GatewayDispatchEvents.GuildCreate) {
        const guild = d as Guild
        for (const channel of [...(guild.channels ?? []), ...(guild.threads ?? [])]) learn(channel)
        for (const role of guild.roles ?? []) learnRole(role)
      } else if (/^(CHANNEL|THREAD)_(CREATE|UPDATE)$/.test(t)) learn(d as APIChannel)
      else if (/^(CHANNEL|THREAD)_DELETE$/.test(t)) channels.delete((d as APIChannel).id)
      else if (/^GUILD_ROLE_(CREATE|UPDATE)$/.test(t)) learnRole((d as { role: APIGuild['roles'][number] }).role)
    },
    async scene(channel, guild) {
      const { parent } = guild === null ? { parent: null } : await find(channel)
      return {
        guild,
        channel,
        parent,
        roleName: (id) => roles.get(id)?.name,
        channelName: (id) => channels.get(id)?.name,
        isMyRole: (id) => roles.get(id)?.isMine(me) === true,
      }
    },
    async personIn(channel) {
      const person = people.get(channel)
      if (person !== undefined) return person
      try {
        const told = (await rest.get(Routes.channel(channel))) as { recipients?: readonly { readonly id: string }[] }
        const [recipient] = told.recipients ?? []
        if (recipient !== undefined) people.set(channel, recipient.id)
        return recipient?.id ?? null
      } catch (error) {
        if (isHidden(error)) return null
        throw error
      }
    },
    met(channel, person) {
      people.set(channel, person)
    },
  }
}

function known(channel: APIChannel): Known {
  const isThread = [10, 11, 12].includes(channel.type)
  const parent = 'parent_id' in channel && typeof channel.parent_id === 'string' ? channel.parent_id : null
  return { name: channel.name ?? 'a channel', parent: isThread ? parent : null }
}
