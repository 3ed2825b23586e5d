/** Slash commands, menus and buttons: acknowledged within Discord's three seconds, then handed to the bot. */

import type { REST } from '@discordjs/rest'
import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessage,
  type APIMessageComponentInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord-api-types/v10'
import { mayManage } from './admin.ts'
import { ASK, FORGET, typedWords, WHY } from './commands.ts'
import { type Ears, stored } from './events.ts'
import { nameOf, type Warn } from './gateway.ts'
import { conversationOf, messageId, type Place, type Ticket, timeOf, toDestination, workspaceOf } from './ids.ts'
import { contextOf, toAuthor } from './incoming.ts'
import { RATE_DOWN, RATE_UP } from './posts.ts'
import { toRating } from './reactions.ts'

type Heard = Pick<Ears, 'bot' | 'rest' | 'places' | 'warn' | 'signal' | 'me'>

/** Never answered later than this: nothing may stand between an interaction and its acknowledgement. */
export async function interact(ears: Heard, interaction: APIInteraction): Promise<void> {
  if (interaction.type === InteractionType.MessageComponent) return press(ears, interaction)
  if (interaction.type !== InteractionType.ApplicationCommand) return
  const { data } = interaction
  if (data.type === ApplicationCommandType.ChatInput) return asked(ears, interaction, typedWords(interaction))
  if (data.type !== ApplicationCommandType.Message) return
  const target = data.resolved.messages[data.target_id]
  if (data.name === WHY && target?.author.id === ears.me()) return asked(ears, interaction, '/persona why')
  if (data.name === WHY) return tell(ears.rest, interaction, 'That is no reply of mine.')
  if (data.name === FORGET && target !== undefined) return forget(ears, interaction, target)
}

async function asked(ears: Heard, interaction: APIApplicationCommandInteraction, text: string): Promise<void> {
  const isPrivate = interaction.data.name !== ASK
  const deferred = respond(ears.rest, interaction, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: isPrivate ? { flags: MessageFlags.Ephemeral } : {},
  }).catch(late(ears.warn))
  const place = placeOf(interaction)
  const user = userOf(interaction)
  if (place === null || user === null) return
  const scene = await ears.places.scene(place.channel, place.guild)
  if (place.guild === null) ears.places.met(place.channel, user.id)
  const isAdmin = place.guild === null || mayManage(interaction.member?.permissions)
  const ticket: Ticket = {
    application: interaction.application_id,
    interaction: interaction.id,
    token: interaction.token,
    isPrivate,
  }
  const message = {
    id: messageId(place, `i${interaction.id}`),
    workspace: workspaceOf(place.guild, user.id),
    conversation: conversationOf(place),
    context: contextOf(scene),
    author: toAuthor(user, interaction.member?.nick, isAdmin),
    text,
    sentAt: timeOf(interaction.id),
    destination: toDestination({ ...place, user: user.id, ticket }),
  }
  await Promise.all([deferred, stored(ears, () => ears.bot.receive(message))])
}

/** A button below a reply rates it; the same again takes that back. */
async function press(ears: Heard, interaction: APIMessageComponentInteraction): Promise<void> {
  const { custom_id } = interaction.data
  const rating = custom_id === RATE_UP ? 'up' : custom_id === RATE_DOWN ? 'down' : null
  await respond(ears.rest, interaction, { type: InteractionResponseType.DeferredMessageUpdate }).catch(late(ears.warn))
  const place = placeOf(interaction)
  const user = userOf(interaction)
  if (rating === null || place === null || user === null) return
  const scene = await ears.places.scene(place.channel, place.guild)
  const thumb = { user, nick: interaction.member?.nick ?? null, post: interaction.message.id, rating } as const
  const told = toRating(thumb, scene, `i${interaction.id}`, timeOf(interaction.id))
  await stored(ears, () => ears.bot.rate(told))
}

/** Only one's own words can be forgotten, by themselves or by the reply to them. */
async function forget(ears: Heard, interaction: APIApplicationCommandInteraction, target: APIMessage): Promise<void> {
  const deferred = respond(ears.rest, interaction, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  }).catch(late(ears.warn))
  const place = placeOf(interaction)
  const user = userOf(interaction)
  if (place === null || user === null) return
  const answered = target.author.id === ears.me() ? await questionOf(ears.rest, place, target) : target
  const isOwn = answered?.author.id === user.id
  if (isOwn) {
    const workspace = workspaceOf(place.guild, user.id)
    const messages = [messageId(place, answered.id)]
    await stored(ears, () => ears.bot.remove({ id: messageId(place, `i${interaction.id}`), workspace, messages }))
  }
  await deferred
  const content = isOwn
    ? 'Forgotten: what you said there, and what I learned from it.'
    : 'I can only forget what you said to me yourself: use this on your own message or on my reply to it.'
  await ears.rest.patch(Routes.webhookMessage(interaction.application_id, interaction.token, '@original'), {
    body: { content, allowed_mentions: { parse: [] } },
    auth: false,
  })
}

/** The message that a reply of the bot's answers. */
async function questionOf(rest: REST, { channel }: Place, reply: APIMessage): Promise<APIMessage | null> {
  const at = reply.message_reference?.message_id
  if (at === undefined) return null
  return (await rest.get(Routes.channelMessage(channel, at)).catch(() => null)) as APIMessage | null
}

async function tell(rest: REST, interaction: APIInteraction, content: string): Promise<void> {
  await respond(rest, interaction, {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { content, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } },
  })
}

async function respond(rest: REST, { id, token }: APIInteraction, body: object): Promise<void> {
  await rest.post(Routes.interactionCallback(id, token), { body, auth: false })
}

/** The answer takes another way then. */
function late(warn: Warn): (error: unknown) => void {
  return (error) => warn({ error: nameOf(error) }, 'an interaction could not be acknowledged in time')
}

function placeOf({ guild_id, channel, channel_id }: APIInteraction): Place | null {
  const id = channel?.id ?? channel_id
  return id === undefined ? null : { guild: guild_id ?? null, channel: id }
}

function userOf(interaction: APIInteraction) {
  return interaction.member?.user ?? interaction.user ?? null
}
