/** Changes of the channels, each with the event Slack would send about it. Asks nobody for permission. */

import { type Backend, teamsIn, tellChannel, tellTeam } from './backend.ts'
import { changed, mentioned, messageOf, removed, said } from './events.ts'
import { pingsOf } from './text.ts'
import { type Channel, channelOf, type Data, nextTs, type Post, type StoredFile } from './world.ts'

export interface NewPost {
  readonly user: string
  readonly botId?: string | undefined
  readonly text: string
  readonly blocks?: readonly Data[] | undefined
  readonly attachments?: readonly Data[] | undefined
  readonly thread?: string | undefined
  readonly isBroadcast?: boolean | undefined
  readonly subtype?: string | undefined
  readonly files?: readonly StoredFile[] | undefined
  readonly metadata?: Data | undefined
  readonly streaming?: boolean
}

function newPost(channel: Channel, ts: string, given: NewPost): Post {
  const { user, text, blocks = [], attachments = [], files = [], streaming = false, ...rest } = given
  const optional = {
    ...(rest.botId === undefined ? {} : { botId: rest.botId }),
    ...(rest.thread === undefined ? {} : { thread: rest.thread }),
    ...(rest.subtype === undefined ? {} : { subtype: rest.subtype }),
    ...(rest.metadata === undefined ? {} : { metadata: rest.metadata }),
    ...(rest.isBroadcast === undefined ? {} : { isBroadcast: rest.isBroadcast }),
  }
  return {
    channel: channel.id,
    ts,
    user,
    text,
    blocks,
    attachments,
    files,
    streaming,
    ...optional,
    reactions: [],
    changes: 0,
  }
}

/** Posts and tells: `message`, and `app_mention` to a bot that the text mentions outside of direct messages. */
export function addPost(backend: Backend, channel: Channel, given: NewPost): Post {
  const { world } = backend
  const post = newPost(channel, nextTs(channel, backend.now()), given)
  channel.posts.push(post)
  // The reply clears the status of its thread (rule S18).
  if (post.botId !== undefined) channel.statuses.delete(post.thread ?? post.ts)
  const tellSaid = () => tellChannel(backend, channel, said(world, channel, post, backend.origin()))
  if (!backend.isMentionFirst()) tellSaid()
  for (const team of teamsIn(backend, channel))
    if (channel.kind !== 'im' && post.user !== team.bot.userId && pingsOf(post).users.includes(team.bot.userId))
      tellTeam(backend, team, mentioned(world, channel, post, backend.origin()), channel.isShared)
  if (backend.isMentionFirst()) tellSaid()
  backend.changed()
  return post
}

/** Only the person sees it: no event, not in the history. */
export function addEphemeral(backend: Backend, channel: Channel, person: string, given: NewPost): Post {
  const post: Post = { ...newPost(channel, nextTs(channel, backend.now()), given), ephemeralFor: person }
  channel.ephemerals.push(post)
  backend.changed()
  return post
}

export type Change = Partial<Pick<Post, 'text' | 'blocks' | 'attachments' | 'metadata' | 'streaming'>>

/** @param isEdit Whether people see "(edited)": not of unfurled links and streams. */
export function changePost(backend: Backend, post: Post, change: Change, isEdit = true): void {
  const channel = channelOf(backend.world, post.channel)
  const previous = messageOf(backend.world, post)
  const ts = nextTs(channel, backend.now())
  Object.assign(post, change, isEdit ? { edited: ts } : {})
  post.changes += 1
  tellChannel(backend, channel, changed(backend.world, channel, post, previous, ts))
  backend.changed()
}

export function removePost(backend: Backend, post: Post): void {
  const channel = channelOf(backend.world, post.channel)
  const previous = messageOf(backend.world, post)
  channel.posts.splice(channel.posts.indexOf(post), 1)
  tellChannel(backend, channel, removed(channel, previous, nextTs(channel, backend.now())))
  backend.changed()
}

/** @returns Whether anything changed: a person reacts once with one emoji. */
export function setReaction(
  backend: Backend,
  post: Post,
  { user, name, isOn, hasAuthor = true }: { user: string; name: string; isOn: boolean; hasAuthor?: boolean },
): boolean {
  const channel = channelOf(backend.world, post.channel)
  const index = post.reactions.findIndex((reaction) => reaction.name === name)
  const users = post.reactions[index]?.users ?? []
  if (users.includes(user) === isOn) return false
  if (!isOn) users.splice(users.indexOf(user), 1)
  else if (index < 0) post.reactions.push({ name, users: [user] })
  else users.push(user)
  if (!isOn && users.length === 0) post.reactions.splice(index, 1)
  tellChannel(backend, channel, {
    type: isOn ? 'reaction_added' : 'reaction_removed',
    user,
    reaction: name,
    item: { type: 'message', channel: post.channel, ts: post.ts },
    ...(hasAuthor ? { item_user: post.user } : {}),
    event_ts: `${(backend.now() / 1000).toFixed(6)}`,
  })
  backend.changed()
  return true
}

/** @throws When the post is not there (any more). */
export function postOf(backend: Backend, { channel, ts }: { readonly channel: string; readonly ts: string }): Post {
  const { posts, ephemerals } = channelOf(backend.world, channel)
  const post = [...posts, ...ephemerals].find((one) => one.ts === ts)
  if (post === undefined) throw new Error(`Expected a post in ${channel} at ${ts}, but there is none`)
  return post
}
