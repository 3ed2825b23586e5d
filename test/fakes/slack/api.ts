/** The Web API: whose token, which scope, which method. */

import type { Backend } from './backend.ts'
import type { Call, Methods } from './call.ts'
import type { Desk } from './desk.ts'
import { CHAT } from './methods/chat.ts'
import { CONVERSATIONS } from './methods/conversations.ts'
import { PEOPLE } from './methods/people.ts'
import { STREAM } from './methods/stream.ts'
import { Refused } from './refused.ts'
import type { Data, Team } from './world.ts'

const METHODS: Methods = { ...CHAT, ...STREAM, ...CONVERSATIONS, ...PEOPLE }

export const APP_TOKEN = 'xapp-1-A1-secret'
export const CLIENT_ID = '111.222'
export const CLIENT_SECRET = 'client-secret'

export interface Api {
  readonly backend: Backend
  readonly desk: Desk
  /** A new address of Socket Mode. */
  readonly address: () => string
  /** Whether the app token still counts. */
  readonly isAppRevoked: () => boolean
  /** Teams that a code of the OAuth flow stands for; each code is good once. */
  readonly codes: Map<string, { readonly team: Team; readonly user: string }>
}

export interface Request {
  readonly method: string
  readonly args: Data
  /** Of the header or the body; empty when there is none. */
  readonly token: string
}

/** Answers as Slack does, refusals included. */
export function answer(api: Api, request: Request): Data {
  try {
    return { ok: true, ...run(api, request) }
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

function run(api: Api, { method, args, token }: Request): Data {
  if (method === 'api.test') return { args }
  if (method === 'oauth.v2.access') return exchange(api, args)
  if (token === '') throw new Refused('not_authed')
  if (method === 'apps.connections.open') return connect(api, token)
  const team = teamOfToken(api, token)
  const known = METHODS[method]
  if (method === 'auth.revoke') return revoke(team)
  if (known === undefined) throw new Refused('unknown_method', { req_method: method })
  if (known.scope !== undefined && !team.scopes.has(known.scope))
    throw new Refused('missing_scope', { needed: known.scope, provided: [...team.scopes].join(',') })
  const call: Call = { backend: api.backend, desk: api.desk, team, args }
  return known.run(call)
}

function connect(api: Api, token: string): Data {
  if (token.startsWith('xoxb-')) throw new Refused('not_allowed_token_type')
  if (token !== APP_TOKEN || api.isAppRevoked()) throw new Refused('invalid_auth')
  return { url: api.address() }
}

function teamOfToken({ backend }: Api, token: string): Team {
  if (token === APP_TOKEN) throw new Refused('not_allowed_token_type')
  const team = [...backend.world.teams.values()].find(({ botToken }) => botToken === token)
  if (team === undefined) throw new Refused('invalid_auth')
  if (team.isRevoked) throw new Refused('token_revoked')
  return team
}

function revoke(team: Team): Data {
  team.isRevoked = true
  return { revoked: true }
}

/** The end of the OAuth flow: a code becomes a bot token. Installing anew makes a revoked token good. */
function exchange({ codes }: Api, args: Data): Data {
  if (args['client_id'] !== CLIENT_ID) throw new Refused('invalid_client_id')
  if (args['client_secret'] !== CLIENT_SECRET) throw new Refused('bad_client_secret')
  const code = String(args['code'])
  const grant = codes.get(code)
  if (grant === undefined) throw new Refused('invalid_code')
  codes.delete(code)
  const { team, user } = grant
  team.isRevoked = false
  return {
    access_token: team.botToken,
    token_type: 'bot',
    scope: [...team.scopes].join(','),
    bot_user_id: team.bot.userId,
    app_id: team.bot.appId,
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false,
    authed_user: { id: user },
  }
}
