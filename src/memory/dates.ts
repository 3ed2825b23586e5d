/** The time that a text tells of: its dates, relative ones too, as they are meant where and when it was said. */

import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { casual } from 'chrono-node/en'
import { instantOf, wallOf } from './zone.ts'

/** `from` is within it, `to` no longer. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Days as the wall shows them: midnights, written as if they were UTC. */
interface Days {
  readonly from: number
  readonly to: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** As much of a long text as is looked through. */
const MAX_CHARACTERS = 2000
/** Some of this is in every text that names a time, and looking for it is quick. */
const MAY_NAME =
  /\d|\b(?:to(?:day|night|morrow)|overmorrow|tmrw?|yesterday|now|noon|mid(?:day|night)|morning|afternoon|evening|night|sec|min|h(?:ou)?r|day|we?e?k|fortnight|mo(?:s|n|nth)|qtr|quarter|decade|y(?:ea)?r|sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
/** Also ordinary words, unless they are written as names. */
const ORDINARY = /^(?:sat|sun|mon|wed|may|march|second|now|right now)$/
const YEAR = /\b(?:in|during|since|of|from|until|back in) ((?:19|20)\d\d)\b(?![-/.]\d)/i
const BETWEEN = /\bbetween ([^,.;:!?]{1,30}?) and /gi
const UNTIL_NOW =
  /^(?:the )?(?:past|last) (?:\d+|few|couple|several|two|three|four|five|six|seven|eight|nine|ten|twelve)\b/i

/**
 * When what the text tells of happened or will: the first time that it names, by whole days. Null when it names none.
 * @param timezone the speaker's, such as `Europe/Berlin` @throws RangeError when there is no such zone
 */
export function eventTime(text: string, sentAt: Date, timezone: string): Span | null {
  return spanOf(text, sentAt, timezone, false)
}

/** The time that a question asks about, which is not in the future where the past can be meant: `in May`, `on Friday`. */
export function timeAsked(question: string, now: Date, timezone: string): Span | null {
  return spanOf(question, now, timezone, true)
}

function spanOf(text: string, at: Date, timezone: string, isPast: boolean): Span | null {
  const now = wallOf(at, timezone)
  const days = daysNamed(text.slice(0, MAX_CHARACTERS), now, isPast)
  return days && { from: instantOf(days.from, timezone), to: instantOf(days.to, timezone) }
}

function daysNamed(text: string, now: number, isPast: boolean): Days | null {
  if (!MAY_NAME.test(text)) return null
  // The wall's time goes in and comes out as if it were UTC, so that the zone of this machine plays no part.
  const found = casual
    .parse(text.replaceAll(BETWEEN, '$1 to '), { instant: new Date(now), timezone: 0 }, { forwardDate: false })
    .find(isDate)
  if (found) return daysOf(found, now, isPast)
  const year = YEAR.exec(text)?.[1]
  return year === undefined ? null : unitOf(Date.UTC(Number(year), 0), 'year')
}

function isDate({ text, start }: ParsedResult): boolean {
  if (ORDINARY.test(text)) return false
  // An hour alone names no day.
  return granularityOf(text, start) !== null
}

type Granularity = 'day' | 'weekend' | 'week' | 'month' | 'year'

function granularityOf(text: string, components: ParsedComponents): Granularity | null {
  if (/\bweekend/i.test(text)) return 'weekend'
  if (/\bweeks?\b/i.test(text)) return 'week'
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day'
  if (/\b(?:today|tonight|morning|afternoon|evening|night)\b/i.test(text)) return 'day'
  if (components.isCertain('month')) return 'month'
  return components.isCertain('year') ? 'year' : null
}

function daysOf({ text, start, end }: ParsedResult, now: number, isPast: boolean): Days {
  const granularity = granularityOf(text, start) ?? 'day'
  // Weeks begin on Monday here, with chrono on Sunday.
  if (/\bthis week$/i.test(text)) return unitOf(now, 'week')
  if (UNTIL_NOW.test(text)) return { from: dayOf(start.date().getTime()), to: dayOf(now) + DAY_MS }
  const first = unitOf(start.date().getTime(), granularity)
  const days = end
    ? { from: first.from, to: unitOf(end.date().getTime(), granularityOf(text, end) ?? granularity).to }
    : first
  return isPast ? pastOf(days, start, now) : days
}

/** A weekday or a date without its year that is yet to come is taken a week or a year earlier. */
function pastOf(days: Days, start: ParsedComponents, now: number): Days {
  if (days.from <= now || start.isCertain('year')) return days
  if (start.isCertain('weekday') && !start.isCertain('day'))
    return { from: days.from - 7 * DAY_MS, to: days.to - 7 * DAY_MS }
  return start.isCertain('month') ? { from: yearBefore(days.from), to: yearBefore(days.to) } : days
}

function yearBefore(time: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS
}

/** The unit that the time lies in; weeks begin on Monday. */
function unitOf(time: number, granularity: Granularity): Days {
  const day = dayOf(time)
  const date = new Date(day)
  const monday = day - ((date.getUTCDay() + 6) % 7) * DAY_MS
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (granularity) {
    case 'day':
      return { from: day, to: day + DAY_MS }
    case 'weekend':
      return { from: monday + 5 * DAY_MS, to: monday + 7 * DAY_MS }
    case 'week':
      return { from: monday, to: monday + 7 * DAY_MS }
    case 'month':
      return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
    case 'year':
      return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) }
  }
}

/** In words: `7 May 2023`, `May 2023`, `2023`, `1 May 2023 to 7 May 2023`. */
export function spanName({ from, to }: Span, timezone: string): string {
  const first = wallOf(from, timezone)
  const last = wallOf(to, timezone) - DAY_MS
  if (last <= first) return dayName(first)
  for (const granularity of ['year', 'month'] as const) {
    const unit = unitOf(first, granularity)
    if (unit.from === first && unit.to === last + DAY_MS)
      return dayName(first)
        .split(' ')
        .slice(granularity === 'year' ? 2 : 1)
        .join(' ')
  }
  return `${dayName(first)} to ${dayName(last)}`
}

function dayName(wall: number): string {
  return new Date(wall).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
