/** What the nightly work on personas reads and keeps: who may be due, what is known of them, and what came of it. */

import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type Followed, UNKNOWN } from '../preference/contexts.ts'
import type { Partly } from '../preference/dimensions.ts'
import { type PersonaReason, people } from '../schema.ts'
import type { WorkspaceTuning } from '../workspace.ts'
import { type Database, parsed, type Queries, rowsOf, textArray } from './database.ts'
import { OVERALL } from './people.ts'
import { addVersion, type CurrentPersona, currentPersona, type NewVersion } from './personas.ts'
import { loadSignalled, type Signalled } from './signals.ts'

/** Somebody whose persona may be rewritten. */
export interface Candidate {
  readonly workspace: string
  readonly person: string
  readonly name: string
  readonly resets: number
  /** Why there is the version in force; null: there is none but the workspace's. */
  readonly reason: PersonaReason | null
  /** When it was last rewritten or taken back by itself. */
  readonly changedAt: Date | null
  /** Votes and signals since then, since the last attempt, and the newest, in milliseconds since 1970. */
  readonly sinceChange: number
  readonly sinceAttempt: number
  readonly newest: number
  /** Whether a change of preference was confirmed since then. */
  readonly hasShifted: boolean
}

export interface Whom {
  readonly workspace?: string | undefined
  readonly person?: string | undefined
}

/** Everybody with a signal since they last began anew who neither paused nor wrote their persona themselves. */
export async function loadCandidates(queries: Queries, { workspace, person }: Whom): Promise<readonly Candidate[]> {
  const [ws, id] = [workspace ?? null, person ?? null]
  const rows = await rowsOf(
    queries,
    sql`SELECT p.workspace_id, p.person_id, p.name, p.resets, own.reason, changed.at AS changed_at,
        told.since_change, told.since_attempt, told.newest,
        EXISTS (SELECT 1 FROM turns WHERE turns.workspace_id = p.workspace_id AND turns.person_id = p.person_id
          AND turn_id > p.reset_after AND asked_at > COALESCE(changed.at, '-infinity')
          AND (changes @> '[{"kind": "confirmed"}]'::jsonb OR changes @> '[{"kind": "shift"}]'::jsonb)) AS has_shifted
      FROM people AS p
      LEFT JOIN LATERAL (SELECT reason FROM personas WHERE personas.workspace_id = p.workspace_id
        AND personas.person_id = p.person_id ORDER BY version DESC LIMIT 1) AS own ON true
      CROSS JOIN LATERAL (SELECT max(created_at) AS at FROM personas WHERE personas.workspace_id = p.workspace_id
        AND personas.person_id = p.person_id AND personas.reason IN ('improved', 'returned')) AS changed
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE at > COALESCE(changed.at, '-infinity')) AS since_change,
          count(*) FILTER (WHERE extract(epoch FROM at) * 1000 > p.attempted_up_to) AS since_attempt,
          ceil(extract(epoch FROM max(at)) * 1000) AS newest
        FROM (SELECT turn_id, rated_at AS at FROM ratings
            WHERE ratings.workspace_id = p.workspace_id AND ratings.person_id = p.person_id
          UNION ALL SELECT turn_id, said_at FROM signals
            WHERE signals.workspace_id = p.workspace_id AND signals.person_id = p.person_id) AS every
        JOIN turns ON turns.workspace_id = p.workspace_id AND turns.turn_id = every.turn_id
          AND turns.person_id = p.person_id AND turns.model IS NOT NULL AND turns.speaker IS NULL
        WHERE every.turn_id > p.reset_after) AS told
      WHERE NOT p.is_paused AND p.is_persona_auto AND told.newest IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM workspaces WHERE workspaces.workspace_id = p.workspace_id AND left_at IS NOT NULL)
        AND (${ws}::text IS NULL OR p.workspace_id = ${ws}::text) AND (${id}::text IS NULL OR p.person_id = ${id}::text)
      ORDER BY p.workspace_id, p.person_id`,
  )
  return rows.map((row) => ({
    workspace: String(row['workspace_id']),
    person: String(row['person_id']),
    name: String(row['name']),
    resets: Number(row['resets']),
    reason: (row['reason'] ?? null) as PersonaReason | null,
    changedAt: row['changed_at'] == null ? null : new Date(String(row['changed_at'])),
    sinceChange: Number(row['since_change']),
    sinceAttempt: Number(row['since_attempt']),
    newest: Number(row['newest']),
    hasShifted: row['has_shifted'] === true,
  }))
}

/** Turns that are looked at; ten on each side of a change have to be among them. */
const TURNS = 120
const TEXTS = 200

export interface Known {
  readonly current: CurrentPersona
  readonly turns: readonly (Signalled & { readonly ratedAt: Date | null })[]
  readonly tuning: WorkspaceTuning
  readonly pins: Partly<string>
  /** By context; `*` is over all of them. */
  readonly followed: ReadonlyMap<string, Followed>
  /** What others said and were told in the same conversations, and what they and the person are called. */
  readonly others: { readonly texts: readonly string[]; readonly names: readonly string[] }
}

