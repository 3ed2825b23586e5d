/** Turns of one conversation that follow each other without a long pause: what stands beside a turn, and what belongs to it. */

import type { Scan } from './candidates.ts'

/** By index of a turn: those of its neighbours, -1 where there is none. */
export interface Links {
  readonly previous: Int32Array
  readonly next: Int32Array
}

/** A longer pause begins a new session. */
const PAUSE_MINUTES = 3 * 60

/** By turn, oldest first; conversations may be mixed. Sessions are numbered from 0. `at`: minutes. */
export function linked({ at, conversations }: Pick<Scan, 'at' | 'conversations'>): {
  readonly links: Links
  readonly sessions: Int32Array
} {
  const previous = new Int32Array(at.length).fill(-1)
  const next = new Int32Array(at.length).fill(-1)
  const sessions = new Int32Array(at.length)
  const latest = new Map<number, number>()
  let count = 0
  at.forEach((minute, i) => {
    const before = latest.get(conversations[i]!)
    if (before === undefined || minute - at[before]! > PAUSE_MINUTES) sessions[i] = count++
    else {
      sessions[i] = sessions[before]!
      previous[i] = before
      next[before] = i
    }
    latest.set(conversations[i]!, i)
  })
  return { links: { previous, next }, sessions }
}
