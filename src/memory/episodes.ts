/** Episodic memory: every turn, verbatim, found again by its words. */

import { sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../store/database.ts'
import type { Place } from '../store/people.ts'

/** Something that the person said before. */
export interface Episode {
  readonly turnId: number
  readonly at: Date
  readonly text: string
}

/** As much of a long message as is looked for or shown. */
const QUERY_CHARACTERS = 1000
const SHOWN_CHARACTERS = 400

/**
 * What this person said that shares words with the text, best first. Turns of a direct chat are found only there.
 * `without`: turns that are before the model anyway.
 */
export async function recall(
  queries: Queries,
  place: Place,
  text: string,
  { limit, without }: { readonly limit: number; readonly without: readonly number[] },
): Promise<readonly Episode[]> {
  const rows = await rowsOf(
    queries,
    sql`SELECT turn_id, asked_at, left(question, ${SHOWN_CHARACTERS + 1}) AS question
      FROM turns, (SELECT replace(replace(plainto_tsquery('english', ${text.slice(0, QUERY_CHARACTERS)})::text,
        ' & ', ' | '), ' <-> ', ' | ')::tsquery AS asked) AS query
      WHERE workspace_id = ${place.workspace} AND person_id = ${place.author.id} AND words @@ asked
        AND (context <> 'direct' OR conversation = ${place.conversation})
        AND turn_id <> ALL (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(without)}::jsonb)::bigint))
      ORDER BY ts_rank(words, asked, 1) DESC, turn_id DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    turnId: Number(row['turn_id']),
    at: new Date(String(row['asked_at'])),
    text: shortened(String(row['question'])),
  }))
}

function shortened(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).trimEnd()}…`.toWellFormed() : text
}

/** `12 Nov`, with the year when it is another than now's. */
export function day(at: Date, now: Date): string {
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? {} : { year: 'numeric' as const }
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year, timeZone: 'UTC' })
}

/** Dated quotations, oldest first, a line each. */
export function quoted(episodes: readonly Episode[], now: Date): string {
  return episodes
    .toSorted((a, b) => a.turnId - b.turnId)
    .map(({ at, text }) => `${day(at, now)}: "${text.replaceAll(/\s+/g, ' ').replaceAll('"', "'")}"`)
    .join('\n')
    .replaceAll(/<\/?earlier>/gi, '')
}
