/** The lines of a person's profile as they are kept, and one way to change them. */

import { and, asc, eq, inArray } from 'drizzle-orm'
import { profileLines } from '../schema.ts'
import type { Queries } from './database.ts'
import { type KnownLine, type Place, restsHere, type Whose } from './people.ts'

export interface Line {
  /** Null until it is kept. */
  readonly lineId: number | null
  readonly text: string
  /** The turns that it rests on. */
  readonly turnIds: readonly number[]
  readonly learnedAt: Date
  /** When it stopped being true; null: it is. */
  readonly validUntil: Date | null
}

/** All lines, those that are over too, oldest first. */
export async function loadLines(queries: Queries, whose: Whose): Promise<readonly Line[]> {
  const { lineId, text, turnIds, learnedAt, validUntil } = profileLines
  return await queries
    .select({ lineId, text, turnIds, learnedAt, validUntil })
    .from(profileLines)
    .where(ownedBy(whose))
    .orderBy(asc(lineId))
}

/** The lines that may be told in this place, those that are over too. */
export async function linesHere(queries: Queries, place: Place): Promise<readonly KnownLine[]> {
  const { lineId, text, turnIds } = profileLines
  return await queries
    .select({ lineId, text, turnIds })
    .from(profileLines)
    .where(and(ownedBy(place), restsHere(place)))
    .orderBy(asc(lineId))
}

/** Keeps what `edit` makes of the lines. The person must be held. */
export async function editLines(
  transaction: Queries,
  whose: Whose,
  edit: (lines: readonly Line[]) => readonly Line[],
): Promise<void> {
  const before = await loadLines(transaction, whose)
  const after = edit(before)
  const kept = new Set(after.map(({ lineId }) => lineId))
  const gone = before.flatMap(({ lineId }) => (lineId === null || kept.has(lineId) ? [] : [lineId]))
  if (gone.length > 0) {
    await transaction.delete(profileLines).where(and(ownedBy(whose), inArray(profileLines.lineId, gone)))
  }
  for (const { lineId, ...line } of after.filter((line) => !before.includes(line))) {
    const values = { ...line, turnIds: [...line.turnIds] }
    if (lineId === null) {
      await transaction
        .insert(profileLines)
        .values({ workspaceId: whose.workspace, personId: whose.author.id, ...values })
    } else {
      await transaction
        .update(profileLines)
        .set(values)
        .where(and(ownedBy(whose), eq(profileLines.lineId, lineId)))
    }
  }
}

function ownedBy({ workspace, author }: Whose) {
  return and(eq(profileLines.workspaceId, workspace), eq(profileLines.personId, author.id))
}
