/** What people do in the fake Slack, and the events, commands and interactions that follow. */

import { type Backend, teamsIn, tellChannel, tellTeam } from './backend.ts'
import type { Deliveries, Delivery } from './delivery.ts'
import type { Desk } from './desk.ts'
import { messageOf } from './events.ts'
import { viewOf } from './methods/people.ts'
import { addPost, changePost, postOf, removePost, setReaction } from './posting.ts'
import { type Channel, channelOf, type Data, type Post, personOf, type StoredFile, type Team, teamOf } from './world.ts'

/** A post is found again by these two. */
export interface Place {
  readonly channel: string
  readonly ts: string
}

export interface Interaction {
  readonly delivery: Delivery
  /** The acknowledgement's payload; undefined when none came within the deadline. */
  readonly acked: Promise<Data | undefined>
  readonly triggerId: string
  readonly responseUrl: string
}

export interface Saying {
  /** The root to answer under. */
  readonly thread?: string
  readonly isBroadcast?: boolean
  readonly subtype?: string
  readonly blocks?: readonly Data[]
  readonly attachments?: readonly Data[]
  readonly files?: readonly { readonly name: string; readonly mimetype: string; readonly bytes: Buffer }[]
}

export interface Doer {
  readonly backend: Backend
  readonly deliveries: Deliveries
  readonly desk: Desk
}

/** @param text As Slack holds it: `<@UBOT> hi`, `a &lt; b`. */
export function say(doer: Doer, user: string, channelId: string, text: string, saying: Saying = {}): Post {
  const { backend } = doer
  const [person, channel] = [personOf(backend.world, user), channelOf(backend.world, channelId)]
  const files = (saying.files ?? []).map((file): StoredFile => ({ ...file, id: backend.id('F') }))
  for (const file of files) backend.world.files.set(file.id, file)
  const implied = files.length > 0 ? 'file_share' : saying.isBroadcast ? 'thread_broadcast' : undefined
  const { subtype = implied } = saying
  return addPost(backend, channel, { user, botId: person.botId, text, ...saying, subtype, files })
}

export function edit({ backend }: Doer, place: Place, text: string): void {
  changePost(backend, postOf(backend, place), { text })
}

/** Slack found out what a link leads to: the text is as it was. */
export function unfurl({ backend }: Doer, place: Place, attachments: readonly Data[]): void {
  changePost(backend, postOf(backend, place), { attachments }, false)
}

export function remove({ backend }: Doer, place: Place): void {
  removePost(backend, postOf(backend, place))
}

/** @throws When nothing changes by it. */
export function setEmoji(doer: Doer, user: string, place: Place, name: string, isOn: boolean, hasAuthor = true): void {
  const post = postOf(doer.backend, place)
  personOf(doer.backend.world, user)
  if (!setReaction(doer.backend, post, { user, name, isOn, hasAuthor }))
    throw new Error(`Expected ${user} ${isOn ? 'not to have reacted' : 'to have reacted'} with ${name}`)
}

/** The team whose app an interaction in this channel goes to. */
function appOf({ backend }: Doer, user: string, channel?: Channel): Team {
  const own = backend.world.teams.get(personOf(backend.world, user).team)
  const team = own ?? (channel === undefined ? undefined : teamsIn(backend, channel)[0])
  if (team === undefined) throw new Error(`Expected the app to be installed where ${user} is`)
  return team
}

/** @param command With its slash. A slash command works in channels the bot is no member of. */
export function slash(doer: Doer, user: string, channelId: string, command: string, text = ''): Interaction {
  const { backend, desk, deliveries } = doer
  const [person, channel] = [personOf(backend.world, user), channelOf(backend.world, channelId)]
  const team = appOf(doer, user, channel)
  const [triggerId, responseUrl] = [desk.trigger(user), desk.address(channel, team, user)]
  const delivery = deliveries.once('slash_commands', {
    token: 'deprecated-verification-token',
    team_id: team.id,
    team_domain: team.name.toLowerCase(),
    channel_id: channel.id,
    channel_name: channel.kind === 'im' ? 'directmessage' : channel.kind === 'private' ? 'privategroup' : channel.name,
    user_id: user,
    user_name: person.name,
    command,
    text,
    api_app_id: team.bot.appId,
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: triggerId,
  })
  const acked = delivery.settled.then((payload) => {
    if (payload !== undefined) desk.answerInAck(responseUrl, payload)
    return payload
  })
  return { delivery, acked, triggerId, responseUrl }
}

/**
 * Presses the button (or picks the option) with this action_id under a post, ephemeral or not.
 * @throws When the post shows no such action.
 */
