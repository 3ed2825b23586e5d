/** Where a message is to be seen, told only to those who may see it. */

import type { webApi } from '@slack/bolt'
import { isDirectChat, parsePostId } from './ids.ts'
import type { Target } from './posts.ts'

/** Pages of a channel's members, of 1,000 each, in which the asker is looked for. */
const MAX_PAGES = 10

/**
 * Links to messages, in their order; null for one that is gone, elsewhere, or in a channel that the asker is not in. A
 * direct chat is linked from nowhere but itself.
 */
export async function linksFor(
  client: webApi.WebClient,
  messages: readonly string[],
  user: string,
  { team, channel: here }: Target,
): Promise<(string | null)[]> {
  const memberships = new Map<string, Promise<boolean>>([[here, Promise.resolve(true)]])
  const maySee = (channel: string) => {
    const known =
      memberships.get(channel) ?? (isDirectChat(channel) ? Promise.resolve(false) : isIn(client, channel, user))
    memberships.set(channel, known)
    return known
  }
  return Promise.all(
    messages.map(async (id) => {
      const place = parsePostId(id)
      try {
        if (place === null || place.team !== team || !(await maySee(place.channel))) return null
        const { permalink } = await client.chat.getPermalink({ channel: place.channel, message_ts: place.ts })
        return permalink ?? null
      } catch {
        return null
      }
    }),
  )
}

async function isIn(client: webApi.WebClient, channel: string, user: string): Promise<boolean> {
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.conversations.members({
      channel,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    })
    if (answer.members?.includes(user)) return true
    cursor = answer.response_metadata?.next_cursor || undefined
    if (cursor === undefined) return false
  }
  return false
}
