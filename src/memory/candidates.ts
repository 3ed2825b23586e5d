/**
 * What recall chooses from, in two exact statements: every turn of one person that may be shown in this place, as a few
 * numbers; then the texts of the best of them, with what only these are asked for.
 */

import { type SQL, sql } from 'drizzle-orm'
import { MEANING_SCALE } from '../schema.ts'
import { idArray, parsed, type Queries, rowsOf } from '../store/database.ts'
import type { Place } from '../store/people.ts'

/** A vector of length 1 and the embedder that made it. */
export interface Embedded {
  readonly embedder: string
  readonly numbers: readonly number[]
}

/** Every turn, oldest first, by columns. */
export interface Scan {
  readonly ids: readonly number[]
  /** Minutes since 1970. */
  readonly at: readonly number[]
  /** Equal for turns of one conversation, and hardly ever for those of two. */
  readonly conversations: readonly number[]
  /** Bit i is set where the turn has the i-th word that is looked for. */
  readonly matches: readonly number[]
  /** Different words. */
  readonly lengths: readonly number[]
  /** 1: holds a question mark. */
  readonly asks: readonly number[]
  /**
   * In steps of `COSINE_STEPS`: mean of the question's cosines with the turn, and with the turn between its neighbours; null of a
   * turn whose vector can't be compared, or if there is none.
   */
  readonly cosines: readonly (number | null)[] | null
  /** The words that are looked for, in their basic form. */
  readonly lexemes: readonly string[]
  /** Others than the person who said something. */
  readonly speakers: readonly string[]
}

/** One of the best. */
export interface Candidate {
  readonly turnId: number
  /** As much of it as is shown, and a character more. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Null: the person. */
  readonly speaker: string | null
  /** At most `MAX_CHARACTERS`. */
  readonly characters: number
  /** When what it tells of happened, where its words name a time. */
  readonly happened: Range | null
}

/** `from` is within it, `to` no longer; milliseconds since 1970. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Words that are looked for, as many as there are bits. */
const MAX_WORDS = 24
export const COSINE_STEPS = 10_000
const MAX_CHARACTERS = 1000
/** As much of a long text as is shown. */
export const SHOWN_CHARACTERS = 400
/** Most turns that are looked at for the time that a question asks about: the newest. */
const IN_TIME = 120

/** The first statement. `words`: a text whose words are looked for, in any form. */
export async function scan(queries: Queries, place: Place, words: string, vector: Embedded | null): Promise<Scan> {
  const [row] = await rowsOf(queries, scanning(place, words, vector))
  const found = parsed(row?.['found']) as { readonly [C in keyof Scan]: Scan[C] | null }
  return {
    ids: found.ids ?? [],
    at: found.at ?? [],
    conversations: found.conversations ?? [],
    matches: found.matches ?? [],
    lengths: found.lengths ?? [],
    asks: found.asks ?? [],
    cosines: found.cosines,
    lexemes: found.lexemes ?? [],
    speakers: found.speakers ?? [],
  }
}

/**
 * The statement, also for whoever wants to see its plan: it reads the index `turns_recall` alone, where the turns of a
 * person lie together. Hashes may collide, so that a text is asked for only by the names themselves.
 */
