import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  ContextMenuCommandBuilder,
  DiscordAPIError,
  Events,
  type Interaction,
  InteractionContextType,
  LabelBuilder,
  ModalBuilder,
  PermissionFlagsBits,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { expect, test } from 'vitest'
import { login, teaHouse } from './discord/client.ts'
import { hasContract } from './discord/contract.ts'

const COMMANDS = [
  new SlashCommandBuilder()
    .setName('tea')
    .setDescription('Tea')
    .addSubcommand((command) =>
      command
        .setName('pour')
        .setDescription('Pours')
        .addStringOption((option) =>
          option.setName('kind').setDescription('Which').setRequired(true).setAutocomplete(true),
        )
        .addUserOption((option) => option.setName('for').setDescription('Whom')),
    ),
  new SlashCommandBuilder()
    .setName('tune')
    .setDescription('Tunes')
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .setContexts(InteractionContextType.Guild),
  new ContextMenuCommandBuilder().setName('Why?').setType(3),
]

async function counter(answer: (interaction: Interaction) => Promise<unknown>) {
  const house = await teaHouse()
  const client: Client<true> = await login(house.discord)
  await client.application.commands.set(COMMANDS)
  const refused: unknown[] = []
  client.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => refused.push(error instanceof DiscordAPIError ? error.code : error))
  })
  return { ...house, client, refused }
}

test('a command is offered once registered, where and to whom it was registered for', async () => {
  const { discord, guild, channel, ann } = await counter(async () => {})
  const bob = discord.user('Bob')
  discord.member(guild, bob, { permissions: ['ManageGuild'] })
  expect(() => discord.slash(ann, channel, 'coffee')).toThrow('got `coffee`; registered: /tea, /tune')
  expect(() => discord.slash(ann, channel, 'tune')).toThrow('Expected Ann to see `tune`')
  expect(() => discord.slash(ann, discord.dm(ann), 'tune')).toThrow('to be offered in direct chats')
  expect(() => discord.slash(ann, channel, 'tea pour')).toThrow('Expected the option `kind`, got none')
  expect(() => discord.slash(ann, channel, 'tea pour', { kind: 3 })).toThrow('Expected `kind` to be a string, got `3`')
  expect(discord.slash(bob, channel, 'tune').type).toBe(2)
  expect(discord.slash(ann, channel, 'tune', {}, { overridden: true }).type).toBe(2)
})

test('the member who asks comes with what it may do, a direct chat without a member', async () => {
  const seen: string[] = []
  const { discord, guild, channel, ann } = await counter(async (interaction) => {
    const may = interaction.memberPermissions?.has('ManageGuild')
    seen.push(`${interaction.inGuild()} ${may} ${interaction.user.displayName}`)
  })
  discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  discord.member(guild, ann, { permissions: ['ManageGuild'] })
  discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  discord.slash(ann, discord.dm(ann), 'tea pour', { kind: 'oolong' })
  await discord.until('three commands', () => seen.length === 3)
  expect(seen[0]).toBe('true false Ann')
  expect(seen[1]).toBe('true true Ann')
  expect(seen[2]).toMatch(/^false .* Ann$/)
})

test('an answer put off is edited in, its visibility told by the deferral', async () => {
  const { discord, channel, ann } = await counter(async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await interaction.deferReply({ flags: 64 })
    await interaction.editReply(
      `${interaction.options.getString('kind')} for ${interaction.options.getUser('for')?.displayName}`,
    )
    await interaction.followUp({ content: 'And a biscuit' })
  })
  const asked = discord.slash(ann, channel, 'tea pour', { kind: 'oolong', for: ann })
  const biscuit = await discord.until('the follow-up', () => asked.followUps[0])
  expect([asked.answer, asked.original?.content, asked.original?.isEphemeral]).toEqual([
    'deferred',
    'oolong for Ann',
    true,
  ])
  expect(discord.posts(channel)).toEqual([biscuit])
})

test('an answer after 3 s is refused, as is a second one; the token ends after 15 minutes', async () => {
  const waiting: (() => void)[] = []
  const { discord, channel, ann, client, refused } = await counter(async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await new Promise<void>((resolve) => waiting.push(resolve))
    await interaction.reply('at last')
  })
  const asked = discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  const answer = await discord.until('the listener', () => waiting[0])
  discord.advance(3_001)
  answer()
  await discord.until('the refusal', () => refused.length === 1)
  expect([asked.answer, refused]).toEqual([null, [10062]])

  const prompt = discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  const path = `/interactions/${prompt.id}/${prompt.token}/callback` as const
  const body = { type: 4, data: { content: 'now' } }
  await client.rest.post(path, { body, auth: false })
  await expect(client.rest.post(path, { body, auth: false })).rejects.toMatchObject({ code: 40060 })
  discord.advance(15 * 60_000)
  const edit = client.rest.patch(`/webhooks/${discord.bot.id}/${prompt.token}/messages/@original`, {
    body: { content: 'x' },
    auth: false,
  })
  await expect(edit).rejects.toMatchObject({ code: 50027 })
})

