/** The scopes that the bot needs, as its manifest asks for them, and what does not work without each. */

import { PlatformError } from '../../src/adapter.ts'
import type { Warn } from './log.ts'

export const SCOPES: Readonly<Record<string, string>> = {
  'app_mentions:read': 'hearing mentions',
  'assistant:write': 'offering prompts',
  'channels:history': 'following threads in channels',
  'channels:read': 'naming channels, links to messages',
  'chat:write': 'answering',
  commands: '/persona and /tune',
  'files:read': 'reading files',
  'groups:history': 'following threads in private channels',
  'groups:read': 'links to messages in private channels',
  'im:history': 'hearing direct messages',
  'im:read': 'knowing direct chats',
  'im:write': 'answering a command in a direct chat',
  'mpim:history': 'following threads in group chats',
  'mpim:read': 'links to messages in group chats',
  'reactions:read': 'ratings by reactions',
  'users:read': 'names, time zones, and who is an admin',
}

/** Without these there is nothing to run. */
const ESSENTIAL = ['chat:write', 'users:read']

/**
 * Warns of each scope that is missing; where Slack does not tell, of none.
 * @throws PlatformError when an essential one is missing
 */
export function missingScopes(granted: readonly string[] | undefined, warn: Warn): void {
  if (granted === undefined || granted.length === 0) return
  const missing = Object.keys(SCOPES).filter((scope) => !granted.includes(scope))
  const essential = missing.filter((scope) => ESSENTIAL.includes(scope))
  if (essential.length > 0)
    throw new PlatformError(
      `The Slack app lacks the scope \`${essential.join('`, `')}\`: add it under OAuth & Permissions and install the app anew`,
    )
  for (const scope of missing) warn({ scope }, `without this scope the bot does not do: ${SCOPES[scope]}`)
}