export function scanning(place: Place, words: string, vector: Embedded | null): SQL {
  const bits = Array.from(
    { length: MAX_WORDS },
    (_, i) => `COALESCE((hashes[${i + 1}] = ANY (turns.lexemes))::int, 0) * ${2 ** i}`,
  )
  return sql`WITH asked AS MATERIALIZED (
      SELECT array_agg(lexeme) AS words, array_agg(hashtext(lexeme)) AS hashes
      FROM (SELECT lexeme FROM unnest(to_tsvector('english', ${words})) LIMIT ${MAX_WORDS}) AS first),
    mine AS (
      SELECT turn_id, date_part('epoch', asked_at)::bigint / 60 AS at, talk & 4095 AS talk, cardinality(turns.lexemes) AS length, asks::int AS asks,
        ${cosine(vector)} AS cosine,
        CASE WHEN turns.lexemes && hashes THEN ${sql.raw(bits.join(' + '))} ELSE 0 END AS matches
      FROM asked CROSS JOIN turns
      WHERE workspace_id = ${place.workspace} AND person_id = ${place.author.id}
        AND (NOT is_direct OR talk = hashtext(${place.conversation}))
      ORDER BY turn_id)
    SELECT json_build_object('ids', array_agg(turn_id), 'at', array_agg(at), 'conversations', array_agg(talk),
      'matches', array_agg(matches), 'lengths', array_agg(length), 'asks', array_agg(asks),
      'cosines', CASE WHEN count(cosine) > 0 THEN array_agg(cosine) END, 'lexemes', (SELECT words FROM asked),
      'speakers', (SELECT array_agg(DISTINCT speaker) FROM turns
        WHERE workspace_id = ${place.workspace} AND person_id = ${place.author.id} AND speaker IS NOT NULL))::text AS found FROM mine`
}

/** In whole steps, for numbers of few digits to send. The sum keeps the planner from an index on the product. */
function cosine(vector: Embedded | null): SQL {
  if (vector === null) return sql`NULL::int`
  const numbers = JSON.stringify(vector.numbers.map((number) => Math.round(MEANING_SCALE * number)))
  return sql`CASE WHEN embedder = ${vector.embedder} THEN
    (${sql.raw(String(-COSINE_STEPS / MEANING_SCALE ** 2))} * ((meaning <#> ${numbers}::halfvec) + 0))::int END`
}

function shownIn({ workspace, author, conversation }: Place): SQL {
  return sql`workspace_id = ${workspace} AND person_id = ${author.id} AND (context <> 'direct' OR conversation = ${conversation})`
}

/** The second statement: these turns, and those of the time that the question asks about; in no order. */
export async function candidatesOf(
  queries: Queries,
  place: Place,
  turnIds: readonly number[],
  span: Range | null,
): Promise<readonly Candidate[]> {
  if (turnIds.length === 0 && span === null) return []
  const milliseconds = (time: string) => sql`(1000 * date_part('epoch', ${sql.raw(time)}))::bigint`
  const inTime = (
    during: Range,
  ) => sql` OR turn_id IN (SELECT turn_id FROM turns WHERE ${shownIn(place)} AND ${isIn(during)}
    ORDER BY turn_id DESC LIMIT ${IN_TIME})`
  const rows = await rowsOf(
    queries,
    sql`SELECT turn_id AS id, ${milliseconds('asked_at')} AS at, speaker, least(length(question), ${MAX_CHARACTERS}) AS characters,
        ${milliseconds('happened_from')} AS "from", ${milliseconds('happened_to')} AS "to", left(question, ${SHOWN_CHARACTERS + 1}) AS text
      FROM turns WHERE ${shownIn(place)} AND
        (turn_id = ANY (${idArray(turnIds)})${span === null ? sql`` : inTime(span)})`,
  )
  return rows.map(candidateOf)
}

/** Said in that time, or telling of it. */
function isIn({ from, to }: Range): SQL {
  const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()]
  return sql`((asked_at >= ${first}::timestamptz AND asked_at < ${last}::timestamptz)
    OR (happened_from < ${last}::timestamptz AND happened_to > ${first}::timestamptz))`
}

function candidateOf(row: Readonly<Record<string, unknown>>): Candidate {
  const [from, to, speaker] = [row['from'], row['to'], row['speaker']]
  return {
    turnId: Number(row['id']),
    text: String(row['text']),
    at: Number(row['at']),
    speaker: speaker === null ? null : String(speaker),
    characters: Number(row['characters']),
    happened: from === null ? null : { from: Number(from), to: Number(to ?? from) },
  }
}
