/** The record of a turn, and the one transaction that stores everything that came of it. */

import { and, desc, eq, sql } from 'drizzle-orm'
import { type Claim, finishClaim, holdClaim } from '../mailbox.ts'
import type { Evidence } from '../preference/analyser.ts'
import type { Partly } from '../preference/dimensions.ts'
import { type Lesson, learn } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { turns } from '../schema.ts'
import type { Database, Queries } from './database.ts'
import { addObservation } from './observations.ts'
import { holdPerson, loadLearned, type Place, saveLearned } from './people.ts'

export type NewTurn = Omit<
  typeof turns.$inferInsert,
  'workspaceId' | 'turnId' | 'personId' | 'conversation' | 'context' | 'shown' | 'changes' | 'words'
>

export interface Outcome {
  readonly claim: Claim
  readonly me: string
  readonly jobIds: readonly number[]
  readonly place: Place
  readonly turn: NewTurn
  /** What was read from the messages. */
  readonly evidence: Partly<Evidence>
  readonly settings: Settings
  /** How often the person had begun anew when the turn began. */
  readonly resets: number
}

/**
 * Stores a turn. The lesson is learned here from what is known now, as another conversation may have taught something
 * since the model was asked; a turn that began before a reset teaches nothing.
 * @throws ClaimLost
 */
export function storeTurn(database: Database, outcome: Outcome): Promise<Lesson> {
  const { claim, me, jobIds, place, turn, settings } = outcome
  return database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, me, claim)
    const person = await holdPerson(transaction, place)
    const evidence = person.resets === outcome.resets ? outcome.evidence : {}
    const before = await loadLearned(transaction, place)
    const lesson = learn(before, evidence, settings, 'turn')
    await saveLearned(transaction, place, lesson.learned)
    const turnId = await insertTurn(transaction, place, turn, lesson)
    const taught = Object.keys(evidence).length > 0
    await addObservation(transaction, place, turnId, {
      kind: 'turn',
      evidence,
      restored: null,
      before: taught ? before : null,
    })
    await finishClaim(transaction, claim, jobIds)
    return lesson
  })
}

async function insertTurn(
  transaction: Queries,
  place: Place,
  turn: NewTurn,
  { shown, events }: Lesson,
): Promise<number> {
  const [row] = await transaction
    .insert(turns)
    .values({
      ...turn,
      workspaceId: place.workspace,
      personId: place.author.id,
      conversation: place.conversation,
      context: place.context,
      shown,
      changes: events,
    })
    .returning({ turnId: turns.turnId })
  if (row === undefined) throw new Error('Expected the database to return the id of the turn, got no row')
  return row.turnId
}

/** The person's last turn in this conversation, or the one whose reply holds this post. */
export async function findTurn(queries: Queries, place: Place, post?: string) {
  const [turn] = await queries
    .select()
    .from(turns)
    .where(
      and(
        eq(turns.workspaceId, place.workspace),
        eq(turns.personId, place.author.id),
        eq(turns.conversation, place.conversation),
        post === undefined ? undefined : sql`${post} = ANY (${turns.postIds})`,
      ),
    )
    .orderBy(desc(turns.turnId))
    .limit(1)
  return turn
}
