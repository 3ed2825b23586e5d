/** The versions of a person's persona, which are only ever added to. */

import { and, desc, eq } from 'drizzle-orm'
import { personas } from '../schema.ts'
import type { Queries } from './database.ts'
import type { Whose } from './profile.ts'

/** Why a version was written: by the person; by the optimizer; taken up again by the person, or when it did worse. */
export type PersonaReason = 'edited' | 'optimized' | 'used' | 'undone' | 'returned'

export interface PersonaVersion {
  /** Counted from 1 for each person. */
  readonly version: number
  readonly text: string
  readonly reason: PersonaReason
  /** The version whose text it took up again; null where the text is new. */
  readonly sameAs: number | null
  readonly turnIds: readonly number[]
  /** Mean paired gain on held-out turns; null where nothing was compared. */
  readonly gain: number | null
  readonly writtenAt: Date
}

const { version, text, reason, sameAs, turnIds, gain, writtenAt } = personas
const COLUMNS = { version, text, reason, sameAs, turnIds, gain, writtenAt }

/** All versions, newest first: the first one counts. */
export async function personaVersions(queries: Queries, whose: Whose): Promise<readonly PersonaVersion[]> {
  return await queries.select(COLUMNS).from(personas).where(ownedBy(whose)).orderBy(desc(version))
}

/** The version that counts; null while the person has none of their own. */
export async function currentPersona(queries: Queries, whose: Whose): Promise<PersonaVersion | null> {
  const [current] = await queries.select(COLUMNS).from(personas).where(ownedBy(whose)).orderBy(desc(version)).limit(1)
  return current ?? null
}

/**
 * Adds a version after the one it was made from (0: none). Returns its number; null when another has been added since,
 * and nothing changes.
 */
export async function addPersona(
  transaction: Queries,
  whose: Whose,
  after: number,
  written: Omit<PersonaVersion, 'version'>,
): Promise<number | null> {
  const current = await currentPersona(transaction, whose)
  if ((current?.version ?? 0) !== after) return null
  const key = { workspaceId: whose.workspace, personId: whose.author.id, version: after + 1 }
  const added = await transaction
    .insert(personas)
    .values({ ...key, ...written, turnIds: [...written.turnIds] })
    .onConflictDoNothing()
    .returning({ version })
  return added[0]?.version ?? null
}

function ownedBy({ workspace, author }: Whose) {
  return and(eq(personas.workspaceId, workspace), eq(personas.personId, author.id))
}
