/** What there is to see: posts as people see them, requests, deliveries; and all of it in words for a failed test. */

import type { Deliveries, Delivery } from './delivery.ts'
import type { Place } from './doings.ts'
import type { Recorded } from './http.ts'
import type { Sockets } from './socket.ts'
import { type Pings, pingsOf } from './text.ts'
import { channelOf, type Data, type Post, shownOf, type World } from './world.ts'

/** A post as it is now; it does not change when the post does. */
export interface Shown extends Post {
  /** What a person reads: the texts of the blocks, or the text where there are none. */
  readonly shown: string
}

export const shown = (post: Post): Shown => ({
  ...post,
  reactions: structuredClone(post.reactions),
  shown: shownOf(post),
})

export function sightOf(world: World, requests: readonly Recorded[], deliveries: Deliveries, sockets: Sockets) {
  const posts = (channel: string, { thread }: { readonly thread?: string } = {}): Shown[] =>
    channelOf(world, channel)
      .posts.filter((post) => thread === undefined || post.ts === thread || post.thread === thread)
      .map(shown)
  const seen = {
    /** In order, deleted ones gone. With a thread: its root and its replies. */
    posts,
    /** The post as it is now; undefined when it is gone. */
    post: ({ channel, ts }: Place): Shown | undefined => posts(channel).find((post) => post.ts === ts),
    /** What only this person sees in the channel. */
    ephemerals: (user: string, channel: string): Shown[] =>
      channelOf(world, channel)
        .ephemerals.filter(({ ephemeralFor }) => ephemeralFor === user)
        .map(shown),
    pings: (post: Pick<Post, 'text' | 'blocks'>): Pings => pingsOf(post),
    /** Modals the person has open, and their home tab. */
    views: (user: string): { readonly id: string; readonly type: string; readonly view: Data }[] =>
      world.views.filter((view) => view.user === user && view.isOpen).map(({ id, type, view }) => ({ id, type, view })),
    /** "is thinking…" of an assistant thread; undefined when there is none. */
    status: (channel: string, thread: string): string | undefined => channelOf(world, channel).statuses.get(thread),
    /** The suggested prompts people see. */
    prompts: (channel: string) => channelOf(world, channel).prompts,
    /** Every envelope ever sent, redeliveries too. */
    deliveries: (type?: Delivery['type']): readonly Delivery[] =>
      deliveries.list.filter((one) => type === undefined || one.type === type),
    /** Sockets that have been greeted and are open. */
    sockets: (): number => sockets.count,
    /** How often the app asked for a socket. */
    addresses: (): number => sockets.opened,
    /** Redeliveries that wait for their time. */
    retrying: (): number => deliveries.retrying,
  }
  return { seen, describe: () => describe(world, requests, deliveries, sockets) }
}

const MOST = 30

function describe(world: World, requests: readonly Recorded[], { list }: Deliveries, sockets: Sockets): string {
  const places = [...world.channels.values()].flatMap(({ id, posts, ephemerals }) =>
    [...posts, ...ephemerals].map((post) => {
      const to = post.ephemeralFor === undefined ? '' : ` for ${post.ephemeralFor}`
      return `  ${id} ${post.ts} ${post.user}${to}${post.streaming ? ' (streaming)' : ''}: ${shownOf(post).slice(0, 200)}`
    }),
  )
  const asked = requests.map(({ method, answer }) => `  ${method} → ${JSON.stringify(answer)?.slice(0, 160)}`)
  const sent = list.map(({ type, payload, attempt, ackedAfter, missed }) => {
    const event = payload['event']
    const name = typeof event === 'object' && event !== null && 'type' in event ? event.type : payload['type']
    return `  ${type} ${name ?? payload['command']} attempt ${attempt}: ${missed ? 'missed' : (ackedAfter ?? 'no')} ack`
  })
  const part = (name: string, lines: readonly string[]) => [`${name} (${lines.length}):`, ...lines.slice(-MOST)]
  return [
    ...part('Posts', places),
    ...part('Requests', asked),
    ...part('Deliveries', sent),
    `Sockets: ${sockets.count}`,
  ].join('\n')
}
