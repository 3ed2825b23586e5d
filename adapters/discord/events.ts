/** What the gateway tells, handed to the bot: in order within a channel, again where the bot can't take it yet. */

import { randomUUID } from 'node:crypto'
import type { REST } from '@discordjs/rest'
import { type APIInteraction, GatewayDispatchEvents as Event } from 'discord-api-types/v10'
import type { Bot } from '../../src/adapter.ts'
import { nameOf, type Warn, waited } from './gateway.ts'
import { messageId, workspaceOf } from './ids.ts'
import { type Told, toIncoming } from './incoming.ts'
import type { Dispatch, Places } from './places.ts'
import { type Reaction, ratingOf, toRating } from './reactions.ts'

export interface Ears {
  readonly bot: Bot
  readonly rest: REST
  readonly places: Places
  readonly warn: Warn
  readonly signal: AbortSignal
  /** The bot's own user; empty before the gateway told. */
  me(): string
  onInteraction(interaction: APIInteraction): Promise<void>
  /** A message in a channel where the bot was spoken to was seen or accepted. */
  onMessage?(message: Told & { readonly guild_id?: string }, isAccepted: boolean): void
}

type Placed<T> = T & { readonly channel_id: string; readonly guild_id?: string }

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 15_000
const TRIES = 12
/** So many posts are remembered with who rated them, for when all reactions go at once. */
const RATED_POSTS = 1000

export interface Events {
  hear(dispatch: Dispatch): void
  /** Takes a message that was fetched as if it had just been told. */
  take(message: Placed<Told>): Promise<void>
}

export function createEvents(ears: Ears): Events {
  const { warn } = ears
  const inOrder = createOrder()
  const thumbs = createThumbs(ears)
  const handlers: Readonly<Record<string, (data: never) => Promise<void>>> = {
    [Event.MessageCreate]: (message: Placed<Told>) => take(ears, message),
    [Event.MessageUpdate]: (message: Placed<Told>) => changed(ears, message),
    [Event.MessageDelete]: (gone: Placed<{ id: string }>) => removed(ears, { ...gone, ids: [gone.id] }),
    [Event.MessageDeleteBulk]: (gone: Placed<{ ids: string[] }>) => removed(ears, gone),
    [Event.MessageReactionAdd]: (reaction: Reaction) => thumbs.change(reaction, 'give'),
    [Event.MessageReactionRemove]: (reaction: Reaction) => thumbs.change(reaction, 'take'),
    [Event.MessageReactionRemoveAll]: (gone: Omit<Reaction, 'emoji'>) => thumbs.clear(gone, null),
    [Event.MessageReactionRemoveEmoji]: (gone: Reaction) => thumbs.clear(gone, gone.emoji),
    [Event.InteractionCreate]: ears.onInteraction,
    [Event.GuildCreate]: ({ id, unavailable }: { id: string; unavailable?: boolean }) =>
      unavailable === true ? nothing() : stored(ears, () => ears.bot.joined(workspaceOf(id, ''))),
    [Event.GuildDelete]: ({ id, unavailable }: { id: string; unavailable?: boolean }) =>
      unavailable === true ? nothing() : stored(ears, () => ears.bot.left(workspaceOf(id, ''))),
  }
  return {
    hear({ t, d }) {
      const handle = handlers[t]
      if (handle === undefined) return
      const { channel_id, id } = d as { channel_id?: unknown; id?: unknown }
      // An interaction has three seconds, and waits for nothing.
      const lane = t === Event.InteractionCreate ? randomUUID() : String(channel_id ?? id)
      void inOrder(lane, async () => {
        try {
          await handle(d as never)
        } catch (error) {
          warn({ event: t, error: nameOf(error) }, 'an event could not be taken')
        }
      })
    },
    take: (message) => inOrder(message.channel_id, () => take(ears, message)),
  }
}

async function nothing(): Promise<void> {}

async function sceneOf({ places, me }: Ears, { channel_id, guild_id }: Placed<object>) {
  return { ...(await places.scene(channel_id, guild_id ?? null)), me: me() }
}

