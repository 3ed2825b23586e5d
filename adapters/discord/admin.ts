/** Whether somebody may change the settings of a server, asked of Discord at every use. */

import type { REST } from '@discordjs/rest'
import { type APIGuild, type APIGuildMember, PermissionFlagsBits, Routes } from 'discord-api-types/v10'
import { isHidden } from './refusals.ts'

const MAY = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator

/** The permissions that an interaction tells of, as a decimal number. */
export function mayManage(permissions: string | undefined): boolean {
  return permissions !== undefined && (BigInt(permissions) & MAY) !== 0n
}

/** @throws when Discord does not answer */
export async function isAdminIn(rest: REST, guild: string, user: string): Promise<boolean> {
  try {
    const [member, { owner_id, roles }] = (await Promise.all([
      rest.get(Routes.guildMember(guild, user)),
      rest.get(Routes.guild(guild)),
    ])) as [APIGuildMember, APIGuild]
    // The role of everybody has the id of the guild.
    const held = roles.filter(({ id }) => id === guild || member.roles.includes(id))
    return owner_id === user || held.some(({ permissions }) => mayManage(permissions))
  } catch (error) {
    if (isHidden(error)) return false
    throw error
  }
}
