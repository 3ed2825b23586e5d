/** Takes conversations out of the mailbox and has them handled, several at a time, each by one. */

import type { Platform } from './adapter.ts'
import type { Log } from './log.ts'
import { CHANNEL, type Claim, type Mailbox } from './mailbox.ts'
import type { Database } from './store/database.ts'

/** A backstop: what is accepted here wakes the worker at once, what is accepted elsewhere notifies it. */
const POLL_MS = 1000
const SWEEP_MS = 5000

export interface WorkerParts {
  readonly database: Database
  readonly mailbox: Mailbox
  readonly platforms: readonly Platform[]
  readonly log: Log
  readonly concurrency: number
}

export function createWorker(parts: WorkerParts, handle: (claim: Claim, signal: AbortSignal) => Promise<void>) {
  const { database, mailbox, log, concurrency } = parts
  const platforms = parts.platforms.map(({ name }) => name)
  const running = new Set<Promise<void>>()
  const bell = createBell()
  let stopped = false

  function start(claim: Claim, signal: AbortSignal): void {
    const task = handle(claim, signal)
      .catch((error: unknown) => log.error({ error }, 'could not give a conversation back'))
      .finally(() => {
        running.delete(task)
        bell.ring()
      })
    running.add(task)
  }

  async function round(signal: AbortSignal): Promise<void> {
    const rings = bell.rings
    const room = concurrency - running.size
    const claims = room > 0 ? await mailbox.claim(platforms, room) : []
    for (const claim of claims) start(claim, signal)
    if (claims.length === 0) await bell.wait(POLL_MS, rings)
  }

  async function work(signal: AbortSignal): Promise<void> {
    stopped = false
    signal.addEventListener('abort', bell.ring)
    await database.listen(CHANNEL, bell.ring)
    let sweptAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      try {
        if (performance.now() - sweptAt > SWEEP_MS) {
          await mailbox.sweep()
          sweptAt = performance.now()
        }
        await round(signal)
      } catch (error) {
        if (signal.aborted) break
        log.error({ error }, 'the mailbox cannot be read')
        await bell.wait(POLL_MS, bell.rings)
      }
    }
    await Promise.all(running)
    stopped = true
    bell.ring()
  }

  /** Resolves when nothing waits that this process may answer, or when it answers no more. */
  async function idle(): Promise<void> {
    while (!stopped) {
      const rings = bell.rings
      if (running.size === 0 && (await mailbox.isEmpty(platforms)) && running.size === 0) return
      await bell.wait(POLL_MS, rings)
    }
  }

  return { work, idle, wake: bell.ring }
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