export async function loadForPersona(queries: Queries, { workspace, person, name }: Candidate): Promise<Known> {
  const turns = await loadSignalled(queries, workspace, person, { limit: TURNS })
  const talks = textArray([...new Set(turns.map(({ conversation }) => conversation))])
  const [row] = await rowsOf(
    queries,
    sql`SELECT jsonb_build_object(
      'tuning', (SELECT tuning FROM workspaces WHERE workspace_id = ${workspace}),
      'pins', (SELECT pins FROM people WHERE workspace_id = ${workspace} AND person_id = ${person}),
      'rated', (SELECT jsonb_agg(jsonb_build_array(turn_id, rated_at)) FROM ratings
        WHERE workspace_id = ${workspace} AND person_id = ${person}),
      'followed', (SELECT jsonb_object_agg(context, followed) FROM estimates
        WHERE workspace_id = ${workspace} AND person_id = ${person}),
      'others', (SELECT jsonb_agg(jsonb_build_array(question, reply, COALESCE(speaker, name, '')))
        FROM (SELECT question, reply, speaker, people.name FROM turns
          LEFT JOIN people ON people.workspace_id = turns.workspace_id AND people.person_id = turns.person_id
          WHERE turns.workspace_id = ${workspace} AND conversation = ANY (${talks})
            AND (turns.person_id <> ${person} OR speaker IS NOT NULL)
          ORDER BY turn_id DESC LIMIT ${TEXTS}) AS latest)) AS known`,
  )
  const known = parsed(row?.['known']) as KnownRow
  const rated = new Map(known.rated ?? [])
  const others = known.others ?? []
  return {
    current: await currentPersona(queries, workspace, person),
    turns: turns.map((turn) => ({ ...turn, ratedAt: timeOf(rated.get(turn.turnId)) })),
    tuning: known.tuning ?? {},
    pins: known.pins ?? {},
    followed: new Map(Object.entries(known.followed ?? {})),
    others: {
      texts: others.map(([question, reply]) => `${question}\n${reply}`),
      names: [...new Set([name, ...others.map(([, , speaker]) => speaker)])].filter((called) => called !== ''),
    },
  }
}

interface KnownRow {
  readonly tuning: WorkspaceTuning | null
  readonly pins: Partly<string> | null
  readonly rated: readonly (readonly [number, string])[] | null
  readonly followed: Readonly<Record<string, Followed>> | null
  readonly others: readonly (readonly [string, string, string])[] | null
}

function timeOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text)
}

/** What is known in a context, and over all. */
export function followedIn({ followed }: Known, context: string) {
  return { own: followed.get(context) ?? UNKNOWN, overall: followed.get(OVERALL) ?? UNKNOWN }
}

/**
 * Nobody else works on this person's persona until it is let go; a holder that is dead holds nothing. No connection is
 * kept for it, as a model thinks for long. `me`: the name of this process. Null: somebody is at work on it.
 */
export async function claimPersona(database: Database, me: string, { workspace, person }: Candidate) {
  const alive = textArray(await database.alive())
  const [name, slot] = [`persona:${person}`, `${me}/${randomUUID()}`]
  const isMine = await database.queries.transaction(async (transaction) => {
    await transaction.execute(
      sql`SELECT 1 FROM people WHERE workspace_id = ${workspace} AND person_id = ${person} FOR UPDATE`,
    )
    await transaction.execute(sql`DELETE FROM cron_runs WHERE workspace_id = ${workspace} AND name LIKE 'persona:%'
      AND NOT split_part(slot, '/', 1) = ANY (${alive})`)
    const taken = await rowsOf(
      transaction,
      sql`INSERT INTO cron_runs (workspace_id, name, slot) SELECT ${workspace}, ${name}::text, ${slot}::text
        WHERE NOT EXISTS (SELECT 1 FROM cron_runs WHERE workspace_id = ${workspace} AND name = ${name}::text)
        RETURNING slot`,
    )
    return taken.length > 0
  })
  if (!isMine) return null
  return async () => {
    await database.queries.execute(
      sql`DELETE FROM cron_runs WHERE workspace_id = ${workspace} AND name = ${name} AND slot = ${slot}`,
    )
  }
}

/**
 * Keeps what came of an attempt: a version, or only that there was one. False, and nothing is kept, when the person
 * paused, began anew, forgot something, or changed their persona meanwhile. `from`: the version that was in force.
 */
export function keepAttempt(
  queries: Queries,
  { workspace, person, name, resets, newest }: Candidate,
  { from, version }: { readonly from: number; readonly version: NewVersion | null },
): Promise<boolean> {
  return queries.transaction(async (transaction) => {
    const held = await transaction
      .update(people)
      .set({ attemptedUpTo: newest })
      .where(
        and(
          eq(people.workspaceId, workspace),
          eq(people.personId, person),
          eq(people.resets, resets),
          eq(people.isPaused, false),
          eq(people.isPersonaAuto, true),
          sql`COALESCE((SELECT max(version) FROM personas
            WHERE workspace_id = ${workspace} AND person_id = ${person}), 0) = ${from}`,
        ),
      )
      .returning({ name: people.name })
    if (held.length === 0) return false
    const place = { workspace, context: OVERALL, conversation: '', author: { id: person, name, isAdmin: false } }
    if (version !== null) await addVersion(transaction, place, version)
    return true
  })
}
