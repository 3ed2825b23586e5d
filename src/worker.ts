/** Takes conversations out of the mailbox and has them handled, several at a time, each by one. */

import type { Platform } from './adapter.ts'
import type { Log } from './log.ts'
import { CHANNEL, type Claim, type Mailbox } from './mailbox.ts'
import type { Database } from './store/database.ts'

/** A backstop: what is accepted here wakes the worker at once, what is accepted elsewhere notifies it. */
const POLL_MS = 1000
const SWEEP_MS = 5000
const VACUUM_MS = 600_000

export interface WorkerParts {
  readonly database: Database
  readonly me: string
  readonly mailbox: Mailbox
  readonly platforms: readonly Platform[]
  readonly log: Log
  readonly concurrency: number
}

type Handle = (claim: Claim, signal: AbortSignal) => Promise<void>

export function createWorker(parts: WorkerParts, handle: Handle) {
  const { database, mailbox, log } = parts
  const platforms = parts.platforms.map(({ name }) => name)
  const bell = createBell()
  const tasks = createTasks(log, bell.ring)
  let stopped = false

  async function work(signal: AbortSignal): Promise<void> {
    stopped = false
    signal.addEventListener('abort', bell.ring)
    await database.listen(CHANNEL, (by) => by !== parts.me && bell.ring())
    const sweep = atMostEvery(SWEEP_MS, () => mailbox.sweep(tasks.claims()))
    const vacuum = atMostEvery(VACUUM_MS, database.vacuum, performance.now())
    while (!signal.aborted) {
      try {
        const rings = bell.rings
        await sweep()
        if (tasks.count() === 0) await vacuum()
        const room = parts.concurrency - tasks.count()
        const claims = room > 0 ? await mailbox.claim(platforms, room) : []
        for (const claim of claims) tasks.start(claim, handle(claim, signal))
        // With room left over nothing else is due: what becomes due rings.
        if (room === 0 || claims.length < room) await bell.wait(POLL_MS, rings)
      } catch (error) {
        if (signal.aborted) break
        log.error({ error }, 'the mailbox cannot be read')
        await bell.wait(POLL_MS, bell.rings)
      }
    }
    await tasks.ended()
    stopped = true
    bell.ring()
  }

  /** Resolves when nothing waits that this process may answer, or when it answers no more. */
  async function idle(): Promise<void> {
    while (!stopped) {
      const rings = bell.rings
      if (tasks.count() === 0 && (await mailbox.isEmpty(platforms)) && tasks.count() === 0) return
      await bell.wait(POLL_MS, rings)
    }
  }

  return { work, idle, wake: bell.ring }
}

/** The conversations that are being handled. */
function createTasks(log: Log, ended: () => void) {
  const running = new Map<Promise<void>, Claim>()
  return {
    count: () => running.size,
    claims: () => [...running.values()],
    start(claim: Claim, handled: Promise<void>): void {
      const task = handled
        .catch((error: unknown) => log.error({ error }, 'could not give a conversation back'))
        .finally(() => {
          running.delete(task)
          ended()
        })
      running.set(task, claim)
    },
    ended: async () => void (await Promise.all(running.keys())),
  }
}

function atMostEvery(ms: number, act: () => Promise<void>, since = Number.NEGATIVE_INFINITY): () => Promise<void> {
  let last = since
  return async () => {
    if (performance.now() - last < ms) return
    await act()
    last = performance.now()
  }
}

/** Wakes everybody who waits. Who noted the count of rings before looking misses none that came meanwhile. */
function createBell() {
  const waiting = new Set<() => void>()
  const bell = {
    rings: 0,
    ring(): void {
      bell.rings++
      for (const wake of waiting) wake()
    },
    wait(ms: number, since: number): Promise<void> {
      if (bell.rings !== since) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
  }
  return bell
}
