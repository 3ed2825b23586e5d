/** The record of a turn, and the one transaction that stores everything that came of it. */

import { and, arrayContains, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Claim, finishClaim, holdClaim, holdLetters } from '../mailbox.ts'
import type { Evidence } from '../preference/analyser.ts'
import type { Partly } from '../preference/dimensions.ts'
import { type Lesson, learn } from '../preference/learn.ts'
import type { Settings } from '../preference/settings.ts'
import { profileLines, turns } from '../schema.ts'
import type { Database, Queries } from './database.ts'
import { addObservation } from './observations.ts'
import { beginAnew, type Held, holdPerson, loadLearned, type Place, saveLearned } from './people.ts'
import { editLines, type Line } from './profile.ts'
import { addSignals, type NewSignal } from './signals.ts'

export type NewTurn = Omit<
  typeof turns.$inferInsert,
  'workspaceId' | 'turnId' | 'personId' | 'conversation' | 'context' | 'shown' | 'changes'
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
  /** The person as they were when the turn began. */
  readonly began: Held
  /** What the model was shown of them. */
  readonly restsOn: Rests
  /** The profile with what this turn adds to it. */
  readonly remember: ((lines: readonly Line[], turnId: number) => readonly Line[]) | null
  /** Lines of the profile that the person wants gone. */
  readonly forget: readonly number[]
  /** What the message said of replies before it. */
  readonly signals: readonly NewSignal[]
}

export interface Rests {
  readonly turnIds: readonly number[]
  readonly lineIds: readonly number[]
  /** Others in the conversation said some of it, who may forget it at any time. */
  readonly isShared: boolean
}

/**
 * Stores a turn. The lesson is learned here from what is known now, as another conversation may have taught something
 * since the model was asked; a turn that began before a reset teaches nothing. Nothing at all is stored of somebody who
 * paused, nor of a turn whose message, or something that it rests on, was forgotten meanwhile.
 * @throws ClaimLost or LettersChanged
 */
export function storeTurn(database: Database, outcome: Outcome): Promise<Lesson> {
  const { claim, me, jobIds, place, turn, settings } = outcome
  return database.queries.transaction(async (transaction) => {
    // Statements that go out together run in this order. Whoever forgets locks letters before the person, too.
    const [, isWanted] = await Promise.all([holdClaim(transaction, me, claim), holdLetters(transaction, claim, jobIds)])
    if (!isWanted) return endUnstored(transaction, outcome)
    const [person, before] = await Promise.all([holdPerson(transaction, place), loadLearned(transaction, place)])
    if (!(await mayStore(transaction, outcome, person))) return endUnstored(transaction, outcome)
    const isSame = person.resets === outcome.began.resets
    const evidence = isSame ? outcome.evidence : {}
    const lesson = learn(before, evidence, settings, 'turn')
    const taught = Object.keys(evidence).length > 0
    const observation = { kind: 'turn', evidence, restored: null, before: taught ? before : null } as const
    const [turnId] = await Promise.all([
      insertTurn(transaction, place, turn, lesson),
      saveLearned(transaction, place, lesson.learned),
      finishClaim(transaction, claim, jobIds),
    ])
    await addObservation(transaction, place, turnId, observation)
    const { remember, forget, signals } = outcome
    if (isSame) await addSignals(transaction, place, { signals, saidIn: turnId, saidAt: turn.askedAt })
    if (forget.length > 0) {
      await editLines(transaction, place, (lines) => lines.filter(({ lineId }) => !forget.includes(lineId ?? 0)))
      await beginAnew(transaction, place)
    }
    if (remember !== null) await editLines(transaction, place, (lines) => remember(lines, turnId))
    return lesson
  })
}

async function mayStore(transaction: Queries, { place, began, restsOn }: Outcome, person: Held): Promise<boolean> {
  if (began.isPaused || person.isPaused) return false
  if (began.resets === person.resets && !restsOn.isShared) return true
  const turnIds = [...new Set(restsOn.turnIds)]
  const said = await transaction
    .select({ turnId: turns.turnId })
    .from(turns)
    .where(and(eq(turns.workspaceId, place.workspace), inArray(turns.turnId, turnIds)))
    .orderBy(turns.turnId)
    .for('key share')
  const [known] = await transaction
    .select({ left: count() })
    .from(profileLines)
    .where(and(eq(profileLines.workspaceId, place.workspace), inArray(profileLines.lineId, [...restsOn.lineIds])))
  return said.length === turnIds.length && known?.left === restsOn.lineIds.length
}

/** The letters are done; of a person who was forgotten whole, the lane goes as well. */
async function endUnstored(transaction: Queries, { claim, jobIds, place, settings }: Outcome): Promise<Lesson> {
  await finishClaim(transaction, claim, jobIds)
  await transaction.execute(sql`
    DELETE FROM lanes WHERE workspace_id = ${claim.workspace} AND conversation = ${claim.conversation}
      AND due_at = 'infinity' AND NOT EXISTS (SELECT 1 FROM jobs
        WHERE workspace_id = ${claim.workspace} AND jobs.conversation = ${claim.conversation})`)
  return learn(await loadLearned(transaction, place), {}, settings, 'turn')
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

/** The person's last turn in this conversation; or the one whose reply holds this post, whoever was answered by it. */
export async function findTurn(queries: Queries, place: Place, post?: string) {
  const which =
    post === undefined
      ? and(eq(turns.personId, place.author.id), eq(turns.conversation, place.conversation))
      : arrayContains(turns.postIds, [post])
  const [turn] = await queries
    .select()
    .from(turns)
    .where(and(eq(turns.workspaceId, place.workspace), which))
    .orderBy(desc(turns.turnId))
    .limit(1)
  return turn
}
