/** Whether somebody's persona should be looked at tonight. */

import type { Candidate } from '../store/optimizing.ts'

/** Votes and signals since the last change. */
export const DUE_SIGNALS = 8
/** After an attempt that changed nothing: so many more have to come before the next. */
const AGAIN_SIGNALS = 4
/** Two nights are further apart, also when clocks change. */
const NIGHT_MS = 20 * 3_600_000

type Since = Pick<Candidate, 'changedAt' | 'sinceChange' | 'sinceAttempt' | 'hasShifted'>

/** Why it is not due, or null when it is. */
export function notDue({ changedAt, sinceChange, sinceAttempt, hasShifted }: Since, now: Date): string | null {
  if (changedAt !== null && now.getTime() - changedAt.getTime() < NIGHT_MS) return 'it was changed this night'
  if (sinceAttempt < AGAIN_SIGNALS) return `${sinceAttempt} new signals since the last attempt, of ${AGAIN_SIGNALS}`
  if (sinceChange >= DUE_SIGNALS || hasShifted) return null
  return `${sinceChange} signals since the last change, of ${DUE_SIGNALS}, and no confirmed shift`
}
