/** Posting, editing and deleting messages: the one place that changes them and tells the sessions. */

import { GatewayIntentBits } from 'discord.js'
import { type Body, isRecord } from './body.ts'
import type { Audience, Gateway } from './gateway.ts'
import { bothPinged, NOBODY, pingedBy } from './mentions.ts'
import { attachmentId, isOpen, memberJson, messageJson } from './payloads.ts'
import { invalid, Refusal } from './refusal.ts'
import { type Channel, isVisible, type Message, type Payload, type World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly gateway: Gateway
  /** Whether the message content switch of the portal is on: it counts for REST as well. */
  readonly messageContent: boolean
}

/** Characters of content a bot may send. Counted here in UTF-16 units, the strictest count. */
const CONTENT = 2000
const EPHEMERAL = 64

type Fields = Pick<Message, 'channel' | 'author'> & Partial<Omit<Message, 'id' | 'reactions' | 'edits'>>

/** Makes the message and tells it to whoever may see it. An ephemeral one exists for its reader alone. */
export function put(scene: Scene, fields: Fields): Message {
  const message: Message = {
    reference: null,
    forwarded: null,
    nonce: null,
    interaction: null,
    isEphemeral: false,
    content: '',
    editedAt: null,
    embeds: [],
    components: [],
    files: [],
    flags: 0,
    pinged: NOBODY,
    isDeleted: false,
    ...fields,
    sentAt: scene.world.now(),
    id: scene.world.snowflake(),
    reactions: {},
    edits: [],
  }
  if (!message.isEphemeral) message.channel.messages.set(message.id, message)
  tell(scene, 'MESSAGE_CREATE', message)
  return message
}

/** Whom the message may be about in the gateway's intents. */
export function audience(channel: Channel, kind: 'Messages' | 'MessageReactions' | 'MessageTyping'): Audience {
  const place = channel.guild === null ? 'Direct' : 'Guild'
  return { guildId: channel.guild?.id ?? null, intent: GatewayIntentBits[`${place}${kind}`] }
}

function tell(scene: Scene, event: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  if (message.isEphemeral || !isVisible(message.channel)) return
  const { guild } = message.channel
  scene.gateway.dispatch(event, audience(message.channel, 'Messages'), (session) => ({
    ...messageJson(
      scene.world,
      message,
      (session.intents & GatewayIntentBits.MessageContent) !== 0 || isOpen(scene.world, message),
    ),
    ...(guild && { guild_id: guild.id }),
    ...(!guild && { channel_type: 1 }),
  }))
}

/** The message as REST answers it. */
export function shown(scene: Scene, message: Message): Payload {
  return messageJson(scene.world, message, scene.messageContent || isOpen(scene.world, message))
}

/** Throws a `Refusal` where Discord refuses such a body. `isWhole`: a new message, which may not be empty. */
export function checkWords(body: Payload, files: number, isWhole: boolean): void {
  const content = body['content'] ?? ''
  if (typeof content !== 'string') throw invalid('content', 'BASE_TYPE_STRING', 'Not a well formed string.')
  if (content.length > CONTENT)
    throw invalid('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${CONTENT} or fewer in length.`)
  const nonce = body['nonce']
  if (typeof nonce === 'string' && nonce.length > 25)
    throw invalid('nonce', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.')
  const holds = (field: string) => Array.isArray(body[field]) && body[field].length > 0
  const isBlank = content.trim() === '' && files === 0 && !holds('embeds') && !holds('components') && !holds('poll')
  if (isBlank && (isWhole || body['content'] !== undefined))
    throw new Refusal(400, 50006, 'Cannot send an empty message')
  const allowed = body['allowed_mentions']
  if (!isRecord(allowed) || !Array.isArray(allowed['parse'])) return
  for (const kind of ['users', 'roles'])
    if (allowed['parse'].includes(kind) && Array.isArray(allowed[kind]) && allowed[kind].length > 0)
      throw invalid('allowed_mentions', 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', `parse and ${kind} are exclusive.`)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What the bot's body says a new message is. */
export function fieldsOf(body: Body, channel: Channel, world: World, extra: Partial<Message> = {}): Fields {
  const json = isRecord(body.json) ? body.json : {}
  checkWords(json, body.files.length, true)
  const content = String(json['content'] ?? '')
  const flags = Number(json['flags'] ?? 0)
  const isInteraction = extra.interaction !== undefined && extra.interaction !== null
  return {
    channel,
    author: world.bot,
    content,
    embeds: listOf(json['embeds']),
    components: listOf(json['components']),
    files: body.files,
    flags: flags & ~EPHEMERAL,
    isEphemeral: isInteraction && (flags & EPHEMERAL) !== 0,
    pinged: pingedBy(content, json['allowed_mentions'], Boolean(extra.reference), isInteraction),
    ...extra,
  }
}

/** Changes what the bot's body names and leaves the rest; tells it. Throws a `Refusal`. */
export function amend(scene: Scene, message: Message, body: Body): void {
  const json = isRecord(body.json) ? body.json : {}
  checkWords(json, body.files.length + listOf(json['attachments'] ?? message.files).length, false)
  const rest = { embeds: json['embeds'] ?? message.embeds, components: json['components'] ?? message.components }
  message.embeds = listOf(rest.embeds)
  message.components = listOf(rest.components)
  const named = json['attachments']
  const kept = Array.isArray(named) ? named.map((one) => isRecord(one) && String(one['id'])) : null
  message.files = [
    ...message.files.filter((_, index) => kept === null || kept.includes(attachmentId(message, index))),
    ...body.files,
  ]
  const isInteraction = message.interaction !== null
  const content = json['content'] === undefined ? message.content : String(json['content'] ?? '')
  const pinged = pingedBy(content, json['allowed_mentions'], message.reference !== null, isInteraction)
  message.pinged = bothPinged(message.pinged, pinged)
  change(scene, message, content)
}

export function change(scene: Scene, message: Message, content: string): void {
  message.edits.push(message.content)
  message.content = content
  message.editedAt = scene.world.now()
  tell(scene, 'MESSAGE_UPDATE', message)
}

/** An update without an edit: a link's picture was found. */
export function unfurl(scene: Scene, message: Message): void {
  message.embeds = [...message.embeds, { type: 'link', url: 'https://example.com/', title: 'Example' }]
  tell(scene, 'MESSAGE_UPDATE', message)
}

export function remove(scene: Scene, messages: readonly Message[]): void {
  const [first] = messages
  if (first === undefined) return
  for (const message of messages) {
    message.isDeleted = true
    message.channel.messages.delete(message.id)
  }
  const { channel } = first
  if (first.isEphemeral || !isVisible(channel)) return
  const place = { channel_id: channel.id, ...(channel.guild && { guild_id: channel.guild.id }) }
  const to = audience(channel, 'Messages')
  if (messages.length === 1) scene.gateway.dispatch('MESSAGE_DELETE', to, () => ({ id: first.id, ...place }))
  else scene.gateway.dispatch('MESSAGE_DELETE_BULK', to, () => ({ ids: messages.map(({ id }) => id), ...place }))
}

/** The part of an event that says who did it, where. */
export function placeOf(scene: Scene, channel: Channel, userId: string): Payload {
  const member = channel.guild?.members.get(userId)
  return {
    user_id: userId,
    channel_id: channel.id,
    ...(channel.guild && { guild_id: channel.guild.id }),
    ...(member && userId !== scene.world.bot.id && { member: memberJson(member, 'whole') }),
  }
}
