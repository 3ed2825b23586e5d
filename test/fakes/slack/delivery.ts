/**
 * What is on its way to the app: the deadline of 3 s, the redelivery of what was not acknowledged, and the faults of
 * delivery. Knows neither sockets nor requests.
 */

import type { Data } from './world.ts'

export interface Delivery {
  readonly envelopeId: string
  readonly type: 'events_api' | 'slash_commands' | 'interactive'
  readonly payload: Data
  /** 0 at first, 1 to 3 of a redelivery. */
  readonly attempt: number
  /** Why it was sent again, in Slack's words. */
  readonly reason?: string
  readonly sentAt: number
  /** Milliseconds until the app acknowledged; absent while it has not. */
  ackedAfter?: number
  ackPayload?: Data
  /** The deadline passed without an acknowledgement. */
  missed: boolean
  /** Resolves with the acknowledgement's payload, or undefined when the deadline passed. */
  readonly settled: Promise<Data | undefined>
}

export interface DeliveryOptions {
  /** Milliseconds. */
  readonly deadline: number
  /** Milliseconds before each redelivery. */
  readonly retryAfter: readonly number[]
  readonly now: () => number
  readonly id: (prefix: string) => string
  /** Sends it; false when the app is not to be reached. */
  readonly carry: (delivery: Delivery) => boolean
  readonly changed: () => void
}

export type Deliveries = ReturnType<typeof openDeliveries>

interface Pending {
  readonly delivery: Delivery
  readonly timer: NodeJS.Timeout
  readonly settle: (payload: Data | undefined) => void
}

export function openDeliveries(options: DeliveryOptions) {
  const list: Delivery[] = []
  const pending = new Map<string, Pending>()
  const retries = new Map<NodeJS.Timeout, () => void>()
  let held: (() => void)[] | undefined
  let duplicates = 0
  let lostAcks = 0

  const send = (type: Delivery['type'], payload: Data, attempt: number, reason?: string): Delivery => {
    let settle: Pending['settle'] = () => {}
    const settled = new Promise<Data | undefined>((resolve) => {
      settle = resolve
    })
    const of = { envelopeId: options.id('env'), type, payload, attempt, ...(reason === undefined ? {} : { reason }) }
    const delivery: Delivery = { ...of, sentAt: options.now(), missed: false, settled }
    list.push(delivery)
    const isSent = options.carry(delivery)
    const miss = () => missed(delivery, isSent ? 'timeout' : 'connection_failed')
    // A socket that is not there is noticed at once.
    pending.set(delivery.envelopeId, { delivery, settle, timer: setTimeout(miss, isSent ? options.deadline : 0) })
    options.changed()
    return delivery
  }

  const missed = (delivery: Delivery, reason: string) => {
    delivery.missed = true
    pending.get(delivery.envelopeId)?.settle(undefined)
    pending.delete(delivery.envelopeId)
    const wait = options.retryAfter[delivery.attempt]
    if (delivery.type === 'events_api' && wait !== undefined) {
      const again = () => {
        clearTimeout(timer)
        retries.delete(timer)
        send(delivery.type, delivery.payload, delivery.attempt + 1, reason)
      }
      const timer = setTimeout(again, wait)
      retries.set(timer, again)
    }
    options.changed()
  }

  const acknowledge = (envelopeId: string, payload: Data) => {
    const waiting = pending.get(envelopeId)
    const delivery = waiting?.delivery ?? list.find((one) => one.envelopeId === envelopeId)
    if (delivery === undefined) return
    delivery.ackedAfter ??= options.now() - delivery.sentAt
    delivery.ackPayload ??= payload
    if (waiting === undefined) return options.changed()
    if (lostAcks > 0) {
      lostAcks -= 1
      clearTimeout(waiting.timer)
      return missed(delivery, 'timeout')
    }
    clearTimeout(waiting.timer)
    pending.delete(envelopeId)
    waiting.settle(payload)
    options.changed()
  }

  return {
    list,
    acknowledge,
    /** A new event, held back while `hold` is on. */
    event(payload: Data): void {
      const copies = duplicates > 0 ? 2 : 1
      duplicates = Math.max(0, duplicates - 1)
      for (let copy = 0; copy < copies; copy += 1)
        if (held === undefined) send('events_api', payload, 0)
        else held.push(() => send('events_api', payload, 0))
    },
    /** A slash command or an interaction: sent once, never again. */
    once: (type: 'slash_commands' | 'interactive', payload: Data) => send(type, payload, 0),
    /** Sends an event anew, whether or not it was acknowledged. */
    redeliver: (delivery: Delivery, reason = 'timeout') =>
      send(delivery.type, delivery.payload, delivery.attempt + 1, reason),
    hold() {
      held ??= []
    },
    /** Sends what was held back, in the order of happening or against it. */
    release(order: 'in order' | 'reversed' = 'in order') {
      const waiting = held ?? []
      held = undefined
      for (const go of order === 'reversed' ? waiting.reverse() : waiting) go()
    },
    /** Each of the next `count` events arrives twice, with the same event_id. */
    duplicateNext(count = 1) {
      duplicates += count
    },
    /** Each of the next `count` acknowledgements is too late for Slack, which sends the event again. */
    loseAcks(count = 1) {
      lostAcks += count
    },
    /** Waiting redeliveries go out now. @returns How many. */
    retryNow(): number {
      const waiting = [...retries.values()]
      for (const again of waiting) again()
      return waiting.length
    },
    /** Redeliveries that wait for their time. */
    get retrying() {
      return retries.size
    },
    close() {
      for (const { timer, settle } of pending.values()) {
        clearTimeout(timer)
        settle(undefined)
      }
      for (const timer of retries.keys()) clearTimeout(timer)
      pending.clear()
      retries.clear()
    },
  }
}
