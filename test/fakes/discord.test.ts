import { Client, Events, GatewayIntentBits, Partials, SlashCommandBuilder } from 'discord.js'
import { afterEach, expect, test } from 'vitest'
import { hasContract } from './discord/contract.ts'
import { type DiscordSettings, type FakeDiscord, startDiscord } from './discord.ts'

const { Guilds, GuildMessages, GuildMessageReactions, DirectMessages, DirectMessageReactions, MessageContent } =
  GatewayIntentBits
const INTENTS = [Guilds, GuildMessages, GuildMessageReactions, DirectMessages, DirectMessageReactions]

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(settings: DiscordSettings = {}) {
  const discord = await startDiscord(settings)
  closers.push(discord.close)
  return discord
}

/** The real discord.js, logged in and ready. */
async function login(
  discord: FakeDiscord,
  intents: readonly GatewayIntentBits[] = [...INTENTS, MessageContent],
  more = {},
) {
  const client = clientOf(discord, intents, more)
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(discord.token)
  await ready
  return client
}

function clientOf(discord: FakeDiscord, intents: readonly GatewayIntentBits[], more = {}) {
  const client = new Client({
    intents: [...intents],
    partials: [Partials.Channel, Partials.Message, Partials.Reaction, Partials.User],
    rest: { api: discord.api },
    ...more,
  })
  client.on(Events.Error, () => {})
  closers.push(() => client.destroy())
  return client
}

async function teaHouse(settings: DiscordSettings = {}) {
  const discord = await start(settings)
  const guild = discord.guild('Tea house')
  return { discord, guild, channel: discord.channel(guild, 'general'), ann: discord.user('Ann') }
}

test('a message reaches the real client, its answer and edit reach the channel', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  client.on(Events.MessageCreate, async (message) => {
    if (message.author.bot) return
    const reply = await message.reply({ content: `You said ${message.content}`, allowedMentions: { parse: [] } })
    await reply.edit({ content: 'Better so', allowedMentions: { parse: [] } })
  })
  discord.say(ann, channel, 'hello')
  const post = await discord.until('the edited answer', () =>
    discord.posts(channel).find((one) => one.editedAt !== null),
  )
  expect(post.content).toBe('Better so')
  expect(post.edits).toEqual(['You said hello'])
  expect(post.reference?.content).toBe('hello')
  expect(post.pinged).toEqual({ everyone: false, users: [], roles: [], replied: false })
})

test('a slash command is answered once registered, ephemeral where the first answer says so', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  expect(() => discord.slash(ann, channel, 'tea')).toThrow('Expected a registered command, got `tea`; registered: none')
  const command = new SlashCommandBuilder()
    .setName('tea')
    .setDescription('Tea')
    .addStringOption((option) => option.setName('kind').setDescription('Which').setRequired(true))
  await client.application?.commands.set([command])
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await interaction.deferReply({ flags: 64 })
    await interaction.editReply(`A cup of ${interaction.options.getString('kind')}`)
    await interaction.followUp({ content: 'And a biscuit', flags: 64 })
  })
  const asked = discord.slash(ann, channel, 'tea', { kind: 'oolong' })
  await discord.until('the follow-up', () => asked.followUps[0])
  expect(asked.original?.content).toBe('A cup of oolong')
  expect(asked.original?.isEphemeral).toBe(true)
  expect(discord.posts(channel)).toEqual([])
})

test('reactions arrive with the message they stand under', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  const seen: string[] = []
  client.on(
    Events.MessageReactionAdd,
    (reaction, user) => void seen.push(`+${reaction.emoji.name} ${user.id} ${reaction.message.id}`),
  )
  client.on(Events.MessageReactionRemove, (reaction) => void seen.push(`-${reaction.emoji.name}`))
  client.on(Events.MessageReactionRemoveAll, () => void seen.push('none'))
  client.on(Events.MessageReactionRemoveEmoji, (reaction) => void seen.push(`no ${reaction.emoji.name}`))
  const message = discord.say(ann, channel, 'hello')
  discord.react(ann, message, '👍')
  discord.unreact(ann, message, '👍')
  discord.react(ann, message, '👎')
  discord.clearEmoji(message, '👎')
  discord.clear(message)
  await discord.until('all reactions', () => seen.includes('none'))
  expect(seen).toEqual([`+👍 ${ann.id} ${message.id}`, '-👍', `+👎 ${ann.id} ${message.id}`, 'no 👎', 'none'])
  expect(message.reactions).toEqual({})
})

test.skipIf(!hasContract)('what discord.js sends is what Discord describes', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  client.on(Events.MessageCreate, async (message) => {
    if (message.author.bot || !message.channel.isSendable()) return
    await message.channel.sendTyping()
    await message.react('👍')
    await message.reply('Yes')
  })
  discord.say(ann, channel, 'hello')
  await discord.until('the answer', () => discord.posts(channel)[0])
  expect(discord.typing(channel)).toHaveLength(1)
  expect(discord.contractFaults()).toEqual([])
})
