/** A Discord of its own on a loopback port: gateway, REST, people who act in it, and everything that can go wrong. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Options } from './discord/command-options.ts'
import { commandRoutes } from './discord/command-routes.ts'
import { contractFaults } from './discord/contract.ts'
import { createFaults, type Fault, type Faults } from './discord/faults.ts'
import { openGateway, type Session } from './discord/gateway.ts'
import { closeChannel, direct, enter, found, greeting, leave, openChannel, setMember } from './discord/guilds.ts'
import { interactionRoutes } from './discord/interaction-routes.ts'
import { autocomplete, click, contextMenu, slash, submit } from './discord/interactions.ts'
import { pingedBy } from './discord/mentions.ts'
import { channelRoutes, messageRoutes } from './discord/message-routes.ts'
import { audience, change, placeOf, put, remove, type Scene, unfurl } from './discord/messages.ts'

import { clearReactions, react, unreact } from './discord/reactions.ts'
import { type RestRequest, serveRest } from './discord/rest.ts'
import { until } from './discord/until.ts'
import {
  type Channel,
  createWorld,
  type Guild,
  type Interaction,
  type Message,
  memberOf,
  type Payload,
  type Permission,
  type User,
} from './discord/world.ts'

export interface DiscordSettings {
  /** The message content switch of the portal; on by default. */
  readonly messageContent?: boolean
  /** Milliseconds between heartbeats; 41,250 by default. */
  readonly heartbeat?: number
  /** Shards that /gateway/bot recommends; 1 by default. */
  readonly shards?: number
}

export type FakeDiscord = Awaited<ReturnType<typeof startDiscord>>

const TOKEN = 'fake.discord.token'