async function take(ears: Ears, message: Placed<Told>): Promise<void> {
  if (message.guild_id === undefined && message.author.bot !== true)
    ears.places.met(message.channel_id, message.author.id)
  const incoming = toIncoming(message, await sceneOf(ears, message))
  if (incoming !== null) await stored(ears, () => ears.bot.receive(incoming))
  ears.onMessage?.(message, incoming !== null)
}

/** Discord also tells of previews that it adds to a message, which change none of its words. */
async function changed(ears: Ears, message: Placed<Told>): Promise<void> {
  if (typeof message.edited_timestamp !== 'string' || message.author === undefined) return
  const incoming = toIncoming(message, await sceneOf(ears, message))
  if (incoming === null) return
  const id = `${incoming.id}:edit:${Date.parse(message.edited_timestamp)}`
  await stored(ears, () => ears.bot.edit({ ...incoming, id, message: incoming.id }))
}

async function removed(
  ears: Ears,
  { channel_id, guild_id, ids }: Placed<{ readonly ids: readonly string[] }>,
): Promise<void> {
  const place = { guild: guild_id ?? null, channel: channel_id }
  const person = place.guild === null ? await ears.places.personIn(channel_id) : ''
  if (person === null || ids[0] === undefined) return
  const messages = ids.map((id) => messageId(place, id))
  const id = `${messages[0]}:deleted`
  await stored(ears, () => ears.bot.remove({ id, workspace: workspaceOf(place.guild, person), messages }))
}

function createThumbs(ears: Ears) {
  const given = new Map<string, Map<string, Reaction>>()
  const note = (reaction: Reaction, change: 'give' | 'take') => {
    const thumbs = given.get(reaction.message_id) ?? new Map<string, Reaction>()
    const key = `${reaction.user_id} ${reaction.emoji.name}`
    if (change === 'give') thumbs.set(key, reaction)
    else thumbs.delete(key)
    given.delete(reaction.message_id)
    if (thumbs.size > 0) given.set(reaction.message_id, thumbs)
    const [oldest] = given.keys()
    if (given.size > RATED_POSTS && oldest !== undefined) given.delete(oldest)
  }
  async function change(reaction: Reaction, change: 'give' | 'take'): Promise<void> {
    const rating = ratingOf(reaction.emoji)
    const { user_id, member, message_id: post, message_author_id: by = ears.me() } = reaction
    if (rating === null || user_id === ears.me() || by !== ears.me() || member?.user?.bot === true) return
    note(reaction, change)
    const { guild, ...scene } = await sceneOf(ears, reaction)
    const thumb = { user: member?.user ?? { id: user_id }, nick: member?.nick ?? null, post, rating, change }
    const told = toRating(thumb, { guild, ...scene }, `${post}:${randomUUID()}`, new Date())
    await stored(ears, () => ears.bot.rate(told))
  }
  return {
    change,
    /** All reactions to a message were taken away, or all with one emoji. */
    async clear({ message_id }: Omit<Reaction, 'emoji'>, emoji: Reaction['emoji'] | null): Promise<void> {
      const thumbs = [...(given.get(message_id)?.values() ?? [])]
      for (const thumb of thumbs) if (emoji === null || emoji.name === thumb.emoji.name) await change(thumb, 'take')
    },
  }
}

/** Discord tells a thing once: what the bot can't store now is offered again for a while. */
export async function stored(
  { signal, warn }: Pick<Ears, 'signal' | 'warn'>,
  store: () => Promise<unknown>,
): Promise<void> {
  for (let count = 1, delay = FIRST_DELAY_MS; ; count += 1, delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      await store()
      return
    } catch (error) {
      if (count === TRIES || signal.aborted) throw error
      warn({ error: nameOf(error), delay }, 'what happened can not be stored yet')
      await waited(delay, signal)
    }
  }
}

/** One after another under the same key. */
function createOrder(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve()
    const done = before.then(task)
    const over = done.catch(() => {})
    last.set(key, over)
    void over.then(() => last.get(key) === over && last.delete(key))
    return done
  }
}
