/** `chat.startStream`, `chat.appendStream`, `chat.stopStream` (rule S9). */

import { type Call, type Methods, optional, ownPost, postableChannel, stringOf, threadOf } from '../call.ts'
import { messageOf } from '../events.ts'
import { addPost, changePost } from '../posting.ts'
import { Refused } from '../refused.ts'
import { checkBlocks, listOf } from '../text.ts'
import type { Data, Post } from '../world.ts'
import { metadataOf } from './chat.ts'

/** Longest `markdown_text`, of one call and of the whole stream. */
const LONGEST = 12_000

interface Piece {
  readonly text: string
  readonly blocks: readonly Data[]
}

/** @throws {Refused} `markdown_text_conflict`, `msg_too_long`, `invalid_chunks`. */
function pieceOf({ args }: Call): Piece {
  const chunks = listOf(args['chunks'], 'invalid_chunks')
  const markdown = typeof args['markdown_text'] === 'string' ? args['markdown_text'] : ''
  if (markdown !== '' && chunks.length > 0) throw new Refused('markdown_text_conflict')
  const texts = chunks.flatMap((chunk) => (chunk['type'] === 'markdown_text' ? [String(chunk['text'] ?? '')] : []))
  if (texts.some((text) => text === '')) throw new Refused('invalid_chunks')
  const text = markdown + texts.join('')
  if (text.length > LONGEST) throw new Refused('msg_too_long')
  const others = chunks.filter(({ type }) => type !== 'markdown_text')
  return {
    text,
    blocks: others.flatMap((chunk) =>
      chunk['type'] === 'blocks' ? listOf(chunk['blocks'], 'invalid_blocks') : [chunk],
    ),
  }
}

/** @throws {Refused} `msg_too_long`. */
function grown(post: Post, { text, blocks }: Piece): Pick<Post, 'text' | 'blocks'> {
  const whole = post.text + text
  if (whole.length > LONGEST) throw new Refused('msg_too_long')
  const rest = post.blocks.filter(({ type }) => type !== 'markdown')
  return { text: whole, blocks: [...(whole === '' ? [] : [{ type: 'markdown', text: whole }]), ...rest, ...blocks] }
}

function start(call: Call): Data {
  const { backend, team } = call
  const channel = postableChannel(call)
  stringOf(call, 'thread_ts')
  const thread = threadOf(call, channel)
  if (channel.kind !== 'im' && optional(call, 'recipient_team_id') === undefined)
    throw new Refused('missing_recipient_team_id')
  if (channel.kind !== 'im' && optional(call, 'recipient_user_id') === undefined)
    throw new Refused('missing_recipient_user_id')
  const { text, blocks } = pieceOf(call)
  const all = [...(text === '' ? [] : [{ type: 'markdown', text }]), ...blocks]
  const given = { user: team.bot.userId, botId: team.bot.botId, text, blocks: all, thread, streaming: true }
  return { channel: channel.id, ts: addPost(backend, channel, given).ts }
}

/** @throws {Refused} `message_not_in_streaming_state` after its end, `message_not_owned_by_app`. */
function streamOf(call: Call): Post {
  const post = ownPost(call, postableChannel(call), 'message_not_owned_by_app')
  if (!post.streaming) throw new Refused('message_not_in_streaming_state')
  return post
}

function append(call: Call): Data {
  const post = streamOf(call)
  const piece = pieceOf(call)
  if (piece.text === '' && piece.blocks.length === 0) throw new Refused('no_text')
  // People see it grow; the app is told of the end alone.
  Object.assign(post, grown(post, piece))
  post.changes += 1
  call.backend.changed()
  return { channel: post.channel, ts: post.ts }
}

function stop(call: Call): Data {
  const post = streamOf(call)
  const blocks = listOf(call.args['blocks'], 'invalid_blocks_format')
  checkBlocks(blocks)
  const whole = grown(post, pieceOf(call))
  const metadata = metadataOf(call.args)
  const end = { text: whole.text, blocks: [...whole.blocks, ...blocks], streaming: false }
  changePost(call.backend, post, { ...end, ...(metadata === undefined ? {} : { metadata }) }, false)
  return { channel: post.channel, ts: post.ts, message: messageOf(call.backend.world, post) }
}

export const STREAM: Methods = {
  'chat.startStream': { scope: 'chat:write', run: start },
  'chat.appendStream': { scope: 'chat:write', run: append },
  'chat.stopStream': { scope: 'chat:write', run: stop },
}
