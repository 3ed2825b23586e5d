/** Routes about channels, their messages and the reactions under them. */

import { isRecord } from './body.ts'
import { amend, fieldsOf, put, remove, type Scene, shown } from './messages.ts'
import { memberJson, userJson } from './payloads.ts'
import { channelJson } from './place-payloads.ts'
import { react, unreact } from './reactions.ts'
import { invalid, Refusal, unknownChannel, unknownMessage } from './refusal.ts'
import type { Call, Handler } from './rest.ts'
import { type Channel, isVisible, type Message, type Payload } from './world.ts'

/** Milliseconds for which Discord knows a nonce again: "the past few minutes". */
const NONCE = 5 * 60_000

export function channelRoutes(scene: Scene, direct: (userId: string) => Channel): Record<string, Handler> {
  return {
    'GET /channels/:channel': (call) => channelJson(channelOf(scene, call)),
    'POST /channels/:channel/typing': (call) => {
      writable(channelOf(scene, call)).typing.push(scene.world.now())
    },
    'POST /users/@me/channels': ({ body }) => {
      const id = isRecord(body.json) ? String(body.json['recipient_id']) : ''
      if (!scene.world.users.has(id)) throw invalid('recipient_id', 'INVALID_RECIPIENT', 'Unknown recipient')
      return channelJson(direct(id))
    },
    'GET /users/@me': () => userJson(scene.world.bot),
    'GET /users/:user': ({ parameters }) => {
      const user = scene.world.users.get(parameters['user'] ?? '')
      if (user === undefined) throw new Refusal(404, 10013, 'Unknown User')
      return userJson(user)
    },
    'GET /guilds/:guild/members/:user': ({ parameters }) => {
      const guild = scene.world.guilds.get(parameters['guild'] ?? '')
      if (guild?.state !== 'here') throw new Refusal(404, 10004, 'Unknown Guild')
      const member = guild.members.get(parameters['user'] ?? '')
      if (member === undefined) throw new Refusal(404, 10007, 'Unknown Member')
      return memberJson(member, 'whole')
    },
  }
}

export function messageRoutes(scene: Scene): Record<string, Handler> {
  const one = '/channels/:channel/messages/:message'
  return {
    'POST /channels/:channel/messages': (call) => shown(scene, post(scene, call)),
    'GET /channels/:channel/messages': (call) =>
      listed(channelOf(scene, call), call.query).map((message) => shown(scene, message)),
    [`GET ${one}`]: (call) => shown(scene, messageOf(scene, call)),
    [`PATCH ${one}`]: (call) => {
      const message = messageOf(scene, call)
      if (message.author !== scene.world.bot)
        throw new Refusal(403, 50005, 'Cannot edit a message authored by another user')
      amend(scene, message, call.body)
      return shown(scene, message)
    },
    [`DELETE ${one}`]: (call) => {
      const message = messageOf(scene, call)
      if (message.author !== scene.world.bot) throw new Refusal(403, 50013, 'Missing Permissions')
      remove(scene, [message])
    },
    [`PUT ${one}/reactions/:emoji/@me`]: (call) => {
      react(scene, scene.world.bot, messageOf(scene, call), call.parameters['emoji'] ?? '')
    },
    [`DELETE ${one}/reactions/:emoji/@me`]: (call) => {
      unreact(scene, scene.world.bot, messageOf(scene, call), call.parameters['emoji'] ?? '')
    },
  }
}

function channelOf(scene: Scene, { parameters }: Call): Channel {
  const channel = scene.world.channels.get(parameters['channel'] ?? '')
  if (channel === undefined || channel.guild?.state === 'gone') throw unknownChannel()
  if (!isVisible(channel)) throw new Refusal(403, 50001, 'Missing Access')
  return channel
}

function messageOf(scene: Scene, call: Call): Message {
  const message = channelOf(scene, call).messages.get(call.parameters['message'] ?? '')
  if (message === undefined) throw unknownMessage()
  return message
}

function writable(channel: Channel): Channel {
  if (channel.isForbidden) throw new Refusal(403, 50013, 'Missing Permissions')
  if (channel.recipient?.hasClosedDms) throw new Refusal(403, 50007, 'Cannot send messages to this user')
  return channel
}

function post(scene: Scene, call: Call): Message {
  const channel = writable(channelOf(scene, call))
  const json = isRecord(call.body.json) ? call.body.json : {}
  const nonce = typeof json['nonce'] === 'string' || typeof json['nonce'] === 'number' ? json['nonce'] : null
  const reference = referenceOf(channel, json)
  const fields = fieldsOf(call.body, channel, scene.world, { reference, nonce })
  const earlier = [...channel.messages.values()].find(
    (message) =>
      nonce !== null &&
      String(message.nonce) === String(nonce) &&
      message.author === scene.world.bot &&
      scene.world.now() - message.sentAt < NONCE,
  )
  return json['enforce_nonce'] === true && earlier ? earlier : put(scene, fields)
}

/** Null also where the message is gone and the bot said it does not matter. */
function referenceOf(channel: Channel, json: Payload): Message | null {
  const asked = json['message_reference']
  if (!isRecord(asked)) return null
  const message = channel.messages.get(String(asked['message_id']))
  if (message !== undefined) return message
  if (asked['fail_if_not_exists'] === false) return null
  throw invalid('message_reference', 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message')
}

/** Newest first, 50 of them, or `limit`, on one side of a message's id. */
function listed(channel: Channel, query: Record<string, string>): Message[] {
  const limit = Number(query['limit'] ?? 50)
  if (!(limit >= 1 && limit <= 100)) throw invalid('limit', 'NUMBER_TYPE_MAX', 'int value should be 1 to 100.')
  const { before, after } = query
  const found = [...channel.messages.values()].filter(
    ({ id }) =>
      (before === undefined || BigInt(id) < BigInt(before)) && (after === undefined || BigInt(id) > BigInt(after)),
  )
  return (after === undefined ? found.slice(-limit) : found.slice(0, limit)).reverse()
}
