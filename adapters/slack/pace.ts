/** How fast things are sent to one workspace: one budget for all kinds, finished replies first, Slack's own wishes obeyed. */

import { retryAfter } from './faults.ts'

export interface Pace {
  /**
   * Sends as soon as the budget allows; when Slack asks to wait, waits and sends again.
   * @throws what `send` throws
   */
  final<T>(channel: string, send: () => Promise<T>): Promise<T>
  /** Sends if there is room at once and nothing finished waits; null when there is none. */
  draft<T>(channel: string, send: () => Promise<T>): Promise<T | null>
}

export interface PaceOptions {
  /** Milliseconds between posts in a channel: Slack allows about one a second, and short bursts. */
  readonly channelMs: number
  /** Milliseconds between the changes of growing replies in the whole workspace: Slack allows 50 a minute. */
  readonly draftMs: number
}

export const SLACKS_PACE: PaceOptions = { channelMs: 1_000, draftMs: 1_300 }

/** Posts of a finished reply that may go out at once. */
const BURST = 4
const MAX_TRIES = 6

export function createPace({ channelMs, draftMs }: PaceOptions, now = () => performance.now()): Pace {
  /** When each channel's budget is whole again. */
  const whole = new Map<string, number>()
  let nextDraft = 0
  let quietUntil = 0
  let finals = 0
  const spend = (channel: string) => {
    if (whole.size > 1_000) for (const [id, at] of whole) if (at <= now()) whole.delete(id)
    whole.set(channel, Math.max(whole.get(channel) ?? 0, now()) + channelMs)
  }
  const heard = (error: unknown) => {
    const seconds = retryAfter(error)
    if (seconds !== null) quietUntil = Math.max(quietUntil, now() + seconds * 1000)
    return seconds !== null
  }
  return {
    async final(channel, send) {
      finals += 1
      try {
        for (let tries = 1; ; tries += 1) {
          const room = (whole.get(channel) ?? 0) - channelMs * (BURST - 1)
          await until(Math.max(room, quietUntil), now)
          spend(channel)
          try {
            return await send()
          } catch (error) {
            if (!heard(error) || tries === MAX_TRIES) throw error
          }
        }
      } finally {
        finals -= 1
      }
    },
    async draft(channel, send) {
      if (finals > 0 || now() < Math.max(quietUntil, nextDraft, whole.get(channel) ?? 0)) return null
      spend(channel)
      nextDraft = now() + draftMs
      try {
        return await send()
      } catch (error) {
        if (heard(error)) return null
        throw error
      }
    },
  }
}

async function until(at: number, now: () => number): Promise<void> {
  for (let left = at - now(); left > 0; left = at - now()) await new Promise((resolve) => setTimeout(resolve, left))
}
