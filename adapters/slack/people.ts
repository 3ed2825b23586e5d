/** Who people are, as Slack tells; kept for a short time. */

import type { webApi } from '@slack/bolt'
import type { Author } from '../../src/adapter.ts'
import { personId } from './ids.ts'
import type { Names } from './words.ts'
import { nameOf } from './words.ts'

export interface Person extends Author {
  /** Slack's own id. */
  readonly id: string
  /** Of this organisation, with an account that is no guest's and no program's. */
  readonly isMember: boolean
  /** Of another organisation, or a program: is not answered. */
  readonly isStranger: boolean
}

export interface People {
  /** From the cache where it is younger than ten minutes, or `isFresh` asks Slack anew. */
  get(id: string, isFresh?: boolean): Promise<Person>
  /** Names of all that these texts mention, asked for beforehand. */
  names(people: readonly string[], channels: readonly string[]): Promise<Names>
}

const KEPT_MS = 600_000
const AT_MOST = 5_000

interface Kept<T> {
  readonly at: number
  readonly value: Promise<T>
}

export function createPeople(client: webApi.WebClient, team: () => string, now = Date.now): People {
  const people = new Map<string, Kept<Person>>()
  const channels = new Map<string, Kept<string>>()
  const get = (id: string, isFresh = false) =>
    remembered(people, id, isFresh ? now() : now() - KEPT_MS, now(), async () => {
      const { user } = await client.users.info({ user: id })
      return personOf(id, { ...user }, team())
    })
  const channel = (id: string) =>
    remembered(channels, id, now() - KEPT_MS, now(), async () => {
      const { channel } = await client.conversations.info({ channel: id })
      return channel?.name ?? ''
    })
  return {
    get,
    async names(ids, channelIds) {
      // A name that can't be had is not worth the message.
      const known = new Map<string, string>()
      const learn = async (id: string, name: Promise<string>) => void known.set(id, await name.catch(() => ''))
      await Promise.all([
        ...ids.map((id) =>
          learn(
            id,
            get(id).then(({ name }) => name),
          ),
        ),
        ...channelIds.map((id) => learn(id, channel(id))),
      ])
      const name = (id: string) => known.get(id) || null
      return { person: name, channel: name }
    },
  }
}

async function remembered<T>(
  kept: Map<string, Kept<T>>,
  id: string,
  since: number,
  now: number,
  ask: () => Promise<T>,
): Promise<T> {
  const known = kept.get(id)
  if (known !== undefined && known.at > since) return known.value
  const value = ask()
  if (kept.size >= AT_MOST) kept.clear()
  kept.set(id, { at: now, value })
  value.catch(() => kept.delete(id))
  return value
}

/** What Slack's answer to `users.info` says of a person. */
export function personOf(id: string, user: Readonly<Record<string, unknown>>, team: string): Person {
  const profile = (typeof user['profile'] === 'object' ? user['profile'] : null) as Record<string, unknown> | null
  const is = (flag: string) => user[flag] === true
  const names = [profile?.['display_name'], profile?.['real_name'], user['real_name'], user['name'], id]
  const name = names.map((name) => (typeof name === 'string' ? nameOf(name) : '')).find((name) => name !== '') ?? id
  const isOthers =
    typeof user['team_id'] === 'string' && user['team_id'] !== team && user['enterprise_user'] === undefined
  const isStranger = is('is_stranger') || is('is_bot') || is('is_workflow_bot') || isOthers
  const isMember = !isStranger && !is('is_restricted') && !is('is_ultra_restricted') && !is('deleted')
  const isAdmin = isMember && (is('is_admin') || is('is_owner') || is('is_primary_owner'))
  const { tz } = user
  return { id, name, isAdmin, isMember, isStranger, ...(typeof tz === 'string' && tz !== '' ? { timezone: tz } : {}) }
}

/** What the bot is told of somebody. */
export function authorOf({ id, name, isAdmin, timezone }: Person, team: string): Author {
  return { id: personId(team, id), name, isAdmin, ...(timezone === undefined ? {} : { timezone }) }
}
