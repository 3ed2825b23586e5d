/**
 * A Slack of our own on 127.0.0.1 that the real SDK talks to: Web API, Socket Mode, people who say and do things, and
 * faults. It remembers everything it was asked and everything it delivered.
 */

import type { Server } from 'node:http'
import { APP_TOKEN, type Api, CLIENT_ID, CLIENT_SECRET } from './slack/api.ts'
import { type Backend, idMaker } from './slack/backend.ts'
import { type Deliveries, openDeliveries } from './slack/delivery.ts'
import { openDesk } from './slack/desk.ts'
import type { Doer } from './slack/doings.ts'
import { type Fault, openFaults } from './slack/faults.ts'
import { listen, type Recorded } from './slack/http.ts'
import { people } from './slack/people.ts'
import { addTeam, firstWorld, newChannel, newPerson, newTeam } from './slack/setting.ts'
import { sightOf } from './slack/sight.ts'
import { openSockets, type Reason, type Sockets } from './slack/socket.ts'
import { openWatch } from './slack/until.ts'
import { type Channel, channelOf, type Person, personOf, type Team, teamOf, type World } from './slack/world.ts'

export type { Delivery } from './slack/delivery.ts'
export type { Interaction, Place, Saying } from './slack/doings.ts'
export type { Recorded } from './slack/http.ts'
export type { Shown } from './slack/sight.ts'
export type { Data } from './slack/world.ts'

export interface SlackOptions {
  /** Milliseconds the app has to acknowledge; Slack's 3000 if absent. */
  readonly deadline?: number
  /** Milliseconds before each redelivery; Slack's 0, 60,000 and 300,000 if absent. */
  readonly retryAfter?: readonly number[]
  /** The events the app subscribed to: `app_mention`, `message.im`. All if absent. */
  readonly events?: readonly string[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export type FakeSlack = Awaited<ReturnType<typeof startSlack>>

/** The parts that differ while it runs. */
interface Mood {
  isMentionFirst: boolean
  isDown: boolean
  isAppRevoked: boolean
}

export async function startSlack(options: SlackOptions = {}) {
  const { deadline = 3000, retryAfter = [0, 60_000, 300_000], events, now = Date.now } = options
  const world = firstWorld()
  const requests: Recorded[] = []
  const mood: Mood = { isMentionFirst: false, isDown: false, isAppRevoked: false }
  const id = idMaker()
  let origin = ''
  const changed = () => watch.changed()
  const sockets: Sockets = openSockets({
    origin: () => origin,
    acknowledge: (envelopeId, payload) => deliveries.acknowledge(envelopeId, payload),
    changed,
  })
  const deliveries = openDeliveries({ deadline, retryAfter, now, id, carry: (one) => sockets.carry(one), changed })
  const backend: Backend = {
    world,
    now,
    id,
    changed,
    origin: () => origin,
    deliver: (callback) => deliveries.event(callback),
    isWanted: (name) => events?.includes(name) ?? true,
    isMentionFirst: () => mood.isMentionFirst,
  }
  const desk = openDesk(backend)
  const faults = openFaults()
  const sight = sightOf(world, requests, deliveries, sockets)
  const watch = openWatch(sight.describe)
  const codes: Api['codes'] = new Map()
  const api: Api = { backend, desk, codes, address: () => sockets.address(), isAppRevoked: () => mood.isAppRevoked }
  const { upgrade } = sockets
  const http = await listen({ api, faults, requests, isDown: () => mood.isDown, upgrade, changed })
  origin = http.origin
  const doer: Doer = { backend, deliveries, desk }
  return {
    ...constants(world, origin),
    ...places(world),
    ...people(doer),
    ...sight.seen,
    ...troubles({ mood, sockets, deliveries, faults, world, server: http.server }),
    requests: (method?: string) => requests.filter((one) => method === undefined || one.method === method),
    until: watch.until,
    /** Resolves when this many sockets have been greeted and are open. */
    connected: (count = 1) => watch.until(`${count} open sockets`, () => sockets.count >= count, 15_000),
    /** A code as a finished OAuth flow brings it; good once. */
    grantCode(team = 'T1', user = 'UADMIN'): string {
      const code = id('code')
      codes.set(code, { team: teamOf(world, team), user })
      return code
    },
    async close(): Promise<void> {
      deliveries.close()
      await sockets.close()
      http.server.closeAllConnections()
      await new Promise<void>((resolve) => http.server.close(() => resolve()))
    },
  }
}

function constants(world: World, origin: string) {
  const team = teamOf(world, 'T1')
  const apiUrl = `${origin}/api/`
  return {
    apiUrl,
    clientOptions: { slackApiUrl: apiUrl },
    botToken: team.botToken,
    appToken: APP_TOKEN,
    signingSecret: 'signing-secret',
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    team: team.id,
    bot: team.bot,
    /** What the app was granted; delete one for `missing_scope`. */
    scopes: team.scopes,
  }
}

/** People and channels a test adds to those that are there. */
function places(world: World) {
  return {
    user: (id: string): Person => personOf(world, id),
    channel: (id: string): Channel => channelOf(world, id),
    /** A further workspace with the app installed; its bot is `UBOT_<id>`. */
    addTeam(id: string): Team {
      const team = newTeam(id)
      addTeam(world, team)
      return team
    },
    addUser(id: string, given: Parameters<typeof newPerson>[1] = {}): Person {
      const person = newPerson(id, given)
      world.people.set(id, person)
      return person
    },
    /** The first letter tells the kind: C public, G private, D direct. */
    addChannel(id: string, members: readonly string[], given: Parameters<typeof newChannel>[2] = {}): Channel {
      const channel = newChannel(id, members, given)
      world.channels.set(id, channel)
      return channel
    },
  }
}

interface Troubled {
  readonly mood: Mood
  readonly sockets: Sockets
  readonly deliveries: Deliveries
  readonly faults: ReturnType<typeof openFaults>
  readonly world: World
  readonly server: Server
}

function troubles({ mood, sockets, deliveries, faults, world, server }: Troubled) {
  const { redeliver, hold, release, duplicateNext, loseAcks, retryNow } = deliveries
  return {
    ...{ redeliver, hold, release, duplicateNext, loseAcks, retryNow },
    /** The next calls of the method go wrong; `*` is any method. */
    fail: (method: string, fault: Fault, times = 1): void => faults.add(method, fault, times),
    /** Faults that wait for their call are forgotten. */
    heal: (): void => faults.clear(),
    /** Cuts all sockets without a word. */
    drop: (): void => sockets.drop(),
    refresh: (reason: Reason = 'refresh_requested'): void => sockets.refresh(reason),
    /** No pong from now on, until `mute(false)`. */
    mute(isOn = true): void {
      sockets.fault.isMute = isOn
    },
    /** New sockets are not greeted, until `withholdHello(false)`. */
    withholdHello(isOn = true): void {
      sockets.fault.withholdsHello = isOn
    },
    /** A mention's `app_mention` comes before its `message`, until `putMentionFirst(false)`. */
    putMentionFirst(isOn = true): void {
      mood.isMentionFirst = isOn
    },
    /** Nothing answers and all sockets are cut, until `restore`. */
    outage(): void {
      mood.isDown = true
      sockets.drop()
      server.closeAllConnections()
    },
    restore(): void {
      mood.isDown = false
    },
    /** The token is dead; no event tells of it. */
    revoke(which: 'bot' | 'app', team = 'T1'): void {
      if (which === 'app') mood.isAppRevoked = true
      else teamOf(world, team).isRevoked = true
    },
  }
}