test('a button under a message changes it, a form comes back filled in', async () => {
  const button = (id: string) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Primary)
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    button('more'),
    button('tell'),
    button('off').setDisabled(true),
  )
  const input = new TextInputBuilder().setCustomId('words').setStyle(TextInputStyle.Short)
  const form = new ModalBuilder()
    .setCustomId('form')
    .setTitle('Tell')
    .addLabelComponents(new LabelBuilder().setLabel('Words').setTextInputComponent(input))
  const { discord, channel, ann } = await counter(async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply({ content: 'Tea?', components: [row] })
    else if (interaction.isButton() && interaction.customId === 'more') await interaction.update('More tea?')
    else if (interaction.isButton()) await interaction.showModal(form)
    else if (interaction.isModalSubmit()) await interaction.reply(interaction.fields.getTextInputValue('words'))
  })
  const asked = discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  const message = await discord.until('the message', () => asked.original)
  expect(() => discord.click(ann, message, 'off')).toThrow(
    'Expected an enabled button or menu `off` under the message, got `more`, `tell`, `off`',
  )
  discord.click(ann, message, 'more')
  await discord.until('the change', () => message.content === 'More tea?')
  const told = discord.click(ann, message, 'tell')
  await discord.until('the form', () => told.modal)
  const filled = discord.submit(ann, told, { words: 'No, thanks' })
  await discord.until('the answer', () => filled.original?.content === 'No, thanks')
})

test('completions are offered while typing, a context menu brings its message', async () => {
  const { discord, channel, ann } = await counter(async (interaction) => {
    if (interaction.isAutocomplete())
      await interaction.respond([{ name: 'Oolong', value: interaction.options.getFocused() }])
    else if (interaction.isMessageContextMenuCommand())
      await interaction.reply(`Why ${interaction.targetMessage.content}`)
  })
  const typing = discord.autocomplete(ann, channel, 'tea pour', 'kind', 'oo')
  await discord.until('the choices', () => typing.choices.length > 0)
  expect(typing.choices).toEqual([{ name: 'Oolong', value: 'oo' }])
  const asked = discord.contextMenu(ann, channel, 'Why?', discord.say(ann, channel, 'tea'))
  await discord.until('the answer', () => asked.original?.content === 'Why tea')
})

test('an interaction notifies only users by default, and its message only who may be', async () => {
  const words = '@everyone <@1> <@&2>'
  const { discord, channel, ann } = await counter(async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await interaction.reply(words)
    await interaction.followUp({ content: words, allowedMentions: { parse: [] } })
  })
  const asked = discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  const followUp = await discord.until('the follow-up', () => asked.followUps[0])
  expect(asked.original?.pinged).toEqual({ everyone: false, users: ['1'], roles: [], replied: false })
  expect(followUp.pinged).toEqual({ everyone: false, users: [], roles: [], replied: false })
})

test.skipIf(!hasContract)('commands and answers are what Discord describes, and what is not is found', async () => {
  const { discord, channel, ann, client } = await counter(async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    await interaction.deferReply()
    await interaction.editReply('Yes')
    await interaction.followUp({ content: 'Oh yes', flags: 64 })
  })
  const asked = discord.slash(ann, channel, 'tea pour', { kind: 'oolong' })
  await discord.until('the follow-up', () => asked.followUps[0])
  expect(discord.contractFaults()).toEqual([])
  const send = (path: `/${string}`, body: unknown) => client.rest.post(path, { body }).catch(() => {})
  await send(`/channels/${channel.id}/messages`, { content: 7 })
  await send(`/channels/${channel.id}/massages`, { content: 'x' })
  await send(`/channels/${channel.id}/messages`, { content: 'x'.repeat(2001) })
  await send(`/applications/${discord.bot.id}/commands`, {
    name: 'tea',
    description: 'x'.repeat(101),
    type: 1,
    default_member_permissions: 'all',
  })
  const faults = discord.contractFaults()
  for (const expected of [
    /messages: \/content must be string/,
    /massages: no such route/,
    /messages: \/content must NOT have more than 2000 characters/,
    /commands: \/description must NOT have more than 100 characters/,
    /commands: \/default_member_permissions must match pattern/,
  ])
    expect(faults).toContainEqual(expect.stringMatching(expected))
})
