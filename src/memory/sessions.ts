/** Turns of one conversation that follow each other without a long pause: what stands beside a turn, and what belongs to it. */

/** By index of a turn: those of its neighbours, -1 where there is none. */
export interface Links {
  readonly previous: Int32Array
  readonly next: Int32Array
}

/** A longer pause begins a new session. */
const PAUSE_MS = 3 * 60 * 60 * 1000

interface Standing {
  readonly conversation: number
  readonly at: number
}

/** The turns come oldest first; conversations may be mixed. Sessions are numbered from 0. */
export function linked(turns: readonly Standing[]): { readonly links: Links; readonly sessions: Int32Array } {
  const previous = new Int32Array(turns.length).fill(-1)
  const next = new Int32Array(turns.length).fill(-1)
  const sessions = new Int32Array(turns.length)
  const latest = new Map<number, number>()
  let count = 0
  turns.forEach(({ conversation, at }, i) => {
    const before = latest.get(conversation)
    if (before === undefined || at - turns[before]!.at > PAUSE_MS) sessions[i] = count++
    else {
      sessions[i] = sessions[before]!
      previous[i] = before
      next[before] = i
    }
    latest.set(conversation, i)
  })
  return { links: { previous, next }, sessions }
}
