/** Routes with which a bot registers its commands, everywhere or in one guild. */

import { isRecord } from './body.ts'
import type { Scene } from './messages.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Call, Handler } from './rest.ts'
import type { Command, CommandOption } from './world.ts'

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

export function commandRoutes(scene: Scene): Record<string, Handler> {
  const routes: Record<string, Handler> = {}
  for (const place of ['/applications/:application', '/applications/:application/guilds/:guild']) {
    routes[`GET ${place}/commands`] = (call) => listOf(scene, call)
    routes[`PUT ${place}/commands`] = (call) => {
      if (!Array.isArray(call.body.json)) throw invalid('_', 'LIST_TYPE_CONVERT', 'Only iterables may be used here.')
      return keep(
        scene,
        call,
        call.body.json.map((json) => commandOf(scene, call, json)),
      )
    }
    routes[`POST ${place}/commands`] = (call) => {
      const command = commandOf(scene, call, call.body.json)
      keep(scene, call, [...listOf(scene, call).filter((one) => !isSame(one, command)), command])
      return command
    }
    routes[`PATCH ${place}/commands/:command`] = (call) => {
      const changed = { ...oneOf(scene, call), ...(isRecord(call.body.json) ? call.body.json : {}) }
      keep(
        scene,
        call,
        listOf(scene, call).map((one) => (one.id === changed.id ? changed : one)),
      )
      return changed
    }
    routes[`DELETE ${place}/commands/:command`] = (call) => {
      const gone = oneOf(scene, call)
      keep(
        scene,
        call,
        listOf(scene, call).filter((one) => one !== gone),
      )
    }
  }
  return routes
}

const placeOf = ({ parameters }: Call) => parameters['guild'] ?? ''

function listOf(scene: Scene, call: Call): readonly Command[] {
  const { application, guild } = call.parameters
  if (application !== scene.world.bot.id) throw new Refusal(403, 20012, 'You are not authorized to perform this action')
  if (guild !== undefined && scene.world.guilds.get(guild)?.state !== 'here')
    throw new Refusal(403, 50001, 'Missing Access')
  return scene.world.commands.get(placeOf(call)) ?? []
}

function oneOf(scene: Scene, call: Call): Command {
  const found = listOf(scene, call).find(({ id }) => id === call.parameters['command'])
  if (found === undefined) throw new Refusal(404, 10063, 'Unknown application command')
  return found
}

function keep(scene: Scene, call: Call, commands: readonly Command[]): readonly Command[] {
  listOf(scene, call)
  scene.world.commands.set(placeOf(call), commands)
  return commands
}

const typeOf = (command: Command) => command.type ?? 1
const isSame = (one: Command, other: Command) => one.name === other.name && typeOf(one) === typeOf(other)

function commandOf(scene: Scene, call: Call, json: unknown): Command {
  if (!isRecord(json) || typeof json['name'] !== 'string')
    throw invalid('name', 'BASE_TYPE_REQUIRED', 'This field is required')
  const { name } = json
  const type = Number(json['type'] ?? 1)
  if (type === 1 && (!NAME.test(name) || name !== name.toLowerCase()))
    throw invalid('name', 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  const description = String(json['description'] ?? '')
  if (type === 1 && (description === '' || description.length > 100))
    throw invalid('description', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
  const command: Command = {
    application_id: scene.world.bot.id,
    version: scene.world.snowflake(),
    default_member_permissions: null,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
    name_localizations: null,
    description_localizations: null,
    description,
    ...json,
    ...(call.parameters['guild'] !== undefined && { guild_id: call.parameters['guild'] }),
    id: scene.world.snowflake(),
    name,
    type,
    options: optionsOf(json['options']),
  }
  const earlier = listOf(scene, call).find((one) => isSame(one, command))
  return earlier === undefined ? command : { ...command, id: earlier.id }
}

function optionsOf(json: unknown): CommandOption[] {
  if (!Array.isArray(json)) return []
  return json.filter(isRecord).map((option) => {
    const { name, type } = option
    if (typeof name !== 'string' || !NAME.test(name))
      throw invalid('options', 'APPLICATION_COMMAND_INVALID_NAME', 'Option name is invalid')
    const isLong = String(option['description'] ?? '').length > 100 || option['description'] === ''
    if (isLong) throw invalid('options', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
    return {
      ...option,
      name,
      type: Number(type),
      ...(Array.isArray(option['options']) && { options: optionsOf(option['options']) }),
    }
  })
}
