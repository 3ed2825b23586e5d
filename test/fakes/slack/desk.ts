/** What an interaction leaves behind: a trigger to open one modal with, and an address to answer at. */

import type { Backend } from './backend.ts'
import { addEphemeral, addPost, changePost, removePost } from './posting.ts'
import { Refused } from './refused.ts'
import { type Contents, contentsOf } from './text.ts'
import { type Channel, channelOf, type Data, type Post, type Team } from './world.ts'

/** Milliseconds. */
const TRIGGER_LIFE = 3000
const ADDRESS_LIFE = 30 * 60_000
const ADDRESS_USES = 5

interface Address {
  readonly channel: Channel
  readonly team: Team
  readonly user: string
  /** The post under which it happened. */
  readonly source?: Post
  readonly since: number
  uses: number
}

export type Desk = ReturnType<typeof openDesk>

export function openDesk(backend: Backend) {
  const triggers = new Map<string, { readonly since: number; readonly user: string; isSpent: boolean }>()
  const addresses = new Map<string, Address>()

  return {
    trigger(user: string): string {
      const id = backend.id('trigger')
      triggers.set(id, { since: backend.now(), user, isSpent: false })
      return id
    },
    /**
     * Whose trigger it is; good once, for 3 s.
     * @throws {Refused} `invalid_trigger_id`, `exchanged_trigger_id`, `expired_trigger_id`.
     */
    spend(id: string): string {
      const trigger = triggers.get(id)
      if (trigger === undefined) throw new Refused('invalid_trigger_id')
      if (trigger.isSpent) throw new Refused('exchanged_trigger_id')
      if (backend.now() - trigger.since > TRIGGER_LIFE) throw new Refused('expired_trigger_id')
      trigger.isSpent = true
      return trigger.user
    },
    /** A new `response_url`. */
    address(channel: Channel, team: Team, user: string, source?: Post): string {
      const id = backend.id('response')
      const of = { channel, team, user, ...(source === undefined ? {} : { source }) }
      addresses.set(id, { ...of, since: backend.now(), uses: 0 })
      return `${backend.origin()}/response/${id}`
    },
    /**
     * What was sent to a `response_url`: 5 times within 30 minutes.
     * @throws {Refused} `used_url`, `expired_url`, or what is wrong with the words.
     */
    answerAt(id: string, body: Data): void {
      const address = addresses.get(id)
      if (address === undefined || backend.now() - address.since > ADDRESS_LIFE) throw new Refused('expired_url')
      if (address.uses >= ADDRESS_USES) throw new Refused('used_url')
      address.uses += 1
      put(backend, address, body)
    },
    /** Words in the acknowledgement of a slash command are an answer, too. */
    answerInAck(url: string, payload: Data): void {
      const address = addresses.get(url.split('/').at(-1) ?? '')
      if (address === undefined || (payload['text'] === undefined && payload['blocks'] === undefined)) return
      put(backend, address, payload)
    },
  }
}

/** Words that replace, take away or follow what was clicked. Only the person sees them unless it says `in_channel`. */
function put(backend: Backend, { channel, team, user, source }: Address, body: Data): void {
  if (body['delete_original'] === true) {
    if (source !== undefined) takeAway(backend, source)
    return
  }
  const { text, blocks, attachments } = contentsOf(body)
  if (body['replace_original'] === true && source !== undefined) {
    replace(backend, source, { text, blocks, attachments })
    return
  }
  const thread = typeof body['thread_ts'] === 'string' ? body['thread_ts'] : undefined
  const given = { user: team.bot.userId, botId: team.bot.botId, text, blocks, attachments, thread }
  if (body['response_type'] === 'in_channel') addPost(backend, channel, given)
  else addEphemeral(backend, channel, user, given)
}

/** Of ephemeral posts no event tells. */
function replace(backend: Backend, post: Post, contents: Contents): void {
  if (post.ephemeralFor === undefined) changePost(backend, post, contents)
  else {
    Object.assign(post, contents)
    post.changes += 1
    backend.changed()
  }
}

function takeAway(backend: Backend, post: Post): void {
  if (post.ephemeralFor === undefined) removePost(backend, post)
  else {
    const { ephemerals } = channelOf(backend.world, post.channel)
    ephemerals.splice(ephemerals.indexOf(post), 1)
    backend.changed()
  }
}
