/** What the fake Slack holds: teams, people, channels, posts. Data and look-ups only; nothing here sends an event. */

export type Data = Record<string, unknown>

export interface Team {
  readonly id: string
  readonly name: string
  readonly enterprise: string | null
  readonly botToken: string
  readonly bot: { readonly userId: string; readonly botId: string; readonly appId: string }
  /** Granted to the app. Delete one and the methods that need it answer `missing_scope`. */
  readonly scopes: Set<string>
  isRevoked: boolean
}

/** What `users.info` tells apart; see rule S13. */
export type Standing = 'admin' | 'owner' | 'primary_owner' | 'restricted' | 'ultra_restricted' | 'stranger' | 'bot'

export interface Person {
  readonly id: string
  readonly team: string
  readonly name: string
  displayName: string
  readonly tz: string
  /** Seconds east of Greenwich. */
  readonly tzOffset: number
  readonly standing: Set<Standing>
  readonly botId?: string
}

export interface Channel {
  readonly id: string
  readonly team: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
  /** Shared with another organization. */
  readonly isShared: boolean
  isArchived: boolean
  readonly members: Set<string>
  /** In `ts` order, deleted ones gone. */
  readonly posts: Post[]
  readonly ephemerals: Post[]
  /** Of assistant threads, by `thread_ts`. */
  readonly statuses: Map<string, string>
  prompts: readonly { readonly title: string; readonly message: string }[]
  last: { second: number; count: number }
  /** Every `ts` ever given here, those of deleted posts too. */
  readonly issued: Set<string>
}

export interface Reaction {
  readonly name: string
  readonly users: string[]
}

export interface Post {
  readonly channel: string
  readonly ts: string
  readonly user: string
  readonly botId?: string
  subtype?: string
  text: string
  blocks: readonly Data[]
  attachments: readonly Data[]
  /** `thread_ts` of a reply; absent on a root. */
  readonly thread?: string
  readonly isBroadcast?: boolean
  readonly reactions: Reaction[]
  readonly files: readonly StoredFile[]
  metadata?: Data
  /** When it was last edited, as Slack's `edited.ts`. */
  edited?: string
  /** Between `chat.startStream` and the end of the stream. */
  streaming: boolean
  /** How often it was shown anew: updates and appended pieces. */
  changes: number
  readonly ephemeralFor?: string
}

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly bytes: Buffer
}

export interface View {
  readonly id: string
  readonly user: string
  readonly team: string
  hash: string
  view: Data
  readonly type: 'modal' | 'home'
  isOpen: boolean
}

export interface World {
  readonly teams: Map<string, Team>
  readonly people: Map<string, Person>
  readonly channels: Map<string, Channel>
  readonly views: View[]
  readonly files: Map<string, StoredFile>
}

/** What a person reads: the texts of the blocks, or the text where there are no blocks. */
export function shownOf(post: Post): string {
  const texts = post.blocks.flatMap(textsOf)
  return texts.length > 0 ? texts.join('\n') : post.text
}

/** Every text inside a block, in reading order. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsOf(inner),
  )
}

/** The next `ts` of a channel: strictly increasing there, while two channels may well hold the same one. */
export function nextTs(channel: Channel, now: number): string {
  const second = Math.max(Math.floor(now / 1000), channel.last.second)
  const count = second === channel.last.second ? channel.last.count + 1 : 1
  channel.last = { second, count }
  const ts = `${second}.${String(count).padStart(6, '0')}`
  channel.issued.add(ts)
  return ts
}

/** @throws When there is no such channel. */
export function channelOf(world: World, id: string): Channel {
  const channel = world.channels.get(id)
  if (channel === undefined) throw new Error(`Expected a channel of the fake Slack, got \`${id}\``)
  return channel
}

/** @throws When there is no such person. */
export function personOf(world: World, id: string): Person {
  const person = world.people.get(id)
  if (person === undefined) throw new Error(`Expected a user of the fake Slack, got \`${id}\``)
  return person
}

/** @throws When there is no such team. */
export function teamOf(world: World, id: string): Team {
  const team = world.teams.get(id)
  if (team === undefined) throw new Error(`Expected a team of the fake Slack, got \`${id}\``)
  return team
}
