/** Discord as a chat platform: mentions, replies, direct messages and slash commands; answers that grow in place. */

import { REST, RESTEvents } from '@discordjs/rest'
import { type APIInteraction, GatewayDispatchEvents } from 'discord-api-types/v10'
import type { Platform } from '../src/adapter.ts'
import { isAdminIn } from './discord/admin.ts'
import { register } from './discord/commands.ts'
import { createDraft } from './discord/draft.ts'
import { createEvents } from './discord/events.ts'
import { listen, nameOf, type Warn } from './discord/gateway.ts'
import { placeOf, toAddress } from './discord/ids.ts'
import { interact } from './discord/interactions.ts'
import { createPace } from './discord/pace.ts'
import { createPlaces, type Dispatch } from './discord/places.ts'
import { isHidden } from './discord/refusals.ts'

export interface DiscordOptions {
  readonly token: string
  /** Another address of the API than Discord's own, such as `http://127.0.0.1:3000/api`. */
  readonly apiUrl: string | null
  /** Which shards this process holds; null: all. */
  readonly shards: readonly number[] | null
  /** How many there are over all processes; null: as Discord recommends. */
  readonly shardCount: number | null
  readonly warn: Warn
}

/** Milliseconds for one request; what can be tried again is. */
const TIMEOUT_MS = 10_000

export function createDiscord({ token, apiUrl, shards, shardCount, warn }: DiscordOptions): Platform {
  const api = apiUrl?.replace(/\/+$/, '')
  const rest = new REST({ timeout: TIMEOUT_MS, retries: 2, ...(api !== undefined && { api }) }).setToken(token)
  const pace = createPace()
  const places = createPlaces(rest)
  rest.on(RESTEvents.RateLimited, ({ majorParameter, retryAfter }) => pace.cool(majorParameter, retryAfter))
  let me = ''
  return {
    name: 'discord',
    isLocal: false,
    async run(bot, signal) {
      const ears = { bot, rest, places, warn, signal, me: () => me }
      const onInteraction = (interaction: APIInteraction) => interact(ears, interaction)
      const events = createEvents({ ...ears, onInteraction })
      let isRegistered = false
      const onDispatch = (dispatch: Dispatch) => {
        try {
          places.hear(dispatch)
          if (dispatch.t === GatewayDispatchEvents.Ready) {
            const { user, application } = dispatch.d as { user: { id: string }; application: { id: string } }
            me = user.id
            if (!isRegistered)
              void register(rest, application.id).catch((error) =>
                warn({ error: nameOf(error) }, 'the commands could not be registered'),
              )
            isRegistered = true
          }
          events.hear(dispatch)
        } catch (error) {
          warn({ event: dispatch.t, error: nameOf(error) }, 'an event is not what it should be')
        }
      }
      await listen({ token, rest, shards, shardCount, onDispatch, warn, signal })
    },
    open: (destinations, key, outbox) =>
      createDraft({ rest, pace, warn }, toAddress(destinations.at(-1)!), key, outbox),
    async isAdmin({ destination, author }) {
      const { guild, ticket } = toAddress(destination)
      // An interaction tells what its author may do at that moment.
      if (ticket !== undefined) return author.isAdmin
      return guild === null || isAdminIn(rest, guild, author.id)
    },
    async links(messages, _author, destination) {
      const { guild } = toAddress(destination)
      return messages.map((message) => {
        const at = placeOf(message)
        if (at === null || at.guild !== guild) return null
        return `https://discord.com/channels/${at.guild ?? '@me'}/${at.channel}/${at.message}`
      })
    },
    async remove(posts) {
      for (const post of posts) {
        const at = placeOf(post)
        if (at === null) continue
        await rest.delete(`/channels/${at.channel}/messages/${at.message}`).catch((error) => {
          if (!isHidden(error)) throw error
        })
      }
    },
  }
}
