/** One reply on its way out: somebody types, the text grows in its posts, and ends as one whole. */

import type { REST } from '@discordjs/rest'
import { type APIChannel, Routes } from 'discord-api-types/v10'
import type { Draft, Outbox, Reply } from '../../src/adapter.ts'
import { toDiscord } from '../discord-markdown.ts'
import { split } from '../text.ts'
import { nameOf, type Warn } from './gateway.ts'
import type { Address } from './ids.ts'
import type { Pace } from './pace.ts'
import { channelPosts, type Part, type Posts, ticketPosts } from './posts.ts'
import { isClosed, isExpired, isGone } from './refusals.ts'

export interface DraftParts {
  readonly rest: REST
  readonly pace: Pace
  readonly warn: Warn
}

/** UTF-16 code units of one message. */
const LIMIT = 2000
/** The sign of typing lasts ten seconds. */
const TYPING_MS = 8000
const NOT_IN_PRIVATE =
  'This is for your eyes alone, and I can not write to you directly. Ask me with Discord’s own `/persona` instead.'

export function createDraft({ rest, pace, warn }: DraftParts, to: Address, key: string, outbox: Outbox): Draft {
  const { channel, ticket } = to
  let posts = ticket === undefined ? channelPosts(rest, to, key) : ticketPosts(rest, to, ticket)
  const shown = createShown(outbox)
  const stopTyping = ticket === undefined && !to.isSilent ? type(rest, channel) : () => {}
  let isOver = false
  let latest = ''
  const owner = {}

  async function grow() {
    if (isOver) return
    try {
      await shown.show(posts, partsOf(latest, false))
      stopTyping()
    } catch (error) {
      // What can't grow is posted whole in the end.
      isOver = true
      warn({ message: key, error: nameOf(error) }, 'a reply can not grow')
    }
  }
  /** Where the first way is closed, the reply takes another one. */
  async function whole(reply: Reply): Promise<readonly string[]> {
    const parts = partsOf(reply.text, reply.isRatable === true)
    if (ticket === undefined && reply.isPrivate && to.guild !== null) return privately(parts)
    try {
      return await shown.show(posts, parts, true)
    } catch (error) {
      if (ticket !== undefined && isExpired(error)) {
        if (ticket.isPrivate) return privately(parts)
        posts = channelPosts(rest, to, key)
        return shown.show(posts, parts, true)
      }
      if (!isClosed(error)) throw error
      warn({ message: key, error: nameOf(error) }, 'a channel is closed to me; its answer goes to its author directly')
      return privately(parts)
    }
  }
  async function privately(parts: readonly Part[]): Promise<readonly string[]> {
    try {
      const dm = (await rest.post(Routes.userChannels(), { body: { recipient_id: to.user } })) as APIChannel
      return await shown.show(channelPosts(rest, { guild: null, channel: dm.id }, key), parts, true)
    } catch (error) {
      if (!isClosed(error)) throw error
      warn({ message: key, error: nameOf(error) }, 'somebody can not be written to directly')
      return shown.show(channelPosts(rest, to, key), partsOf(NOT_IN_PRIVATE, false), true).catch((refusal) => {
        if (isClosed(refusal)) return []
        throw refusal
      })
    }
  }
  return {
    update(text) {
      latest = text
      if (!isOver) pace.grow(channel, owner, grow)
    },
    async finish(reply) {
      try {
        return await pace.finish(channel, owner, () => {
          isOver = true
          return whole(reply)
        })
      } finally {
        stopTyping()
      }
    },
    abandon() {
      isOver = true
      pace.drop(channel, owner)
      stopTyping()
    },
  }
}

function partsOf(text: string, isRatable: boolean): Part[] {
  const contents = split(toDiscord(text), LIMIT)
  return contents.map((content, number) => ({
    number,
    content,
    isRatable: isRatable && number === contents.length - 1,
  }))
}

/** What of a reply is posted, so that only what differs is sent. */
function createShown(outbox: Outbox) {
  const known = new Map<number, { id: string | null; sent: string | null }>()
  for (const { part, id } of outbox.posts) known.set(part, { id, sent: null })

  async function showPart(posts: Posts, part: Part): Promise<string> {
    const before = known.get(part.number)
    const sent = JSON.stringify([part.content, part.isRatable])
    if (before?.sent === sent && before.id !== null) return before.id
    let id = before?.id ?? (before === undefined ? null : await posts.find(part))
    if (id === null) {
      await outbox.begin(part.number)
      known.set(part.number, { id: null, sent: null })
      id = await posts.post(part)
    } else await unlessGone(posts.edit(id, part))
    if (before?.id !== id) await outbox.posted(part.number, id)
    known.set(part.number, { id, sent })
    return id
  }
  return {
    /** @param isWhole what is posted beyond these parts is taken away */
    async show(posts: Posts, parts: readonly Part[], isWhole = false): Promise<readonly string[]> {
      const ids: string[] = []
      for (const part of parts) ids.push(await showPart(posts, part))
      for (const [number, { id }] of isWhole ? known : []) {
        if (number < parts.length) continue
        if (id !== null) await unlessGone(posts.remove(id))
        known.delete(number)
      }
      return ids
    },
  }
}

/** Somebody may have taken a post away: then it stays away. */
async function unlessGone(done: Promise<void>): Promise<void> {
  await done.catch((error) => {
    if (!isGone(error)) throw error
  })
}

/** Shows that somebody types, until what it returns is called. */
function type(rest: REST, channel: string): () => void {
  const show = () => void rest.post(Routes.channelTyping(channel)).catch(() => {})
  const timer = setInterval(show, TYPING_MS)
  show()
  return () => clearInterval(timer)
}
