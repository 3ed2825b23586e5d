/** `conversations.*`, `reactions.*` and `files.info`: reading channels and marking posts. */

import { type Call, directChannel, isTrue, type Methods, optional, stringOf, visibleChannel } from '../call.ts'
import { fileOf, messageOf } from '../events.ts'
import { setReaction } from '../posting.ts'
import { Refused } from '../refused.ts'
import { newChannel } from '../setting.ts'
import type { Channel, Data, Post } from '../world.ts'

const PAGE = 100
const GROUPS = { public: 'channels', private: 'groups', im: 'im' } as const

/** @throws {Refused} `missing_scope`: reading differs by kind of channel. */
function needScope({ team }: Call, { kind }: Channel, right: 'read' | 'history'): void {
  const needed = `${GROUPS[kind]}:${right}`
  if (!team.scopes.has(needed)) throw new Refused('missing_scope', { needed, provided: [...team.scopes].join(',') })
}

function info(call: Call): Data {
  const channel = visibleChannel(call)
  needScope(call, channel, 'read')
  const { id, name, kind, members } = channel
  const other = [...members].find((member) => member !== call.team.bot.userId)
  return {
    channel: {
      id,
      ...(kind === 'im' ? { user: other } : { name, is_member: members.has(call.team.bot.userId) }),
      is_channel: kind !== 'im',
      is_im: kind === 'im',
      is_private: kind !== 'public',
      is_archived: channel.isArchived,
      is_ext_shared: channel.isShared,
      is_shared: channel.isShared,
      context_team_id: channel.team,
      ...(isTrue(call, 'include_num_members') ? { num_members: members.size } : {}),
    },
  }
}

function members(call: Call): Data {
  const channel = visibleChannel(call)
  needScope(call, channel, 'read')
  return paged(call, [...channel.members], 'members')
}

/** A part of a list, the next part by `cursor`. */
function paged(call: Call, all: readonly unknown[], name: string): Data {
  const from = Number(optional(call, 'cursor') ?? 0)
  const to = from + Math.min(Number(optional(call, 'limit') ?? PAGE), 1000)
  const hasMore = to < all.length
  return {
    [name]: all.slice(from, to),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? String(to) : '' },
  }
}

function isWithin(call: Call, { ts }: Post): boolean {
  const [oldest = '0', latest = '9'] = [optional(call, 'oldest'), optional(call, 'latest')]
  const isInclusive = isTrue(call, 'inclusive')
  return (ts > oldest && ts < latest) || (isInclusive && (ts === oldest || ts === latest))
}

function shown(call: Call, posts: readonly Post[]): Data[] {
  const { world, origin } = call.backend
  return posts.map((post) => {
    const { metadata, ...message } = messageOf(world, post, origin())
    return isTrue(call, 'include_all_metadata') && metadata !== undefined ? { ...message, metadata } : message
  })
}

/** Newest first, without replies in threads. */
function history(call: Call): Data {
  const channel = visibleChannel(call)
  needScope(call, channel, 'history')
  if (!channel.members.has(call.team.bot.userId)) throw new Refused('not_in_channel')
  const posts = channel.posts.filter((post) => (post.thread === undefined || post.isBroadcast) && isWithin(call, post))
  return paged(call, shown(call, posts.toReversed()), 'messages')
}

/** The root, then its replies, oldest first. */
function replies(call: Call): Data {
  const channel = visibleChannel(call)
  needScope(call, channel, 'history')
  if (!channel.members.has(call.team.bot.userId)) throw new Refused('not_in_channel')
  const root = stringOf(call, 'ts')
  const posts = channel.posts.filter((post) => post.ts === root || (post.thread === root && isWithin(call, post)))
  if (posts.length === 0) throw new Refused('thread_not_found')
  return paged(call, shown(call, posts), 'messages')
}

function open(call: Call): Data {
  const { world } = call.backend
  const [user = '', ...others] = stringOf(call, 'users').split(',')
  if (others.length > 0) throw new Error('The fake Slack opens direct channels with one person only')
  if (!world.people.has(user)) throw new Refused('user_not_found')
  const known = directChannel(call, user)
  const channel = known ?? newChannel(call.backend.id('D'), [user, call.team.bot.userId], { team: call.team.id })
  world.channels.set(channel.id, channel)
  return { already_open: known !== undefined, no_op: known !== undefined, channel: { id: channel.id } }
}

/** @throws {Refused} `bad_timestamp`, `message_not_found`. */
function reactedTo(call: Call): Post {
  const channel = visibleChannel(call)
  const ts = stringOf(call, 'timestamp')
  if (!/^\d+\.\d{6}$/.test(ts)) throw new Refused('bad_timestamp')
  const post = channel.posts.find((one) => one.ts === ts)
  if (post === undefined) throw new Refused('message_not_found')
  return post
}

function react(call: Call, isOn: boolean): Data {
  const [post, name] = [reactedTo(call), stringOf(call, 'name')]
  if (!/^[a-z0-9_+'-]+(::skin-tone-\d)?$/.test(name)) throw new Refused('invalid_name')
  if (setReaction(call.backend, post, { user: call.team.bot.userId, name, isOn })) return {}
  throw new Refused(isOn ? 'already_reacted' : 'no_reaction')
}

function file(call: Call): Data {
  const found = call.backend.world.files.get(stringOf(call, 'file'))
  if (found === undefined) throw new Refused('file_not_found')
  return { file: fileOf(found, call.backend.origin()) }
}

export const CONVERSATIONS: Methods = {
  'conversations.info': { run: info },
  'conversations.members': { run: members },
  'conversations.history': { run: history },
  'conversations.replies': { run: replies },
  'conversations.open': { scope: 'im:write', run: open },
  'reactions.add': { scope: 'reactions:write', run: (call) => react(call, true) },
  'reactions.remove': { scope: 'reactions:write', run: (call) => react(call, false) },
  'reactions.get': {
    scope: 'reactions:read',
    run: (call) => ({ type: 'message', message: messageOf(call.backend.world, reactedTo(call)) }),
  },
  'files.info': { scope: 'files:read', run: file },
}
