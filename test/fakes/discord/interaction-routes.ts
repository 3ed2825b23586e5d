/** Routes with which a bot answers interactions: within 3 s for the first time, 15 minutes for all that follows. */

import { type Body, isRecord } from './body.ts'
import { amend, fieldsOf, put, remove, type Scene, shown } from './messages.ts'
import { Refusal, unknownInteraction, unknownMessage } from './refusal.ts'
import type { Call, Handler } from './rest.ts'
import type { Answer, Interaction, Message, Payload } from './world.ts'

const DEADLINE = 3_000
const TOKEN = 15 * 60_000
const EPHEMERAL = 64
const LOADING = 128

const ANSWERS: Readonly<Record<number, Answer>> = {
  4: 'message',
  5: 'deferred',
  6: 'deferred update',
  7: 'update',
  8: 'choices',
  9: 'modal',
}

export function interactionRoutes(scene: Scene): Record<string, Handler> {
  const hook = '/webhooks/:application/:token'
  const one = `${hook}/messages/:message`
  return {
    'POST /interactions/:interaction/:token/callback': (call) => callback(scene, call),
    [`POST ${hook}`]: (call) => shown(scene, followUp(scene, interactionOf(scene, call), call.body)),
    [`GET ${one}`]: (call) => shown(scene, messageOf(interactionOf(scene, call), call)),
    [`PATCH ${one}`]: (call) => {
      const interaction = interactionOf(scene, call)
      const message = messageOf(interaction, call)
      message.flags &= ~LOADING
      amend(scene, message, call.body)
      return shown(scene, message)
    },
    [`DELETE ${one}`]: (call) => remove(scene, [messageOf(interactionOf(scene, call), call)]),
  }
}

function callback(scene: Scene, call: Call): Payload | undefined {
  const { parameters, query, body } = call
  const interaction = scene.world.interactions.get(parameters['token'] ?? '')
  if (interaction === undefined || interaction.id !== parameters['interaction']) throw unknownInteraction()
  if (interaction.answer !== null) throw new Refusal(400, 40060, 'Interaction has already been acknowledged.')
  if (scene.world.now() - interaction.sentAt > DEADLINE) throw unknownInteraction()
  const json = isRecord(body.json) ? body.json : {}
  const kind = ANSWERS[Number(json['type'])]
  const data = isRecord(json['data']) ? json['data'] : {}
  if (kind === undefined || !fits(interaction, kind)) throw new Refusal(400, 50035, 'Invalid Form Body')
  act(scene, interaction, kind, { json: data, files: body.files })
  interaction.answer = kind
  if (query['with_response'] !== 'true') return undefined
  const message = interaction.original
  return {
    interaction: { id: interaction.id, type: interaction.type, response_message_id: message?.id },
    resource: { type: Number(json['type']), ...(message && { message: shown(scene, message) }) },
  }
}

function fits(interaction: Interaction, kind: Answer): boolean {
  if (interaction.type === 4) return kind === 'choices'
  if (kind === 'choices') return false
  if (kind === 'modal') return interaction.type !== 5
  return kind === 'message' || kind === 'deferred' || interaction.message !== null
}

function act(scene: Scene, interaction: Interaction, kind: Answer, body: Body): void {
  const data = isRecord(body.json) ? body.json : {}
  if (kind === 'message')
    interaction.original = put(scene, fieldsOf(body, interaction.channel, scene.world, { interaction }))
  else if (kind === 'deferred') {
    const isEphemeral = (Number(data['flags'] ?? 0) & EPHEMERAL) !== 0
    const fields = { channel: interaction.channel, author: scene.world.bot, interaction, isEphemeral, flags: LOADING }
    interaction.original = put(scene, fields)
  } else if (kind === 'choices') interaction.choices = Array.isArray(data['choices']) ? data['choices'] : []
  else if (kind === 'modal') interaction.modal = data
  else {
    interaction.original = interaction.message
    if (kind === 'update' && interaction.message !== null) amend(scene, interaction.message, body)
  }
}

function interactionOf(scene: Scene, { parameters }: Call): Interaction {
  const interaction = scene.world.interactions.get(parameters['token'] ?? '')
  if (interaction === undefined || parameters['application'] !== scene.world.bot.id || interaction.answer === null)
    throw new Refusal(404, 10015, 'Unknown Webhook')
  if (scene.world.now() - interaction.sentAt > TOKEN) throw new Refusal(401, 50027, 'Invalid Webhook Token')
  return interaction
}

function messageOf(interaction: Interaction, { parameters }: Call): Message {
  const id = parameters['message']
  const known = [interaction.original, ...interaction.followUps].filter((message) => message !== null)
  const message = id === '@original' ? interaction.original : known.find((one) => one.id === id)
  if (!message || message.isDeleted) throw unknownMessage()
  return message
}

/** The first one after a deferral is the answer itself, as visible as the deferral said. */
function followUp(scene: Scene, interaction: Interaction, body: Body): Message {
  const { original } = interaction
  if (
    interaction.answer === 'deferred' &&
    original !== null &&
    (original.flags & LOADING) !== 0 &&
    !original.isDeleted
  ) {
    fieldsOf(body, interaction.channel, scene.world, { interaction })
    original.flags &= ~LOADING
    amend(scene, original, body)
    return original
  }
  const message = put(scene, fieldsOf(body, interaction.channel, scene.world, { interaction }))
  interaction.followUps.push(message)
  return message
}
