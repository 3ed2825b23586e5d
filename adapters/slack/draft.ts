/** One reply on its way into a thread: shown while it grows, and posted so that a crash at any point doubles nothing. */

import type { Destination, Draft, Outbox, Reply } from '../../src/adapter.ts'
import { type Content, contentsOf, isSame, previewOf } from './content.ts'
import { brief, codeOf, retryAfter } from './faults.ts'
import { lastOf, postId } from './ids.ts'
import type { Pace } from './pace.ts'
import { answerCommand, type Posts, type Target } from './posts.ts'

export interface Sending {
  readonly posts: Posts
  readonly pace: Pace
  /** Milliseconds between two looks whether a growing reply may be shown again. */
  readonly lookMs: number
  readonly warn: (facts: Readonly<Record<string, unknown>>, text: string) => void
}

/** What is known of one part of the reply. */
interface Part {
  /** Null: it was begun, and may or may not be there. */
  ts: string | null
  /** What it shows; null where another process posted it. */
  shown: Content | null
}

/** Where no post can be made, by anybody, until somebody changes the channel. */
const CLOSED = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'thread_not_found',
  'cannot_reply_to_message',
])

const THINKING = 'is thinking…'
/** Slack takes so many answers to one command. */
const MAX_ANSWERS = 5

export function openDraft(sending: Sending, target: Target, key: string, outbox: Outbox): Draft {
  const parts = new Map<number, Part>()
  for (const { part, id } of outbox.posts) parts.set(part, { ts: id === null ? null : lastOf(id), shown: null })
  const reply: Writing = { sending, target, key, outbox, parts }
  let latest = ''
  let timer: NodeJS.Timeout | undefined
  let showing = Promise.resolve()
  let isOver = false
  if (target.thread !== null && parts.size === 0) void sending.posts.status(target, THINKING)
  const look = () => {
    timer = undefined
    showing = showing.then(() => (isOver ? undefined : show(reply, latest))).then(again, again)
  }
  const again = () => {
    if (!isOver && timer === undefined) timer = setTimeout(look, sending.lookMs).unref()
  }
  const end = async () => {
    isOver = true
    clearTimeout(timer)
    await showing
  }
  return {
    update(text) {
      const isFirst = latest === ''
      latest = text
      if (isFirst && text !== '' && !isOver && target.thread !== null) look()
    },
    async finish(final) {
      await end()
      const isPrivate = final.isPrivate && !target.channel.startsWith('D')
      return isPrivate || target.answer !== null ? whisper(reply, final) : deliver(reply, final)
    },
    abandon() {
      void end().then(() => sending.posts.status(target, ''))
    },
  }
}

interface Writing {
  readonly sending: Sending
  readonly target: Target
  readonly key: string
  readonly outbox: Outbox
  readonly parts: Map<number, Part>
}

/** Shows the reply as far as it is written, if the pace allows. Whatever fails here is made up for when it is finished. */
async function show(reply: Writing, text: string): Promise<void> {
  const content = previewOf(text)
  if (content === null) return
  const { posts, pace, warn } = reply.sending
  const { channel } = reply.target
  const part = reply.parts.get(0)
  try {
    if (part === undefined) await pace.draft(channel, () => post(reply, 0, content))
    else if (part.ts !== null && !(part.shown !== null && isSame(part.shown, content))) {
      const { ts } = part
      const isShown = await pace.draft(channel, () => posts.update(channel, ts, content))
      if (isShown === true) part.shown = content
    }
  } catch (error) {
    warn({ message: reply.key, ...brief(error) }, 'a growing reply was not shown')
  }
}

/** Posts, changes what is posted already, and removes what is left over. */
async function deliver(reply: Writing, final: Reply): Promise<string[]> {
  const { sending, target, key, parts } = reply
  const contents = contentsOf(final)
  if ([...parts.values()].some(({ ts }) => ts === null)) {
    for (const [part, ts] of await sending.posts.find(target, key)) parts.set(part, { ts, shown: null })
  }
  const ids: string[] = []
  for (const [n, content] of contents.entries()) {
    try {
      ids.push(await settle(reply, n, content))
    } catch (error) {
      if (!CLOSED.has(codeOf(error) ?? '')) throw error
      sending.warn({ message: key, ...brief(error) }, 'a reply could not be posted')
      return ids
    }
  }
  for (const [n, { ts }] of parts) {
    if (n < contents.length || ts === null) continue
    await sending.pace.final(target.channel, () => sending.posts.remove(target.channel, ts))
    parts.delete(n)
  }
  if (contents.length === 0) await sending.posts.status(target, '')
  return ids
}

/** Sees to it that this part is there and shows this; its id. */
async function settle(reply: Writing, n: number, content: Content): Promise<string> {
  const { sending, target, outbox, parts } = reply
  const { channel } = target
  const part = parts.get(n)
  if (part === undefined || part.ts === null) {
    return idOf(target, await sending.pace.final(channel, () => post(reply, n, content)))
  }
  const { ts } = part
  if (part.shown === null) await outbox.posted(n, idOf(target, ts))
  else if (isSame(part.shown, content)) return idOf(target, ts)
  const isThere = await sending.pace.final(channel, () => sending.posts.update(channel, ts, content))
  if (isThere) {
    part.shown = content
    return idOf(target, ts)
  }
  parts.delete(n)
  return settle(reply, n, content)
}

async function post(reply: Writing, n: number, content: Content): Promise<string> {
  const { sending, target, key, outbox, parts } = reply
  // Before it is known whether the post is there it may be.
  parts.set(n, { ts: null, shown: null })
  await outbox.begin(n)
  try {
    const ts = await sending.posts.post(target, content, { key, part: n })
    parts.set(n, { ts, shown: content })
    await outbox.posted(n, idOf(target, ts))
    return ts
  } catch (error) {
    // Slack says that it made none.
    if (codeOf(error) !== null || retryAfter(error) !== null) parts.delete(n)
    throw error
  }
}

/** For one person's eyes. What was whispered can't be looked for, so that after a crash it is said again. */
async function whisper({ sending, target, key, outbox, parts }: Writing, final: Reply): Promise<string[]> {
  const ids: string[] = []
  for (const [n, content] of contentsOf({ ...final, isRatable: false }).entries()) {
    if (parts.get(n)?.ts == null) {
      await outbox.begin(n)
      const { answer } = target
      const isAnswered = answer !== null && n < MAX_ANSWERS && (await answerCommand(answer, content))
      if (!isAnswered) await sending.pace.final(target.channel, () => sending.posts.whisper(target, content))
      await outbox.posted(n, `${key}:part:${n}`)
    }
    ids.push(`${key}:part:${n}`)
  }
  await sending.posts.status(target, '')
  return ids
}

function idOf({ team, channel }: Target, ts: string): string {
  return postId({ team, channel, ts })
}

/** What a destination says, wherever it was written. */
export function targetOf(destination: Destination): Target {
  const text = (key: string) => {
    const value = destination[key]
    return typeof value === 'string' ? value : null
  }
  const [team, channel, user] = [text('team'), text('channel'), text('user')]
  if (team === null || channel === null || user === null) throw new Error('Expected a destination of Slack')
  return { team, channel, user, thread: text('thread'), answer: text('answer') }
}
