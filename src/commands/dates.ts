/** Days as people say them, in UTC like every day that the bot names. */

import { day } from '../memory/episodes.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** `today`, `yesterday`, the weekday within seven days, else day and month. */
export function dayName(at: Date, now: Date): string {
  const ago = Math.floor(now.getTime() / DAY_MS) - Math.floor(at.getTime() / DAY_MS)
  if (ago <= 0) return 'today'
  if (ago === 1) return 'yesterday'
  return ago < 7 ? at.toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' }) : day(at, now)
}

/** As in `12 Nov, 14:03 UTC`. */
export function minuteName(at: Date, now: Date): string {
  return `${day(at, now)}, ${at.toISOString().slice(11, 16)} UTC`
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}
