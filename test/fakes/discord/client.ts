/** The real discord.js, pointed at the fake. */

import { Client, type ClientOptions, Events, GatewayIntentBits, Partials } from 'discord.js'
import { afterEach } from 'vitest'
import { type DiscordSettings, type FakeDiscord, startDiscord } from '../discord.ts'

const { Guilds, GuildMessages, GuildMessageReactions, DirectMessages, DirectMessageReactions, MessageContent } =
  GatewayIntentBits

/** Every intent that needs no permission of Discord's. */
export const PLAIN = [Guilds, GuildMessages, GuildMessageReactions, DirectMessages, DirectMessageReactions]
export const ALL = [...PLAIN, MessageContent]

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A fake with one guild, its channel and Ann, closed after the test. */
export async function teaHouse(settings: DiscordSettings = {}) {
  const discord = await startDiscord(settings)
  closers.push(discord.close)
  const guild = discord.guild('Tea house')
  return { discord, guild, channel: discord.channel(guild, 'general'), ann: discord.user('Ann') }
}

/** Not logged in yet; destroyed after the test. */
export function clientOf(discord: FakeDiscord, options: Partial<ClientOptions> = {}): Client {
  const client = new Client({
    intents: ALL,
    partials: [Partials.Channel, Partials.Message, Partials.Reaction, Partials.User],
    ...options,
    rest: { api: discord.api, ...options.rest },
  })
  client.on(Events.Error, () => {})
  closers.push(() => client.destroy())
  return client
}

/** Logged in and ready. */
export async function login(discord: FakeDiscord, options: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = clientOf(discord, options)
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(discord.token)
  return ready
}

/** Contents of what people say, as the client hears them, in order. */
export function heard(client: Client): string[] {
  const contents: string[] = []
  client.on(Events.MessageCreate, (message) => {
    if (!message.author.bot) contents.push(message.content)
  })
  return contents
}
