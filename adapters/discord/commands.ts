/** The commands of Discord's own menus, what they mean as typed words, and their registration. */

import type { REST } from '@discordjs/rest'
import {
  type APIApplicationCommandInteraction,
  type APIApplicationCommandInteractionDataOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
  Routes,
} from 'discord-api-types/v10'

export const ASK = 'ask'
export const WHY = 'Why this reply?'
export const FORGET = 'Forget this'

const words = (description: string, required = false) => ({
  type: ApplicationCommandOptionType.String,
  name: 'text',
  description,
  required,
})

/** As they are registered. Whether somebody may use `/tune` is looked at again when they do. */
export const DEFINITIONS = [
  command(ASK, 'Ask me something', [words('Your question', true)]),
  command('persona', 'What I know of how you like to be answered', [
    words('why, set length brief, unset all, undo, memory, forget, pause, resume, export, reset'),
  ]),
  command(
    'tune',
    'The settings of this server, for its admins',
    [words('a setting and its value, such as lambda 0.3; reset; nothing for all of them')],
    String(PermissionFlagsBits.ManageGuild),
  ),
  command('help', 'What I do when asked with a slash', []),
  menu(WHY),
  menu(FORGET),
]

function command(name: string, description: string, options: readonly object[], permissions: string | null = null) {
  return {
    type: ApplicationCommandType.ChatInput,
    name,
    description,
    options,
    default_member_permissions: permissions,
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  }
}

function menu(name: string) {
  return {
    type: ApplicationCommandType.Message,
    name,
    description: '',
    options: [],
    default_member_permissions: null,
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  }
}

/** What somebody would have typed: `/persona set length brief`; of `/ask` the question alone. */
export function typedWords({ data }: APIApplicationCommandInteraction): string {
  const options = 'options' in data ? (data.options ?? []) : []
  const text = options.map(typedIn).join(' ').trim()
  return data.name === ASK ? text : `/${data.name} ${text}`.trim()
}

function typedIn(
  option: Pick<APIApplicationCommandInteractionDataOption, 'name'> & { readonly value?: unknown },
): string {
  return typeof option.value === 'string' ? option.value : ''
}

type Definition = (typeof DEFINITIONS)[number]

/** Registers the commands, unless they are registered as they are: Discord counts registrations. */
export async function register(rest: REST, application: string): Promise<void> {
  const path = Routes.applicationCommands(application)
  const known = (await rest.get(path)) as readonly Partial<Definition>[]
  const isSame = JSON.stringify(known.map(shape).sort()) === JSON.stringify(DEFINITIONS.map(shape).sort())
  if (!isSame) await rest.put(path, { body: DEFINITIONS })
}

/** What counts of a command; Discord leaves out what is false or empty. */
function shape({
  type,
  name,
  description,
  options,
  default_member_permissions,
  contexts,
}: Partial<Definition>): string {
  const asked = (options ?? []).map((option) => {
    const { type, name, description, required } = option as ReturnType<typeof words>
    return [type, name, description, required ?? false]
  })
  return JSON.stringify([type, name, description ?? '', asked, default_member_permissions ?? null, contexts ?? null])
}
