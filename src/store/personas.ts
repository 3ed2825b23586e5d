/** Versions of a person's own prompt: the highest is in force; none yet, the workspace's (version 0). */

import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { people, personas } from '../schema.ts'
import type { WorkspaceTuning } from '../workspace.ts'
import { parsed, type Queries, rowsOf } from './database.ts'
import { holdPerson, type Place, type Whose } from './people.ts'

export type Version = Omit<typeof personas.$inferSelect, 'workspaceId' | 'personId'>
export type NewVersion = Omit<Version, 'version' | 'turnIds'> & { readonly turnIds: readonly number[] }

/** What is in force for somebody. */
export interface CurrentPersona {
  /** 0: what the workspace starts people from. */
  readonly version: number
  /** Null: neither the person nor the workspace has one, so that the one in prompts/ stands. */
  readonly text: string | null
  /** Whether it may be rewritten at night. */
  readonly isAuto: boolean
}

/** Adds a version, which is then in force, and returns its number. The text must have passed its check. */
export async function addVersion(transaction: Queries, place: Place, version: NewVersion): Promise<number> {
  await holdPerson(transaction, place)
  const { workspace, author } = place
  const next = sql<number>`(SELECT COALESCE(max(version), 0) + 1 FROM personas
    WHERE workspace_id = ${workspace} AND person_id = ${author.id})`
  const [row] = await transaction
    .insert(personas)
    .values({ ...version, turnIds: [...version.turnIds], workspaceId: workspace, personId: author.id, version: next })
    .returning({ version: personas.version })
  if (row === undefined) throw new Error('Expected the database to return the number of the version, got no row')
  return row.version
}

/** All versions, oldest first; 0 is not among them. */
export async function loadVersions(queries: Queries, { workspace, author }: Whose): Promise<readonly Version[]> {
  const { workspaceId: _, personId: __, ...columns } = columnsOf()
  return await queries
    .select(columns)
    .from(personas)
    .where(and(eq(personas.workspaceId, workspace), eq(personas.personId, author.id)))
    .orderBy(asc(personas.version))
}

function columnsOf() {
  const { workspaceId, personId, version, text, reason, of, turnIds, score, createdAt } = personas
  return { workspaceId, personId, version, text, reason, of, turnIds, score, createdAt }
}

export async function currentPersona(queries: Queries, workspace: string, personId: string): Promise<CurrentPersona> {
  const [row] = await rowsOf(
    queries,
    sql`SELECT own.version, own.text, (SELECT tuning FROM workspaces WHERE workspace_id = ${workspace}) AS tuning,
        COALESCE((SELECT is_persona_auto FROM people WHERE workspace_id = ${workspace} AND person_id = ${personId}), true) AS auto
      FROM (SELECT 1) AS one LEFT JOIN LATERAL (SELECT version, text FROM personas
        WHERE workspace_id = ${workspace} AND person_id = ${personId} ORDER BY version DESC LIMIT 1) AS own ON true`,
  )
  const tuning = parsed(row?.['tuning'] ?? {}) as WorkspaceTuning
  const own = row?.['text']
  return {
    version: Number(row?.['version'] ?? 0),
    text: typeof own === 'string' ? own : (tuning.persona ?? null),
    isAuto: row?.['auto'] !== false,
  }
}

/** Whether it may be rewritten at night from now on. */
export async function savePersonaAuto(transaction: Queries, place: Place, isPersonaAuto: boolean): Promise<void> {
  await holdPerson(transaction, place)
  await transaction
    .update(people)
    .set({ isPersonaAuto })
    .where(and(eq(people.workspaceId, place.workspace), eq(people.personId, place.author.id)))
}

/** Erases versions; the newest that is left is in force. */
export async function eraseVersions(transaction: Queries, { workspace, author }: Whose, versions: readonly number[]) {
  if (versions.length === 0) return
  await transaction
    .delete(personas)
    .where(
      and(
        eq(personas.workspaceId, workspace),
        eq(personas.personId, author.id),
        inArray(personas.version, [...versions]),
      ),
    )
}
