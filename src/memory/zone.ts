/** What a wall clock shows in a time zone, and back. */

const MINUTE_MS = 60_000
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The wall's date and time, written as if it were UTC: milliseconds. @throws RangeError when there is no such zone */
export function wallOf(at: Date, timezone: string): number {
  const parts = clockOf(timezone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** The instant at which the wall shows that time; where clocks skip it, the first that they show instead. */
export function instantOf(wall: number, timezone: string): Date {
  const offsetAt = (instant: number) => wallOf(new Date(instant), timezone) - Math.floor(instant / 1000) * 1000
  const [before, after] = [offsetAt(wall - 24 * 60 * MINUTE_MS), offsetAt(wall + 24 * 60 * MINUTE_MS)]
  const early = wall - Math.max(before, after)
  if (early + offsetAt(early) === wall) return new Date(early)
  const late = wall - Math.min(before, after)
  if (late + offsetAt(late) === wall) return new Date(late)
  return new Date(wall - before)
}

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone)
  if (known) return known
  const digits = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  const clock = new Intl.DateTimeFormat('en-US', {
    ...digits,
    timeZone: timezone,
    hourCycle: 'h23',
    calendar: 'gregory',
  })
  clocks.set(timezone, clock)
  return clock
}