export function click(doer: Doer, user: string, place: Place, actionId: string, chosen: Data = {}): Interaction {
  const { backend, desk, deliveries } = doer
  const [post, channel] = [postOf(backend, place), channelOf(backend.world, place.channel)]
  const found = actionOf(post.blocks, actionId)
  if (found === undefined)
    throw new Error(`Expected a post with the action \`${actionId}\`, got ${JSON.stringify(post.blocks)}`)
  const team = appOf(doer, user, channel)
  const [triggerId, responseUrl] = [desk.trigger(user), desk.address(channel, team, user, post)]
  const isEphemeral = post.ephemeralFor !== undefined
  const container = { type: 'message', message_ts: post.ts, channel_id: channel.id, is_ephemeral: isEphemeral }
  const delivery = deliveries.once('interactive', {
    ...aboutUser(doer, user, team),
    type: 'block_actions',
    container: post.thread === undefined ? container : { ...container, thread_ts: post.thread },
    channel: { id: channel.id, name: channel.kind === 'im' ? 'directmessage' : channel.name },
    ...(isEphemeral ? {} : { message: messageOf(backend.world, post) }),
    state: { values: {} },
    actions: [{ ...found, ...chosen, action_ts: `${(backend.now() / 1000).toFixed(6)}` }],
    response_url: responseUrl,
    trigger_id: triggerId,
  })
  return { delivery, acked: delivery.settled, triggerId, responseUrl }
}

function aboutUser({ backend }: Doer, user: string, team: Team): Data {
  const person = personOf(backend.world, user)
  return {
    user: { id: user, username: person.name, name: person.name, team_id: person.team },
    api_app_id: team.bot.appId,
    token: 'deprecated-verification-token',
    team: { id: team.id, domain: team.name.toLowerCase() },
    enterprise: null,
    is_enterprise_install: false,
  }
}

/** The element with this action_id, as the action of a payload. */
function actionOf(value: unknown, actionId: string, blockId = ''): Data | undefined {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const found = actionOf(one, actionId, blockId === '' ? String(one?.block_id ?? `block${index}`) : blockId)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const node: Data = { ...value }
  if (node['action_id'] === actionId) {
    const { type, text, value: carried } = node
    return {
      type,
      action_id: actionId,
      block_id: blockId,
      ...(text ? { text } : {}),
      ...(carried === undefined ? {} : { value: carried }),
    }
  }
  for (const inner of Object.values(node)) {
    const found = typeof inner === 'object' ? actionOf(inner, actionId, blockId || 'block0') : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Sends the modal the person has open.
 * @param values `state.values`: by block_id, then action_id.
 */
export function submitView(doer: Doer, user: string, viewId: string, values: Data): Interaction {
  const view = doer.backend.world.views.find((one) => one.id === viewId && one.user === user && one.isOpen)
  if (view === undefined) throw new Error(`Expected ${user} to have the view ${viewId} open`)
  const team = teamOf(doer.backend.world, view.team)
  const triggerId = doer.desk.trigger(user)
  const delivery = doer.deliveries.once('interactive', {
    ...aboutUser(doer, user, team),
    type: 'view_submission',
    trigger_id: triggerId,
    view: { ...viewOf(view), state: { values } },
    response_urls: [],
  })
  const acked = delivery.settled.then((payload) => {
    const action = payload?.['response_action']
    if (payload !== undefined && (action === undefined || action === 'clear')) view.isOpen = false
    if (action === 'update') Object.assign(view, { view: payload?.['view'] })
    doer.backend.changed()
    return payload
  })
  return { delivery, acked, triggerId, responseUrl: '' }
}

export function openHome({ backend }: Doer, user: string, tab: 'home' | 'messages'): void {
  const person = personOf(backend.world, user)
  const team = teamOf(backend.world, person.team)
  const direct = [...backend.world.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(user) && members.has(team.bot.userId),
  )
  tellTeam(backend, team, {
    type: 'app_home_opened',
    user,
    channel: direct?.id ?? '',
    tab,
    event_ts: `${(backend.now() / 1000).toFixed(6)}`,
  })
}

/** Comes into a channel or leaves it; the bot too. */
export function setMember({ backend }: Doer, user: string, channelId: string, isIn: boolean): void {
  const channel = channelOf(backend.world, channelId)
  const event = { user, channel: channelId, channel_type: channel.kind === 'private' ? 'G' : 'C', team: channel.team }
  const tell = () =>
    tellChannel(backend, channel, { type: isIn ? 'member_joined_channel' : 'member_left_channel', ...event })
  if (isIn) channel.members.add(user)
  tell()
  if (isIn) addPost(backend, channel, { user, text: `<@${user}> has joined the channel`, subtype: 'channel_join' })
  else channel.members.delete(user)
}

/** The team removes the app: its token is dead from now on. Slack promises no order of the two events. */
export function uninstall({ backend }: Doer, teamId: string, order: 'uninstalled first' | 'revoked first'): void {
  const team = teamOf(backend.world, teamId)
  const events = [
    { type: 'app_uninstalled' },
    { type: 'tokens_revoked', tokens: { oauth: [], bot: [team.bot.userId] } },
  ]
  for (const event of order === 'revoked first' ? events.reverse() : events) tellTeam(backend, team, event)
  team.isRevoked = true
}
