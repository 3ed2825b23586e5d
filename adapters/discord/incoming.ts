/** What Discord tells of a message, as the bot's own words. Pure: what is known of names comes in. */

import { type APIMessage, type APIUser, MessageReferenceType, MessageType } from 'discord-api-types/v10'
import type { Author, IncomingFile, IncomingMessage } from '../../src/adapter.ts'
import { withoutOverrides } from '../text.ts'
import { conversationOf, messageId, type Place, toDestination, workspaceOf } from './ids.ts'

/** A message of the gateway; one that was fetched lacks the member. */
export type Told = APIMessage & { readonly member?: { readonly nick?: string | null } }

export interface Scene extends Place {
  /** The bot's own user. */
  readonly me: string
  /** Of a thread: the channel that it is in. */
  readonly parent: string | null
  roleName(id: string): string | undefined
  channelName(id: string): string | undefined
  /** Whether this is the role that came with the bot. */
  isMyRole(id: string): boolean
}

/** Larger files are not read. */
const MAX_FILE_BYTES = 200_000
const TEXT_NAME =
  /\.(txt|md|markdown|csv|tsv|json|ya?ml|toml|xml|html?|css|log|ini|sql|sh|py|rb|rs|go|java|kt|c|h|cpp|cs|m?[jt]sx?|diff|patch|tex)$/i

/** Null: it is not said to the bot, or not by a person. */
export function toIncoming(message: Told, scene: Scene): IncomingMessage | null {
  if (!isByPerson(message) || !isToMe(message, scene)) return null
  const text = wordsOf(message, scene)
  const files = (message.attachments ?? []).map(toFile)
  if (text === '' && files.length === 0) return null
  const { guild, channel } = scene
  const author = toAuthor(message.author, message.member?.nick, guild === null)
  return {
    id: messageId(scene, message.id),
    workspace: workspaceOf(guild, author.id),
    conversation: conversationOf(scene),
    context: contextOf(scene),
    author,
    text,
    sentAt: new Date(message.edited_timestamp ?? message.timestamp),
    destination: toDestination({ guild, channel, user: author.id, message: message.id }),
    ...(files.length > 0 && { files }),
  }
}

/** Where preferences are followed: a thread belongs to its channel. */
export function contextOf({ guild, channel, parent }: Pick<Scene, 'guild' | 'channel' | 'parent'>): string {
  return guild === null ? 'direct' : conversationOf({ guild, channel: parent ?? channel })
}

export function toAuthor(user: APIUser, nick: string | null | undefined, isAdmin: boolean): Author {
  return { id: user.id, name: nameOf(user, nick), isAdmin }
}

function nameOf(user: APIUser, nick?: string | null): string {
  return withoutOverrides(nick ?? user.global_name ?? user.username).trim() || user.username
}

function isByPerson({ author, webhook_id, type }: Told): boolean {
  const isSaid = type === MessageType.Default || type === MessageType.Reply
  return isSaid && webhook_id === undefined && author.bot !== true && author.system !== true
}

function isToMe(message: Told, { guild, me, isMyRole }: Scene): boolean {
  if (guild === null) return true
  return (
    message.mentions.some(({ id }) => id === me) ||
    message.referenced_message?.author.id === me ||
    message.mention_roles?.some(isMyRole) === true
  )
}

function wordsOf(message: Told, scene: Scene): string {
  const own = readable(message.content, message, scene)
  const forwarded =
    message.message_reference?.type === MessageReferenceType.Forward ? (message.message_snapshots ?? []) : []
  const quoted = forwarded.map(({ message: { content } }) => readable(content, message, scene).replace(/^/gm, '> '))
  return [own, ...quoted].filter((text) => /[^>\s]/.test(text)).join('\n\n')
}

/** Mentions become names: the model knows no ids. */
function readable(content: string, { mentions }: Told, { me, roleName, channelName, isMyRole }: Scene): string {
  const person = (id: string) => {
    const user = mentions.find((mentioned) => mentioned.id === id)
    const member = user as { readonly member?: { readonly nick?: string | null } } | undefined
    return user === undefined ? '@someone' : `@${nameOf(user, member?.member?.nick)}`
  }
  return withoutOverrides(content)
    .replace(/<@!?(\d+)>/g, (_, id: string) => (id === me ? '' : person(id)))
    .replace(/<@&(\d+)>/g, (_, id: string) => (isMyRole(id) ? '' : `@${roleName(id) ?? 'a role'}`))
    .replace(/<#(\d+)>/g, (_, id: string) => `#${channelName(id) ?? 'a channel'}`)
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<\/([^:>\n]+):\d+>/g, '/$1')
    .replace(/<t:(-?\d{1,12})(?::\w)?>/g, (_, seconds: string) => new Date(Number(seconds) * 1000).toISOString())
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .trim()
}

function toFile({ filename, size, content_type, url }: APIMessage['attachments'][number]): IncomingFile {
  const isText =
    content_type === undefined
      ? TEXT_NAME.test(filename)
      : /^(text\/|application\/(json|xml|sql|x-(sh|yaml|ndjson)))/.test(content_type) || TEXT_NAME.test(filename)
  return { name: withoutOverrides(filename), size, isText: isText && size <= MAX_FILE_BYTES, source: url }
}
