/** People use commands, buttons and forms: interactions on their way to the bot. */

import { isRecord } from './body.ts'
import { type Options, offered, typed } from './command-options.ts'
import { type Scene, shown } from './messages.ts'
import { memberJson, messageJson, userJson } from './payloads.ts'
import { channelJson } from './place-payloads.ts'
import {
  type Channel,
  type Interaction,
  type Member,
  type Message,
  memberOf,
  ORDINARY,
  type Payload,
  type User,
} from './world.ts'

export function slash(
  scene: Scene,
  user: User,
  channel: Channel,
  words: string,
  options: Options,
  isOverridden: boolean,
): Interaction {
  const [name = '', ...path] = words.split(' ')
  const command = offered(scene.world, user, channel, name, 1, isOverridden)
  const data = typed(scene.world, command, path, options, channel)
  return send(scene, user, channel, 2, { id: command.id, name, type: 1, ...data }, null)
}

export function autocomplete(
  scene: Scene,
  user: User,
  channel: Channel,
  words: string,
  option: string,
  soFar: string,
): Interaction {
  const [name = '', ...path] = words.split(' ')
  const command = offered(scene.world, user, channel, name, 1, false)
  const data = typed(scene.world, command, path, { [option]: soFar }, channel, option)
  return send(scene, user, channel, 4, { id: command.id, name, type: 1, ...data }, null)
}

export function contextMenu(
  scene: Scene,
  user: User,
  channel: Channel,
  name: string,
  target: Message | User,
): Interaction {
  const isUser = 'isBot' in target
  const type = isUser ? 2 : 3
  const command = offered(scene.world, user, channel, name, type, false)
  const resolved: Record<string, Payload> = isUser
    ? { users: { [target.id]: userJson(target) } }
    : // The target of a context menu may be read without the message content intent.
      { messages: { [target.id]: messageJson(scene.world, target, true) } }
  return send(scene, user, channel, 2, { id: command.id, name, type, target_id: target.id, resolved }, null)
}

export function click(
  scene: Scene,
  user: User,
  message: Message,
  customId: string,
  values: readonly string[],
): Interaction {
  const component = componentIn(message.components, customId)
  if (component === undefined)
    throw new Error(
      `Expected an enabled button or menu \`${customId}\` under the message, got ${idsIn(message.components)}`,
    )
  const type = component['type']
  const data = { custom_id: customId, component_type: type, ...(type !== 2 && { values }), id: component['id'] ?? 1 }
  return send(scene, user, message.channel, 3, data, message)
}

/** Sends the form that `asked` was answered with. */
export function submit(
  scene: Scene,
  user: User,
  asked: Interaction,
  fields: Readonly<Record<string, string>>,
): Interaction {
  if (asked.modal === null) throw new Error(`Expected the interaction to be answered with a form, got ${asked.answer}`)
  const fill = (component: unknown): Payload => {
    if (!isRecord(component)) throw new Error('Expected a component')
    const { type, custom_id, components, component: inner } = component
    if (Array.isArray(components)) return { type, id: 1, components: components.map(fill) }
    if (inner !== undefined) return { type, id: 1, component: fill(inner) }
    const value = fields[String(custom_id)] ?? ''
    return { type, id: 1, custom_id, value }
  }
  const rows = Array.isArray(asked.modal['components']) ? asked.modal['components'].map(fill) : []
  return send(scene, user, asked.channel, 5, { custom_id: asked.modal['custom_id'], components: rows }, asked.message)
}

/** The component with this id that can be used, at any depth. */
function componentIn(components: readonly unknown[], customId: string): Payload | undefined {
  for (const component of components) {
    if (!isRecord(component)) continue
    if (component['custom_id'] === customId && component['disabled'] !== true) return component
    const inner = Array.isArray(component['components']) ? component['components'] : []
    const found = componentIn([...inner, component['accessory']], customId)
    if (found !== undefined) return found
  }
  return undefined
}

const idsIn = (components: readonly unknown[]): string =>
  [...JSON.stringify(components).matchAll(/"custom_id":"([^"]*)"/g)].map(([, id]) => `\`${id}\``).join(', ') || 'none'

function send(
  scene: Scene,
  user: User,
  channel: Channel,
  type: Interaction['type'],
  data: Payload,
  message: Message | null,
): Interaction {
  const { world } = scene
  const id = world.snowflake()
  const interaction: Interaction = {
    id,
    token: `interaction-${id}`,
    type,
    user,
    channel,
    message,
    sentAt: world.now(),
    answer: null,
    original: null,
    followUps: [],
    choices: [],
    modal: null,
  }
  world.interactions.set(interaction.token, interaction)
  const { guild } = channel
  const member = guild && memberOf(world, guild, user)
  if (guild && guild.state !== 'here') throw new Error(`Expected the bot to be in ${guild.name}, got ${guild.state}`)
  scene.gateway.dispatch('INTERACTION_CREATE', { guildId: guild?.id ?? null, intent: 0 }, () => ({
    id,
    application_id: world.bot.id,
    type,
    token: interaction.token,
    version: 1,
    data,
    channel_id: channel.id,
    channel: { ...channelJson(channel), permissions: String(member?.permissions ?? ORDINARY) },
    ...(message && { message: shown(scene, message) }),
    locale: 'en-US',
    entitlements: [],
    attachment_size_limit: 10_485_760,
    app_permissions: String(ORDINARY),
    authorizing_integration_owners: { '0': guild?.id ?? '0' },
    ...whose(interaction, member),
  }))
  return interaction
}

/** A guild's interactions carry the member with what it may do, direct ones the user. */
function whose(interaction: Interaction, member: Member | null): Payload {
  const { guild } = interaction.channel
  if (guild === null || member === null) return { user: userJson(interaction.user), context: 1 }
  return {
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    guild_locale: 'en-US',
    member: memberJson(member, 'in interaction'),
    context: 0,
  }
}
