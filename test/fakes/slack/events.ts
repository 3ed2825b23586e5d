/** How Slack tells of the world: the message object, the events about it, and the callback an event travels in. */

import type { Channel, Data, Person, Post, StoredFile, Team, World } from './world.ts'

const KINDS = { public: 'channel', private: 'group', im: 'im' } as const

/** A message as the Web API and the events show it. */
export function messageOf(world: World, post: Post, origin = ''): Data {
  const author = world.people.get(post.user)
  const replies = world.channels.get(post.channel)?.posts.filter(({ thread }) => thread === post.ts) ?? []
  const app = [...world.teams.values()].find(({ bot }) => bot.botId === post.botId)?.bot.appId
  return {
    type: 'message',
    ...(post.subtype === undefined ? {} : { subtype: post.subtype }),
    user: post.user,
    text: post.text,
    ts: post.ts,
    ...(author === undefined ? {} : { team: author.team }),
    ...(author?.standing.has('stranger') ? { user_team: author.team, source_team: author.team } : {}),
    ...(post.botId === undefined ? { client_msg_id: `client-${post.channel}-${post.ts}` } : { bot_id: post.botId }),
    ...(app === undefined ? {} : { app_id: app, bot_profile: { id: post.botId, app_id: app, name: author?.name } }),
    ...(post.blocks.length > 0 ? { blocks: post.blocks } : {}),
    ...(post.attachments.length > 0 ? { attachments: post.attachments } : {}),
    ...(post.thread === undefined ? {} : { thread_ts: post.thread }),
    ...(replies.length > 0 ? { thread_ts: post.ts, reply_count: replies.length } : {}),
    ...(post.edited === undefined ? {} : { edited: { user: post.user, ts: post.edited } }),
    ...(post.files.length > 0 ? { files: post.files.map((file) => fileOf(file, origin)) } : {}),
    ...(post.metadata === undefined ? {} : { metadata: post.metadata }),
    ...(post.reactions.length > 0
      ? { reactions: post.reactions.map(({ name, users }) => ({ name, users: [...users], count: users.length })) }
      : {}),
  }
}

/** A file as Slack describes it; `url_private` wants the bot's token as a bearer. */
export function fileOf(file: StoredFile, origin: string): Data {
  return {
    id: file.id,
    name: file.name,
    title: file.name,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? '',
    size: file.bytes.length,
    mode: 'hosted',
    url_private: `${origin}/files-pri/${file.id}/${file.name}`,
    url_private_download: `${origin}/files-pri/${file.id}/download/${file.name}`,
  }
}

export function said(world: World, channel: Channel, post: Post, origin: string): Data {
  const message = messageOf(world, post, origin)
  return { ...message, channel: channel.id, channel_type: KINDS[channel.kind], event_ts: post.ts }
}

export function mentioned(world: World, channel: Channel, post: Post, origin: string): Data {
  const message = messageOf(world, post, origin)
  return { ...message, type: 'app_mention', channel: channel.id, event_ts: post.ts }
}

/** Of an edit, an unfurled link, a stream that ended, a root that leaves its thread behind. */
export function changed(world: World, channel: Channel, post: Post, previous: Data, ts: string): Data {
  return {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    message: messageOf(world, post),
    previous_message: previous,
    channel: channel.id,
    channel_type: KINDS[channel.kind],
    ts,
    event_ts: ts,
  }
}

export function removed(channel: Channel, previous: Data, ts: string): Data {
  return {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: previous['ts'],
    previous_message: previous,
    channel: channel.id,
    channel_type: KINDS[channel.kind],
    ts,
    event_ts: ts,
  }
}

/** An event in its callback, as it is in an envelope and in the body of a signed request. */
export function callbackOf(team: Team, event: Data, id: string, now: number, isShared: boolean): Data {
  const authorization = {
    enterprise_id: team.enterprise,
    team_id: team.id,
    user_id: team.bot.userId,
    is_bot: true,
    is_enterprise_install: false,
  }
  return {
    token: 'deprecated-verification-token',
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: team.enterprise,
    api_app_id: team.bot.appId,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(now / 1000),
    authorizations: [authorization],
    is_ext_shared_channel: isShared,
    event_context: `4-${id}`,
  }
}

/** A user as `users.info` answers. */
export function userOf(person: Person): Data {
  const is = (standing: Parameters<Person['standing']['has']>[0]) => person.standing.has(standing)
  return {
    id: person.id,
    team_id: person.team,
    name: person.name,
    real_name: person.displayName,
    deleted: false,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: person.tzOffset,
    profile: {
      real_name: person.displayName,
      display_name: is('bot') ? '' : person.displayName,
      team: person.team,
      ...(person.botId === undefined ? {} : { bot_id: person.botId, api_app_id: 'A1' }),
    },
    is_admin: is('admin'),
    is_owner: is('owner'),
    is_primary_owner: is('primary_owner'),
    is_restricted: is('restricted'),
    is_ultra_restricted: is('ultra_restricted'),
    is_bot: is('bot'),
    is_app_user: false,
    ...(is('stranger') ? { is_stranger: true } : {}),
  }
}
