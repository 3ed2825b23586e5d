/** Whom a message notifies, as Discord works it out of its words and of `allowed_mentions`. */

import { isRecord } from './body.ts'
import type { Pinged } from './world.ts'

export const NOBODY: Pinged = { everyone: false, users: [], roles: [], replied: false }

const idsIn = (content: string, pattern: RegExp): string[] => [
  ...new Set([...content.matchAll(pattern)].map(([, id = '']) => id)),
]

/**
 * Without `allowed_mentions` a message notifies everyone it names and the author replied to, the answer to an interaction only
 * users. The bot is taken to be allowed to call everyone: the worst case.
 */
export function pingedBy(content: string, allowed: unknown, isReply: boolean, isInteraction: boolean): Pinged {
  const users = idsIn(content, /<@!?(\d+)>/g)
  const roles = idsIn(content, /<@&(\d+)>/g)
  const everyone = /@(everyone|here)\b/.test(content)
  if (!isRecord(allowed))
    return isInteraction
      ? { everyone: false, users, roles: [], replied: isReply }
      : { everyone, users, roles, replied: isReply }
  const parse = Array.isArray(allowed['parse']) ? allowed['parse'] : []
  const only = (kind: 'users' | 'roles', named: readonly string[]) => {
    const listed = allowed[kind]
    return parse.includes(kind) ? named : named.filter((id) => Array.isArray(listed) && listed.includes(id))
  }
  return {
    everyone: everyone && parse.includes('everyone'),
    users: only('users', users),
    roles: only('roles', roles),
    replied: isReply && allowed['replied_user'] === true,
  }
}

export function bothPinged(one: Pinged, other: Pinged): Pinged {
  return {
    everyone: one.everyone || other.everyone,
    users: [...new Set([...one.users, ...other.users])],
    roles: [...new Set([...one.roles, ...other.roles])],
    replied: one.replied || other.replied,
  }
}
