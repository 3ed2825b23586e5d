/** `auth.test`, `users.info`, `bots.info`, `team.info`, `views.*`, `assistant.threads.*`. */

import { type Call, type Methods, optional, stringOf, userIn, visibleChannel } from '../call.ts'
import { userOf } from '../events.ts'
import { Refused } from '../refused.ts'
import { checkBlocks, listOf } from '../text.ts'
import type { Data, View } from '../world.ts'

function authTest({ team }: Call): Data {
  return {
    url: `https://${team.name.toLowerCase()}.slack.com/`,
    team: team.name,
    user: 'attune',
    team_id: team.id,
    user_id: team.bot.userId,
    bot_id: team.bot.botId,
    is_enterprise_install: false,
  }
}

function botInfo(call: Call): Data {
  const person = [...call.backend.world.people.values()].find(({ botId }) => botId === stringOf(call, 'bot'))
  if (person === undefined) throw new Refused('bot_not_found')
  return { bot: { id: person.botId, name: person.displayName, user_id: person.id, deleted: false } }
}

/** @throws {Refused} `invalid_arguments`. */
function givenView({ args }: Call, types: readonly string[]): Data {
  const view = args['view']
  if (typeof view !== 'object' || view === null) throw new Refused('invalid_arguments')
  const given: Data = { ...view }
  if (!types.includes(String(given['type']))) throw new Refused('invalid_arguments')
  checkBlocks(listOf(given['blocks'], 'invalid_arguments'), 100)
  return given
}

/** A view as Slack tells of it. */
export function viewOf({ id, team, hash, view }: View): Data {
  return {
    private_metadata: '',
    callback_id: '',
    ...view,
    id,
    team_id: team,
    hash,
    app_id: 'A1',
    state: { values: {} },
  }
}

function openView(call: Call): Data {
  const view = givenView(call, ['modal'])
  return show(call, call.desk.spend(stringOf(call, 'trigger_id')), view, 'modal')
}

function show({ backend, team }: Call, user: string, view: Data, type: View['type']): Data {
  const shown: View = { id: backend.id('V'), user, team: team.id, hash: backend.id('hash'), view, type, isOpen: true }
  backend.world.views.push(shown)
  backend.changed()
  return { view: viewOf(shown) }
}

function updateView(call: Call): Data {
  const { world, id, changed } = call.backend
  const view = givenView(call, ['modal', 'home'])
  const known = world.views.find((one) => one.id === optional(call, 'view_id') && one.isOpen)
  if (known === undefined) throw new Refused('not_found')
  const hash = optional(call, 'hash')
  if (hash !== undefined && hash !== known.hash) throw new Refused('hash_conflict')
  Object.assign(known, { view, hash: id('hash') })
  changed()
  return { view: viewOf(known) }
}

function publish(call: Call): Data {
  const view = givenView(call, ['home'])
  const user = userIn(call, 'user_id').id
  const known = call.backend.world.views.find((one) => one.type === 'home' && one.user === user)
  if (known === undefined) return show(call, user, view, 'home')
  Object.assign(known, { view, hash: call.backend.id('hash') })
  call.backend.changed()
  return { view: viewOf(known) }
}

function setStatus(call: Call): Data {
  const channel = visibleChannel(call, 'channel_id')
  const thread = stringOf(call, 'thread_ts')
  if (!channel.issued.has(thread)) throw new Refused('thread_not_found')
  const status = typeof call.args['status'] === 'string' ? call.args['status'] : ''
  if (status === '') channel.statuses.delete(thread)
  else channel.statuses.set(thread, status)
  call.backend.changed()
  return {}
}

/** With a `thread_ts` it says ok and shows nothing: the silent failure of rule S18. */
function setPrompts(call: Call): Data {
  const channel = visibleChannel(call, 'channel_id')
  const prompts = listOf(call.args['prompts'], 'invalid_arguments')
  if (prompts.length === 0 || prompts.length > 4) throw new Refused('invalid_arguments')
  if (optional(call, 'thread_ts') !== undefined) return {}
  channel.prompts = prompts.map(({ title, message }) => ({ title: String(title), message: String(message) }))
  call.backend.changed()
  return {}
}

export const PEOPLE: Methods = {
  'auth.test': { run: authTest },
  'users.info': { scope: 'users:read', run: (call) => ({ user: userOf(userIn(call)) }) },
  'bots.info': { scope: 'users:read', run: botInfo },
  'team.info': { run: ({ team }) => ({ team: { id: team.id, name: team.name } }) },
  'views.open': { run: openView },
  'views.update': { run: updateView },
  'views.publish': { run: publish },
  'assistant.threads.setStatus': { scope: 'chat:write', run: setStatus },
  'assistant.threads.setSuggestedPrompts': { scope: 'assistant:write', run: setPrompts },
}
