/**
 * What recall chooses from, in two exact statements: every turn of one person that may be shown in this place, as a few
 * numbers; then the texts of the best of them, with what only these are asked for.
 */

import { type SQL, sql } from 'drizzle-orm'
import { MEANING_SCALE } from '../schema.ts'
import { idArray, parsed, type Queries, rowsOf } from '../store/database.ts'
import type { Place } from '../store/people.ts'
import { readTraces, type Traces } from './trace.ts'

/** A vector of length 1 and the embedder that made it. */
export interface Embedded {
  readonly embedder: string
  readonly numbers: readonly number[]
}

/** Every turn, oldest first, by columns. */
export interface Scan extends Traces {
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
/** In place of a cosine. */
const NOT_COMPARED = -32_768
const MAX_CHARACTERS = 1000
/** As much of a long text as is shown. */
export const SHOWN_CHARACTERS = 400
/** Most turns that are looked at for the time that a question asks about: the newest. */
const IN_TIME = 120

/** The first statement. `words`: a text whose words are looked for, in any form. */
export async function scan(queries: Queries, place: Place, words: string, vector: Embedded | null): Promise<Scan> {
  const [row] = await rowsOf(queries, scanning(place, words, vector))
  const asked = parsed(row?.['asked']) as Pick<Scan, 'lexemes' | 'speakers'> & { readonly hashes: readonly number[] }
  const cosines = bytesOf(row?.['cosines'])
  return {
    ...readTraces(bytesOf(row?.['traces']), asked.hashes),
    cosines: cosines.length === 0 ? null : readCosines(cosines),
    lexemes: asked.lexemes,
    speakers: asked.speakers,
  }
}

/** Base64 is what both drivers hand over untouched. */
function bytesOf(text: unknown): Uint8Array {
  return Buffer.from(typeof text === 'string' ? text : '', 'base64')
}

function readCosines(bytes: Uint8Array): (number | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / 2 }, (_, i) => {
    const steps = view.getInt16(2 * i)
    return steps === NOT_COMPARED ? null : steps
  })
}

/**
 * The statement, also for whoever wants to see its plan: it reads the index `turns_recall` alone, where the turns of a
 * person lie together. It only puts bytes together, which costs a third of comparing words there.
 */
export function scanning(place: Place, words: string, vector: Embedded | null): SQL {
  const { workspace, author } = place
  return sql`WITH mine AS (
      SELECT trace, ${cosine(vector)} AS cosine FROM turns
      WHERE workspace_id = ${workspace} AND person_id = ${author.id}
        AND (NOT is_direct OR talk = hashtext(${place.conversation}))
      ORDER BY turn_id),
    asked AS (SELECT lexeme FROM unnest(to_tsvector('english', ${words})) LIMIT ${MAX_WORDS})
    SELECT encode(string_agg(trace, ''::bytea), 'base64') AS traces, encode(string_agg(cosine, ''::bytea), 'base64') AS cosines,
      (SELECT json_build_object('lexemes', COALESCE(json_agg(lexeme), '[]'), 'hashes', COALESCE(json_agg(hashtext(lexeme)), '[]'),
        'speakers', COALESCE((SELECT json_agg(DISTINCT speaker) FROM turns
          WHERE workspace_id = ${workspace} AND person_id = ${author.id} AND speaker IS NOT NULL), '[]'))::text FROM asked) AS asked
    FROM mine`
}

/** In whole steps, two bytes each. The sum keeps the planner from an index on the product. */
function cosine(vector: Embedded | null): SQL {
  if (vector === null) return sql`NULL::bytea`
  const numbers = JSON.stringify(vector.numbers.map((number) => Math.round(MEANING_SCALE * number)))
  return sql`int2send(COALESCE(CASE WHEN embedder = ${vector.embedder} THEN
    (${sql.raw(String(-COSINE_STEPS / MEANING_SCALE ** 2))} * ((meaning <#> ${numbers}::halfvec) + 0))::smallint END,
    (${sql.raw(String(NOT_COMPARED))})::smallint))`
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
