/** The world a fake Slack starts with: one team of every kind of person, and a channel of every kind. */

import type { Channel, Person, Standing, Team, World } from './world.ts'

export const SCOPES = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:read',
  'reactions:write',
  'users:read',
] as const

const APP = 'A1'

/** The team's bot is `UBOT` in `T1` and `UBOT_<team>` elsewhere. */
export function newTeam(id: string, name = id): Team {
  const suffix = id === 'T1' ? '' : `_${id}`
  return {
    id,
    name,
    enterprise: null,
    botToken: `xoxb-${id.toLowerCase()}-secret`,
    bot: { userId: `UBOT${suffix}`, botId: `BBOT${suffix}`, appId: APP },
    scopes: new Set(SCOPES),
    isRevoked: false,
  }
}

export function newPerson(
  id: string,
  given: Partial<Omit<Person, 'id' | 'standing'>> & { standing?: Standing[] } = {},
) {
  const { standing = [], ...rest } = given
  const name = id.slice(1).toLowerCase()
  const person: Person = {
    id,
    team: 'T1',
    name,
    displayName: name.charAt(0).toUpperCase() + name.slice(1),
    tz: 'Europe/Berlin',
    tzOffset: 3600,
    standing: new Set(standing),
    ...rest,
  }
  return person
}

export function newChannel(
  id: string,
  members: readonly string[],
  given: Partial<Pick<Channel, 'team' | 'name' | 'kind' | 'isShared'>> = {},
): Channel {
  return {
    id,
    team: 'T1',
    name: id.slice(1).toLowerCase(),
    kind: id.startsWith('D') ? 'im' : id.startsWith('G') ? 'private' : 'public',
    isShared: false,
    ...given,
    isArchived: false,
    members: new Set(members),
    posts: [],
    ephemerals: [],
    statuses: new Map(),
    prompts: [],
    last: { second: 0, count: 0 },
    issued: new Set(),
  }
}

/** Puts a team's bot among the people. */
export function addTeam(world: World, team: Team): void {
  world.teams.set(team.id, team)
  const { userId, botId } = team.bot
  world.people.set(
    userId,
    newPerson(userId, { team: team.id, name: 'attune', displayName: 'Attune', standing: ['bot'], botId }),
  )
}

const HUMANS: readonly (readonly [string, Standing[]])[] = [
  ['UANA', []],
  ['UBEA', []],
  ['UADMIN', ['admin']],
  ['UOWNER', ['admin', 'owner']],
  ['UPRIMARY', ['admin', 'owner', 'primary_owner']],
  ['UGUEST', ['restricted']],
  ['UULTRA', ['restricted', 'ultra_restricted']],
]

export function firstWorld(): World {
  const world: World = {
    teams: new Map(),
    people: new Map(),
    channels: new Map(),
    views: [],
    files: new Map(),
  }
  addTeam(world, newTeam('T1', 'Acme'))
  for (const [id, standing] of HUMANS) world.people.set(id, newPerson(id, { standing }))
  world.people.set('USTRANGER', newPerson('USTRANGER', { team: 'T2', standing: ['stranger'] }))
  world.people.set('UOTHERBOT', newPerson('UOTHERBOT', { standing: ['bot'], botId: 'BOTHER' }))
  const staff = [...HUMANS.map(([id]) => id).filter((id) => id !== 'UULTRA'), 'UOTHERBOT']
  const channels = [
    newChannel('CGENERAL', [...staff, 'UBOT']),
    newChannel('CRANDOM', staff),
    newChannel('GSECRET', ['UANA', 'UADMIN', 'UBOT']),
    newChannel('CSHARED', ['UANA', 'USTRANGER', 'UBOT'], { isShared: true }),
    ...HUMANS.map(([id]) => newChannel(`D${id.slice(1)}`, [id, 'UBOT'])),
  ]
  for (const channel of channels) world.channels.set(channel.id, channel)
  return world
}
