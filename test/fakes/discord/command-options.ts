/** What a person typed into a command, checked against what was registered, as an interaction's data. */

import { PermissionFlagsBits } from 'discord.js'
import { memberJson, userJson } from './payloads.ts'
import {
  type Channel,
  type Command,
  type CommandOption,
  memberOf,
  type Payload,
  type User,
  type World,
} from './world.ts'

export type Options = Readonly<Record<string, string | number | boolean | User | Channel>>

/** The command, where it is offered to this person; throws where Discord would not show it. */
export function offered(
  world: World,
  user: User,
  channel: Channel,
  name: string,
  type: number,
  isOverridden: boolean,
): Command {
  const places = [world.commands.get(channel.guild?.id ?? '-') ?? [], world.commands.get('') ?? []]
  const known = places.flat().filter((command) => (command.type ?? 1) === type)
  const command = known.find((one) => one.name === name)
  if (command === undefined) {
    const names = known.map((one) => `/${one.name}`).join(', ') || 'none'
    throw new Error(`Expected a registered command, got \`${name}\`; registered: ${names}`)
  }
  const context = channel.guild === null ? 1 : 0
  if (Array.isArray(command.contexts) && !command.contexts.includes(context))
    throw new Error(
      `Expected \`${name}\` to be offered in ${context === 1 ? 'direct chats' : 'guilds'}, got contexts ${command.contexts}`,
    )
  if (channel.guild !== null && !isOverridden) {
    const { permissions } = memberOf(world, channel.guild, user)
    const needed = BigInt(command.default_member_permissions ?? 0)
    const isAdmin = (permissions & PermissionFlagsBits.Administrator) !== 0n
    if (command.default_member_permissions === '0' || ((permissions & needed) !== needed && !isAdmin))
      throw new Error(`Expected ${user.name} to see \`${name}\`, which asks for the permissions ${needed}`)
  }
  return command
}

/** Walks the sub-commands in `path`; throws at what is not registered or missing. `focused`: the option being typed. */
export function typed(
  world: World,
  command: Command,
  path: readonly string[],
  options: Options,
  channel: Channel,
  focused?: string,
): Payload {
  const resolved: Record<string, Record<string, Payload>> = {}
  const wrap = (known: readonly CommandOption[], rest: readonly string[]): Payload[] => {
    const [next, ...after] = rest
    if (next === undefined) return filled(world, known, options, channel, resolved, focused)
    const found = known.find(({ name, type }) => name === next && (type === 1 || type === 2))
    if (found === undefined) throw new Error(`Expected a sub-command of \`${command.name}\`, got \`${next}\``)
    return [{ type: found.type, name: found.name, options: wrap(found.options ?? [], after) }]
  }
  const given = wrap(command.options ?? [], path)
  return { options: given, ...(Object.keys(resolved).length > 0 && { resolved }) }
}

function filled(
  world: World,
  known: readonly CommandOption[],
  options: Options,
  channel: Channel,
  resolved: Record<string, Record<string, Payload>>,
  focused: string | undefined,
): Payload[] {
  if (known.some(({ type }) => type === 1 || type === 2))
    throw new Error('Expected the name of a sub-command, got none')
  const missing = known.find(({ name, required }) => required && options[name] === undefined && focused === undefined)
  if (missing !== undefined) throw new Error(`Expected the option \`${missing.name}\`, got none`)
  return Object.entries(options).map(([name, value]) => {
    const option = known.find((one) => one.name === name)
    if (option === undefined) throw new Error(`Expected a registered option, got \`${name}\``)
    if (typeof value === 'object') return { name, type: option.type, value: resolve(world, value, channel, resolved) }
    if (focused !== name) check(option, value)
    return { name, type: option.type, value, ...(focused === name && { focused: true }) }
  })
}

const KINDS: Readonly<Record<number, string>> = { 3: 'string', 4: 'number', 5: 'boolean', 10: 'number' }

function check(option: CommandOption, value: string | number | boolean): void {
  if (KINDS[option.type] !== typeof value)
    throw new Error(`Expected \`${option.name}\` to be a ${KINDS[option.type]}, got \`${value}\``)
  if (option.choices && option.choices.length > 0 && !option.choices.some((choice) => choice.value === value))
    throw new Error(`Expected \`${option.name}\` to be one of its choices, got \`${value}\``)
}

function resolve(
  world: World,
  value: User | Channel,
  channel: Channel,
  resolved: Record<string, Record<string, Payload>>,
): string {
  if ('isBot' in value) {
    resolved['users'] = { ...resolved['users'], [value.id]: userJson(value) }
    if (channel.guild) {
      const { user: _user, ...member } = memberJson(memberOf(world, channel.guild, value), 'in interaction')
      resolved['members'] = { ...resolved['members'], [value.id]: member }
    }
  } else
    resolved['channels'] = {
      ...resolved['channels'],
      [value.id]: { id: value.id, name: value.name, type: value.parent ? 11 : 0, permissions: '0' },
    }
  return value.id
}
