/** The requests that make, change, find and remove posts. */

import type { types, webApi } from '@slack/bolt'
import type { Content } from './content.ts'
import { codeOf } from './faults.ts'

/** Where a reply goes; what `IncomingMessage.destination` holds. */
export interface Target {
  readonly team: string
  readonly channel: string
  readonly user: string
  /** The message that the thread begins with; null for what belongs to no message. */
  readonly thread: string | null
  /** Where a command may be answered, five times within half an hour. */
  readonly answer: string | null
}

/** By which a post of a reply is found again. */
export interface Mark {
  readonly key: string
  readonly part: number
}

export interface Posts {
  /** Resolves with the post's time, which is its name in the channel. */
  post(target: Target, content: Content, mark: Mark): Promise<string>
  /** False when the post is gone, or may not be changed any more. */
  update(channel: string, ts: string, content: Content): Promise<boolean>
  remove(channel: string, ts: string): Promise<void>
  /** Parts of the reply that are in the thread, and their times. */
  find(target: Target, key: string): Promise<ReadonlyMap<number, string>>
  /** Seen by one person alone; resolves with its time. Falls back to a direct message. */
  whisper(target: Target, content: Content): Promise<string>
  /** Says below the conversation what the bot is doing; empty: nothing. Never rejects. */
  status(target: Target, status: string): Promise<void>
}

const EVENT = 'attune_reply'
/** Pages of a thread, of 200 messages each, in which a lost post is looked for. */
const MAX_PAGES = 10
const UNCHANGEABLE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'channel_not_found'])
const UNREACHABLE = new Set(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived'])

export function createPosts(client: webApi.WebClient): Posts {
  const say = async ({ channel, thread }: Pick<Target, 'channel' | 'thread'>, content: Content, mark: Mark | null) => {
    const metadata = mark === null ? {} : { metadata: { event_type: EVENT, event_payload: { ...mark } } }
    const { ts } = await client.chat.postMessage({
      channel,
      ...(thread === null ? {} : { thread_ts: thread }),
      ...bodyOf(content),
      ...metadata,
      unfurl_links: false,
      unfurl_media: false,
    })
    return named(ts)
  }
  return {
    post: say,
    async update(channel, ts, content) {
      try {
        await client.chat.update({ channel, ts, text: content.text, blocks: [...content.blocks] })
        return true
      } catch (error) {
        if (UNCHANGEABLE.has(codeOf(error) ?? '')) return false
        throw error
      }
    },
    async remove(channel, ts) {
      try {
        await client.chat.delete({ channel, ts })
      } catch (error) {
        if (codeOf(error) !== 'message_not_found') throw error
      }
    },
    find: (target, key) => find(client, target, key),
    async whisper(target, content) {
      try {
        const { channel, user, thread } = target
        const inThread = thread === null ? {} : { thread_ts: thread }
        const { message_ts } = await client.chat.postEphemeral({ channel, user, ...inThread, ...bodyOf(content) })
        return named(message_ts)
      } catch (error) {
        if (!UNREACHABLE.has(codeOf(error) ?? '')) throw error
        const { channel } = await client.conversations.open({ users: target.user })
        return say({ channel: named(channel?.id), thread: null }, content, null)
      }
    },
    async status({ channel, thread }, status) {
      if (thread === null) return
      await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, status }).catch(() => {})
    },
  }
}

function bodyOf({ text, blocks }: Content): { text: string; blocks?: types.KnownBlock[] } {
  return blocks.length === 0 ? { text } : { text, blocks: [...blocks] }
}

/** A request that Slack says it carried out names what it made. */
function named(id: string | undefined): string {
  if (id === undefined) throw new Error('Slack made a post and did not name it')
  return id
}

async function find(client: webApi.WebClient, { channel, thread }: Target, key: string) {
  const found = new Map<number, string>()
  if (thread === null) return found
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.conversations.replies({
      channel,
      ts: thread,
      limit: 200,
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const { ts, metadata } of answer.messages ?? []) {
      const mark: { key?: unknown; part?: unknown } = metadata?.event_payload ?? {}
      if (metadata?.event_type !== EVENT || mark.key !== key || ts === undefined) continue
      const part = Number(mark.part)
      if (Number.isInteger(part)) found.set(part, ts)
    }
    cursor = answer.response_metadata?.next_cursor || undefined
    if (cursor === undefined) break
  }
  return found
}

/** Answers a command where it was given; false when Slack no longer lets it. */
export async function answerCommand(url: string, { text, blocks }: Content): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      response_type: 'ephemeral',
      replace_original: false,
      text,
      ...(blocks.length ? { blocks } : {}),
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null)
  await response?.body?.cancel()
  return response?.ok === true
}
