/** Splits the turns that somebody judged: a few to learn from, the others to hold what was learned against. */

import type { Judged } from './judged.ts'

export const BATCH = { least: 3, most: 6 } as const
/** A comparison of fewer pairs says nothing; of more, nothing worth the calls of the model. */
export const HELD_OUT = { least: 8, most: 18 } as const

export interface Split<T> {
  /** Newest last, like `heldOut`. */
  readonly batch: readonly T[]
  readonly heldOut: readonly T[]
}

/**
 * Every third turn teaches, so that both halves are as new as each other. `turns`: newest last. `most`: turns that teach,
 * from 3 to 6.
 * @returns null when they are too few
 */
export function split<T extends Judged>(turns: readonly T[], most: number = BATCH.most): Split<T> | null {
  const newest = turns.slice(-(most + HELD_OUT.most))
  const size = Math.min(most, Math.max(BATCH.least, Math.floor(newest.length / 3)))
  if (newest.length - size < HELD_OUT.least) return null
  const every = newest.length / size
  const taught = new Set(Array.from({ length: size }, (_, i) => Math.floor((i + 0.5) * every)))
  return { batch: newest.filter((_, i) => taught.has(i)), heldOut: newest.filter((_, i) => !taught.has(i)) }
}
