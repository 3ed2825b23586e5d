/** Episodic memory: every turn, verbatim, found again by what it means, by its words, by who said it and by its time. */

import { cut, estimateTokens } from '../llm/budget.ts'
import type { Queries } from '../store/database.ts'
import type { Place } from '../store/people.ts'
import {
  type Candidate,
  candidatesOf,
  type Embedded,
  type Range,
  type Scan,
  SHOWN_CHARACTERS,
  scan,
} from './candidates.ts'
import { spanName } from './dates.ts'
import { wordsToFind } from './question.ts'
import { byWorth, type RankOptions, ranked, ranking } from './rank.ts'

/** Something that the person said before. */
export interface Episode {
  readonly turnId: number
  readonly at: Date
  readonly text: string
  /** Who said it, where it was not the person. */
  readonly speaker?: string
  /** When what it tells of happened, in words such as `7 May 2023`, where that is another day than it was said on. */
  readonly happened?: string
}

export interface RecallOptions extends RankOptions {
  /** Most tokens of all texts together, their dates included. */
  readonly budget?: number
}

/** As much of a long message as is looked for. */
const QUERY_CHARACTERS = 1000
/** As many as are tried to fill a budget. */
const MOST_TURNS = 60
const FAR_FUTURE = Date.UTC(9999, 0)
/** Tokens that a date and its line take. */
const LINE_TOKENS = 12

/**
 * What this person said that helps with the question, best first, in at most two statements. Within a budget a short
 * turn goes before a long one that is hardly better. Turns of a direct chat are
 * found only there; whom and where to look is `place`, and an empty one finds nothing.
 */
export async function recall(
  queries: Queries,
  place: Place,
  question: string,
  options: RecallOptions & { readonly vector?: Embedded | null },
): Promise<readonly Episode[]> {
  const scanned = await scanFor(queries, place, question, options.vector ?? null)
  return recalledFrom(queries, place, question, scanned, options)
}

/** The first of them. `vector`: of the question; without one words decide. */
export function scanFor(queries: Queries, place: Place, question: string, vector: Embedded | null): Promise<Scan> {
  return scan(queries, place, wordsToFind(question.slice(0, QUERY_CHARACTERS)), vector)
}

/** The second one. */
export async function recalledFrom(
  queries: Queries,
  place: Place,
  question: string,
  scanned: Scan,
  options: RecallOptions,
): Promise<readonly Episode[]> {
  const asked = question.slice(0, QUERY_CHARACTERS)
  const order = ranking(asked, scanned, options)
  const candidates = await candidatesOf(queries, place, order.best, order.sought.span ?? rangeOf(options))
  const best = ranked(order, candidates, options).slice(0, Math.min(options.limit ?? MOST_TURNS, MOST_TURNS))
  const chosen = (options.budget === undefined ? best : byWorth(best)).map(({ candidate }) => candidate)
  const episodes = chosen.map((candidate) => episodeOf(candidate, options.timezone ?? 'UTC'))
  return options.budget === undefined ? episodes : within(options.budget, episodes)
}

/** The newest of the time that is asked for are looked at, too: the best of all times may lie outside of it. */
function rangeOf({ from, to }: RecallOptions): Range | null {
  if (from === undefined && to === undefined) return null
  return { from: from?.getTime() ?? 0, to: to?.getTime() ?? FAR_FUTURE }
}

function episodeOf({ turnId, at, text, speaker, happened }: Candidate, timezone: string): Episode {
  const said = new Date(at)
  const isThen = happened === null || (at >= happened.from && at < happened.to)
  return {
    turnId,
    at: said,
    text: cut(text, SHOWN_CHARACTERS),
    ...(speaker !== null && { speaker }),
    ...(!isThen && { happened: spanName({ from: new Date(happened.from), to: new Date(happened.to) }, timezone) }),
  }
}

/** The first that fit; one that is too long leaves its room to the next ones. */
function within(budget: number, episodes: readonly Episode[]): Episode[] {
  let room = budget
  return episodes.filter(({ text }) => {
    const tokens = estimateTokens(text) + LINE_TOKENS
    if (tokens > room) return false
    room -= tokens
    return true
  })
}

const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const thisYear = new Intl.DateTimeFormat('en-GB', DAY)
const otherYear = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric' })

/** `12 Nov`, with the year when it is another than now's. */
export function day(at: Date, now: Date): string {
  return (at.getUTCFullYear() === now.getUTCFullYear() ? thisYear : otherYear).format(at)
}

/** Dated quotations, oldest first, a line each. */
export function quoted(episodes: readonly Episode[], now: Date): string {
  return episodes
    .toSorted((a, b) => a.turnId - b.turnId)
    .map((episode) => `${headOf(episode, now)}: "${episode.text.replaceAll(/\s+/g, ' ').replaceAll('"', "'")}"`)
    .join('\n')
    .replaceAll(/<[<\s/]*(?=earlier)/gi, '')
}

function headOf({ at, speaker, happened }: Episode, now: Date): string {
  const who = speaker === undefined ? '' : `, ${speaker}`
  return `${day(at, now)}${who}${happened === undefined ? '' : ` (about ${happened})`}`
}
