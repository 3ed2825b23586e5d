/**
 * Several sockets of Socket Mode at a time, so that while one is renewed the other takes what comes; and an event is
 * acknowledged only after it was handled. Knows nothing of what an event says.
 */

import { type App, type Logger, type Receiver, type ReceiverEvent, SocketModeReceiver } from '@slack/bolt'
import { platformError, retryAfter } from './faults.ts'

export interface SocketOptions {
  readonly appToken: string
  readonly apiUrl: string | null
  readonly logger: Logger
  /** 1 to 10; Slack hands an event to any one of them. */
  readonly count: number
  /** Milliseconds before the first repeated attempt; doubles up to 64 times as much. */
  readonly backoff: number
  /** Told of each change of the number of open sockets. */
  readonly onOpen: (open: number) => void
}

export interface Sockets extends Receiver {
  /**
   * Keeps the sockets open until the signal aborts.
   * @throws PlatformError when Slack will not open them until somebody changes something
   */
  keep(signal: AbortSignal): Promise<void>
}

/** Slack closes a socket every few hours; one that lives shorter than this, in milliseconds, counts as failed. */
const SHORT_LIFE_MS = 5_000
/** A socket that is not greeted within this time is given up: the client itself would wait for ever. */
const HELLO_MS = 15_000

export function createSockets(options: SocketOptions): Sockets {
  const receivers = Array.from({ length: options.count }, () => receiverOf(options))
  let open = 0
  const count = (change: 1 | -1) => {
    open += change
    options.onOpen(open)
  }
  return {
    init(app) {
      for (const receiver of receivers) receiver.init(holdingAcks(app))
    },
    async keep(signal) {
      const failing = new AbortController()
      const stopping = AbortSignal.any([signal, failing.signal])
      const stopped = aborted(stopping)
      const kept = receivers.map((receiver) => keepOpen(receiver, options, count, stopping, stopped))
      try {
        await Promise.all(kept)
      } finally {
        failing.abort()
        await Promise.allSettled(kept)
      }
    },
    start: async () => {},
    stop: async () => {},
  }
}

function receiverOf({ appToken, apiUrl, logger }: SocketOptions): SocketModeReceiver {
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    // Its own way to reconnect waits five seconds and leaves a refused token as an unhandled rejection.
    autoReconnectEnabled: false,
    processEventErrorHandler: async () => false,
    installerOptions: {
      clientOptions: {
        ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: HELLO_MS,
      },
    },
  })
  return receiver
}

/**
 * Bolt acknowledges an event before its listeners run. Here it is told that it did, and Slack hears it when they are
 * done; when they failed Slack hears nothing and delivers the event again. Commands and clicks are acknowledged by
 * their listeners.
 */
function holdingAcks(app: App): App {
  const processEvent = async (event: ReceiverEvent) => {
    if (!('event' in event.body)) return app.processEvent(event)
    await app.processEvent({ ...event, ack: async () => {} })
    await event.ack()
  }
  return { processEvent } as App
}

async function keepOpen(
  receiver: SocketModeReceiver,
  { backoff }: SocketOptions,
  count: (change: 1 | -1) => void,
  signal: AbortSignal,
  stopped: Promise<void>,
): Promise<void> {
  const { client } = receiver
  let failures = 0
  while (!signal.aborted) {
    const gone = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
    let pause = 0
    try {
      await atMost(receiver.start(), HELLO_MS, stopped)
      count(1)
      const opened = performance.now()
      await Promise.race([gone, stopped]).finally(() => count(-1))
      failures = performance.now() - opened < SHORT_LIFE_MS ? failures + 1 : 0
    } catch (error) {
      const fault = platformError(error, 'SLACK_APP_TOKEN')
      if (fault !== null) throw fault
      failures += 1
      pause = (retryAfter(error) ?? 0) * 1000
    }
    // What is left of it: a socket that was never greeted, or one to close because of the signal.
    void client.disconnect().catch(() => {})
    if (failures > 1) pause = Math.max(pause, backoff * 2 ** Math.min(failures - 2, 6))
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, pause).unref())])
  }
}

/** Rejects when it takes longer, or the other promise resolves meanwhile. */
async function atMost<T>(promise: Promise<T>, ms: number, stopped: Promise<void>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Slack did not greet the socket within ${ms} ms`)), ms)
  })
  const cut = stopped.then(() => Promise.reject(new Error('Stopped')))
  cut.catch(() => {})
  try {
    return await Promise.race([promise, late, cut])
  } finally {
    clearTimeout(timer)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
