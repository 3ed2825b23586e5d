/** `chat.*` except streams. */

import { type Call, type Methods, optional, ownPost, postableChannel, stringOf, threadOf, userIn } from '../call.ts'
import { messageOf } from '../events.ts'
import { addEphemeral, addPost, changePost, removePost } from '../posting.ts'
import { Refused } from '../refused.ts'
import { contentsOf } from '../text.ts'
import type { Data } from '../world.ts'

/** @throws {Refused} `invalid_metadata_format`. */
export function metadataOf(args: Data): Data | undefined {
  const metadata = args['metadata']
  if (metadata === undefined || metadata === '') return undefined
  if (typeof metadata !== 'object' || metadata === null) throw new Refused('invalid_metadata_format')
  const { event_type: type, event_payload: payload } = Object.fromEntries(Object.entries(metadata))
  if (typeof type !== 'string' || typeof payload !== 'object') throw new Refused('invalid_metadata_format')
  return { event_type: type, event_payload: payload }
}

function postMessage(call: Call): Data {
  const { backend, team, args } = call
  const channel = postableChannel(call)
  const thread = threadOf(call, channel)
  const given = {
    user: team.bot.userId,
    botId: team.bot.botId,
    ...contentsOf(args),
    thread,
    metadata: metadataOf(args),
  }
  const post = addPost(backend, channel, given)
  return { channel: channel.id, ts: post.ts, message: messageOf(backend.world, post) }
}

function update(call: Call): Data {
  const { backend, args } = call
  const channel = postableChannel(call)
  const post = ownPost(call, channel, 'cant_update_message')
  if (post.streaming) throw new Refused('streaming_state_conflict')
  const { text, blocks, attachments } = contentsOf(args, true)
  const metadata = metadataOf(args)
  const isMarkdown = args['markdown_text'] !== undefined
  // Blocks that are not given stay; only an empty list takes them away.
  changePost(backend, post, {
    ...(args['text'] === undefined && !isMarkdown ? {} : { text }),
    ...(args['blocks'] === undefined && !isMarkdown ? {} : { blocks }),
    ...(args['attachments'] === undefined ? {} : { attachments }),
    ...(metadata === undefined ? {} : { metadata }),
  })
  return { channel: channel.id, ts: post.ts, text: post.text, message: messageOf(backend.world, post) }
}

function remove(call: Call): Data {
  const channel = postableChannel(call)
  const post = ownPost(call, channel, 'cant_delete_message')
  removePost(call.backend, post)
  return { channel: channel.id, ts: post.ts }
}

function postEphemeral(call: Call): Data {
  const { backend, team, args } = call
  const channel = postableChannel(call)
  const person = userIn(call)
  if (!channel.members.has(person.id)) throw new Refused('user_not_in_channel')
  const given = { user: team.bot.userId, botId: team.bot.botId, ...contentsOf(args), thread: threadOf(call, channel) }
  return { message_ts: addEphemeral(backend, channel, person.id, given).ts }
}

function getPermalink(call: Call): Data {
  const channel = postableChannel(call)
  const ts = stringOf(call, 'message_ts')
  if (!channel.posts.some((post) => post.ts === ts)) throw new Refused('message_not_found')
  const thread = optional(call, 'thread_ts')
  const tail = thread === undefined ? '' : `?thread_ts=${thread}&cid=${channel.id}`
  return {
    channel: channel.id,
    permalink: `https://acme.slack.com/archives/${channel.id}/p${ts.replace('.', '')}${tail}`,
  }
}

export const CHAT: Methods = {
  'chat.postMessage': { scope: 'chat:write', run: postMessage },
  'chat.update': { scope: 'chat:write', run: update },
  'chat.delete': { scope: 'chat:write', run: remove },
  'chat.postEphemeral': { scope: 'chat:write', run: postEphemeral },
  'chat.getPermalink': { run: getPermalink },
}