/** Listens on a free port of 127.0.0.1 until `close`. */
export async function startDiscord(settings: DiscordSettings = {}) {
  const world = createWorld()
  const server = createServer()
  const requests: RestRequest[] = []
  const faults = createFaults()
  const link = { isDown: false, base: '' }
  const messageContent = settings.messageContent ?? true
  const gateway = openGateway(
    server,
    () => link.base,
    () => link.isDown,
    {
      token: TOKEN,
      messageContent,
      heartbeat: settings.heartbeat ?? 41_250,
      greeting: (session) => greeting(world, session),
    },
  )
  const scene: Scene = { world, gateway, messageContent }
  serveRest(server, {
    token: TOKEN,
    routes: routesOf(scene, () => ({ url: `${link.base}/gateway`, shards: settings.shards ?? 1 })),
    faults,
    requests,
    now: world.now,
    isDown: () => link.isDown,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  link.base = `ws://127.0.0.1:${port}`
  return {
    api: `http://127.0.0.1:${port}/api`,
    token: TOKEN,
    bot: world.bot,
    advance: world.advance,
    close: () => close(server, scene, faults),
    ...placesOf(scene),
    ...peopleOf(scene),
    ...interactionsOf(scene),
    ...reportOf(scene, requests),
    ...troubleOf(scene, faults, link),
  }
}

async function close(server: Server, scene: Scene, faults: Faults): Promise<void> {
  faults.clear()
  scene.gateway.drop()
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

function routesOf(scene: Scene, link: () => { readonly url: string; readonly shards: number }) {
  return {
    'GET /gateway/bot': () => ({
      ...link(),
      // Many sessions at once: with 1, discord.js waits 5 s between two shards.
      session_start_limit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 16 },
    }),
    ...channelRoutes(scene, (userId) => direct(scene, scene.world.users.get(userId) ?? scene.world.bot)),
    ...messageRoutes(scene),
    ...interactionRoutes(scene),
    ...commandRoutes(scene),
  }
}

/** Guilds, people and channels. */
function placesOf(scene: Scene) {
  return {
    guild: (name: string, id: string | null = null) => found(scene, name, id),
    user: (name: string, { bot = false } = {}): User => {
      const user = { id: scene.world.snowflake(), name, isBot: bot, hasClosedDms: false }
      scene.world.users.set(user.id, user)
      return user
    },
    member: (guild: Guild, user: User, what: { permissions?: readonly Permission[]; nick?: string } = {}) =>
      setMember(scene, guild, user, what.permissions ?? [], what.nick ?? null),
    channel: (guild: Guild, name: string) => openChannel(scene, guild, name, null),
    thread: (channel: Channel, name: string) => openChannel(scene, channel.guild!, name, channel),
    dm: (user: User) => direct(scene, user),
    closeChannel: (channel: Channel) => closeChannel(scene, channel),
    kick: (guild: Guild) => leave(scene, guild, 'gone'),
    outage: (guild: Guild) => leave(scene, guild, 'outage'),
    recover: (guild: Guild) => enter(scene, guild),
    invite: (guild: Guild) => enter(scene, guild),
    forbid: (channel: Channel, isForbidden = true) => {
      channel.isForbidden = isForbidden
    },
    closeDms: (user: User) => {
      user.hasClosedDms = true
    },
  }
}

/** What people do with messages. */
function peopleOf(scene: Scene) {
  return {
    say: (
      user: User,
      channel: Channel,
      content: string,
      more: { readonly reply?: Message; readonly forward?: Message; readonly ping?: boolean } = {},
    ): Message => {
      if (channel.guild !== null) memberOf(scene.world, channel.guild, user)
      const reference = more.reply ?? null
      const allowed = more.ping === false ? { parse: ['users', 'roles', 'everyone'], replied_user: false } : undefined
      const pinged = pingedBy(content, allowed, reference !== null, false)
      return put(scene, { channel, author: user, content, reference, forwarded: more.forward ?? null, pinged })
    },
    edit: (message: Message, content: string) => change(scene, message, content),
    unfurl: (message: Message) => unfurl(scene, message),
    delete: (message: Message) => remove(scene, [message]),
    bulkDelete: (messages: readonly Message[]) => remove(scene, messages),
    type: (user: User, channel: Channel) =>
      scene.gateway.dispatch('TYPING_START', audience(channel, 'MessageTyping'), () => ({
        ...placeOf(scene, channel, user.id),
        timestamp: Math.floor(scene.world.now() / 1000),
      })),
    react: (user: User, message: Message, emoji: string) => react(scene, user, message, emoji),
    unreact: (user: User, message: Message, emoji: string) => unreact(scene, user, message, emoji),
    clear: (message: Message) => clearReactions(scene, message),
    clearEmoji: (message: Message, emoji: string) => clearReactions(scene, message, emoji),
  }
}

/** Commands, buttons and forms. Each throws where Discord's own client would not let the person do it. */
function interactionsOf(scene: Scene) {
  return {
    slash: (user: User, channel: Channel, words: string, options: Options = {}, { overridden = false } = {}) =>
      slash(scene, user, channel, words, options, overridden),
    autocomplete: (user: User, channel: Channel, words: string, option: string, soFar: string) =>
      autocomplete(scene, user, channel, words, option, soFar),
    contextMenu: (user: User, channel: Channel, name: string, target: Message | User) =>
      contextMenu(scene, user, channel, name, target),
    click: (user: User, message: Message, customId: string, { values = [] }: { values?: readonly string[] } = {}) =>
      click(scene, user, message, customId, values),
    submit: (user: User, asked: Interaction, fields: Readonly<Record<string, string>>) =>
      submit(scene, user, asked, fields),
  }
}

/** What the bot did. */
function reportOf(scene: Scene, requests: readonly RestRequest[]) {
  const { world, gateway } = scene
  const seen = () =>
    [
      ...requests.map(
        ({ method, path, status, body }) => `${method} ${path} ${JSON.stringify(body) ?? ''} → ${status}`,
      ),
      `sessions ${gateway.sessions.size}, identifies ${gateway.counts.identifies}, resumes ${gateway.counts.resumes}`,
    ].join('\n')
  return {
    requests,
    requestsTo: (route: string) => requests.filter((request) => request.route === route),
    posts: (channel: Channel) => [...channel.messages.values()].filter(({ author }) => author === world.bot),
    typing: (channel: Channel): readonly number[] => channel.typing,
    commands: (guild?: Guild) => world.commands.get(guild?.id ?? '') ?? [],
    /** IDENTIFYs, RESUMEs and heartbeats so far. */
    counts: gateway.counts as Readonly<typeof gateway.counts>,
    sessions: gateway.sessions as ReadonlySet<Session>,
    contractFaults: () => contractFaults(requests),
    until: <T>(what: string, look: () => T, ms?: number) => until(what, look, seen, ms),
  }
}

/** What goes wrong. */
function troubleOf(scene: Scene, faults: Faults, link: { isDown: boolean }) {
  const { gateway } = scene
  return {
    fault: (route: string, fault: Fault) => faults.add(route, fault),
    budget: (route: string, limit: number, ms: number) => faults.budget(route, limit, ms),
    healthy: () => faults.clear(),
    drop: gateway.drop,
    reconnect: gateway.reconnect,
    invalidate: gateway.invalidate,
    missHeartbeats: gateway.missHeartbeats,
    duplicate: gateway.duplicate,
    hold: gateway.hold,
    release: gateway.release,
    closeWith: gateway.closeWith,
    down: () => {
      link.isDown = true
      gateway.drop()
    },
    up: () => {
      link.isDown = false
    },
    dispatch: (event: string, data: Payload, guild: Guild | null = null) =>
      gateway.dispatch(event, { guildId: guild?.id ?? null, intent: 0 }, () => data),
  }
}
