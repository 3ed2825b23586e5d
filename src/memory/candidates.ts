/**
 * What recall chooses from: every turn of one person that may be shown in this place, as numbers. One statement, exact, by
 * the index on workspace and person; the texts stay in the database.
 */

import { type SQL, sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../store/database.ts'
import type { Place } from '../store/people.ts'

/** A vector and the embedder that made it. */
export interface Embedded {
  readonly embedder: string
  readonly numbers: readonly number[]
}

export interface Candidate {
  readonly turnId: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Equal for turns of one conversation. */
  readonly conversation: number
  /** Null: the person. */
  readonly speaker: string | null
  /** Of the question with the turn, and with the turn between its neighbours; null where no vector can be compared. */
  readonly cosine: number | null
  readonly surroundings: number | null
  /** Bit i is set where the turn has the i-th word that is looked for. */
  readonly matches: number
  /** Different words. */
  readonly length: number
  /** At most `MAX_CHARACTERS`. */
  readonly characters: number
  /** Holds a question mark. */
  readonly asks: boolean
  /** When what it tells of happened, in milliseconds since 1970, where its words name a time. */
  readonly happened: { readonly from: number; readonly to: number } | null
}

export interface Found {
  /** Oldest first. */
  readonly candidates: readonly Candidate[]
  /** The words that were looked for, in their basic form: the i-th belongs to bit i. */
  readonly lexemes: readonly string[]
}

/** Words that are looked for, as many as there are bits. */
const MAX_WORDS = 24
const COSINE_STEPS = 10_000
const MAX_CHARACTERS = 1000

/** `words`: a text whose words are looked for, in any form. */
export async function candidatesFor(
  queries: Queries,
  place: Place,
  words: string,
  vector: Embedded | null,
): Promise<Found> {
  const [row] = await rowsOf(queries, statement(place, words, vector))
  const columns = JSON.parse(String(row?.['found'])) as Columns
  return { candidates: candidatesOf(columns), lexemes: columns.lexemes ?? [] }
}

/** The statement, also for whoever wants to see its plan. Few turns have any of the words: only these are asked for each. */
export function statement(place: Place, words: string, vector: Embedded | null): SQL {
  const milliseconds = (time: string) => sql`array_agg((1000 * date_part('epoch', ${sql.raw(time)}))::bigint)`
  return sql`WITH asked AS MATERIALIZED (
      SELECT array_agg(lexeme) AS lexemes, array_agg(quoted::tsquery) AS words, string_agg(quoted, ' | ')::tsquery AS any_word
      FROM (SELECT lexeme, '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS quoted
        FROM unnest(to_tsvector('english', ${words})) LIMIT ${MAX_WORDS}) AS first),
    mine AS (
      SELECT turn_id, asked_at, happened_from, happened_to, hashtext(conversation) AS conversation, speaker,
        ${distance('embedding', vector)} AS own, ${distance('surroundings', vector)} AS around,
        CASE WHEN turns.words @@ (SELECT any_word FROM asked) THEN (SELECT bit_or(1 << (place - 1)::int)
          FROM asked, unnest(asked.words) WITH ORDINALITY AS sought(word, place) WHERE turns.words @@ word) ELSE 0 END AS matches,
        length(turns.words) AS length, least(length(question), ${MAX_CHARACTERS}) AS characters, position('?' IN question) > 0 AS asks
      FROM turns
      WHERE workspace_id = ${place.workspace} AND person_id = ${place.author.id}
        AND (context <> 'direct' OR conversation = ${place.conversation})
      ORDER BY turn_id)
    SELECT json_build_object('ids', array_agg(turn_id), 'at', ${milliseconds('asked_at')}, 'conversations', array_agg(conversation),
      'speakers', ${ifAny('speaker')}, 'own', ${ifAny('own')}, 'around', ${ifAny('around')}, 'matches', array_agg(matches),
      'lengths', array_agg(length), 'characters', array_agg(characters),
      'asks', array_agg(asks::int),
      'from', CASE WHEN count(happened_from) > 0 THEN ${milliseconds('happened_from')} END,
      'to', CASE WHEN count(happened_to) > 0 THEN ${milliseconds('happened_to')} END,
      'lexemes', (SELECT lexemes FROM asked))::text AS found FROM mine`
}

/** A column that is not sent where nothing is in it. */
function ifAny(column: string): SQL {
  const name = sql.raw(column)
  return sql`CASE WHEN count(${name}) > 0 THEN array_agg(${name}) END`
}

/** Cosine in whole steps, for numbers of few digits to send. The sum keeps the planner from an index on the distance. */
function distance(column: 'embedding' | 'surroundings', vector: Embedded | null): SQL {
  if (vector === null) return sql`NULL::int`
  const name = sql.raw(column)
  const numbers = JSON.stringify(vector.numbers)
  return sql`CASE WHEN embedder = ${vector.embedder} THEN
    (${sql.raw(String(COSINE_STEPS))} * (1 - ((${name} <=> ${numbers}) + 0)))::int END`
}

/** Null: nothing in it. */
type Column = readonly (number | null)[] | null

interface Columns {
  readonly lexemes: readonly string[] | null
  readonly ids: readonly number[] | null
  readonly at: readonly number[]
  readonly conversations: readonly number[]
  readonly speakers: readonly (string | null)[] | null
  readonly own: Column
  readonly around: Column
  readonly matches: readonly number[]
  readonly lengths: readonly number[]
  readonly characters: readonly number[]
  readonly asks: readonly number[]
  readonly from: Column
  readonly to: Column
}

function candidatesOf(columns: Columns): Candidate[] {
  return (columns.ids ?? []).map((turnId, i) => ({
    turnId,
    at: columns.at[i]!,
    conversation: columns.conversations[i]!,
    speaker: columns.speakers?.[i] ?? null,
    cosine: cosineOf(columns.own, i),
    surroundings: cosineOf(columns.around, i),
    matches: columns.matches[i]!,
    length: columns.lengths[i]!,
    characters: columns.characters[i]!,
    asks: columns.asks[i] === 1,
    happened: rangeOf(columns.from?.[i], columns.to?.[i]),
  }))
}

function cosineOf(column: Column, i: number): number | null {
  const steps = column?.[i]
  return steps == null ? null : steps / COSINE_STEPS
}

function rangeOf(from: number | null | undefined, to: number | null | undefined): Candidate['happened'] {
  return from == null ? null : { from, to: to ?? from }
}
