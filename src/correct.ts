/** A message that was answered has other words now: what was stored and learned of it is put right. */

import { and, arrayContains, desc, eq, lt, sql } from 'drizzle-orm'
import type { Edit } from './adapter.ts'
import { eventTime } from './memory/dates.ts'
import { evidenceOf } from './memory/evidence.ts'
import { enter } from './memory/profile.ts'
import { claimsOf, rememberedFrom } from './memory/profile-claims.ts'
import { compare } from './memory/profile-words.ts'
import type { Analyse } from './preference/analyser.ts'
import { turns } from './schema.ts'
import { type Judged, signalsOf } from './signals.ts'
import { clearAround } from './store/backlog.ts'
import type { Queries } from './store/database.ts'
import { findTurns, saveQuoting, withoutTurns } from './store/forget.ts'
import { holdPerson, loadTuning } from './store/people.ts'
import { editLines, type Line } from './store/profile.ts'
import { replaceSignals } from './store/signals.ts'
import { eraseRetold } from './store/thread.ts'
import { relearn } from './store/unlearn.ts'
import { settingsOf, TIMEZONE, type WorkspaceTuning } from './workspace.ts'

/** As many last turns as a message can say something of. */
const JUDGED_TURNS = 2

type Turn = typeof turns.$inferSelect

/** Corrects the turn that answered the message, if there is one; it isn't answered again. */
export async function correct(transaction: Queries, analyse: Analyse, edit: Edit): Promise<void> {
  if ((await turnOf(transaction, edit)) === undefined) return
  const { isPaused } = await holdPerson(transaction, edit)
  const turn = await turnOf(transaction, edit)
  if (turn === undefined) return
  const words = replaced(turn, edit)
  if (words === null || words.question === turn.question) return
  const tuning = await loadTuning(transaction, edit.workspace)
  await forgetOldWords(transaction, edit, turn)
  await saveWords(transaction, edit, turn, words, tuning)
  const before = await earlierThan(transaction, turn)
  const { observed } = isPaused ? { observed: {} } : analyse(words.question, before.at(-1)?.assistant ?? null)
  const lesson = await relearn(transaction, edit, turn.turnId, observed, settingsOf(tuning))
  if (lesson !== null) {
    await transaction.update(turns).set({ shown: lesson.shown, changes: lesson.events }).where(isTurn(turn))
    const signals = isPaused ? [] : signalsOf(words.question, before)
    await replaceSignals(transaction, edit, { signals, saidIn: turn.turnId, saidAt: turn.askedAt })
  }
  await editLines(transaction, edit, (lines) =>
    borneOut(lines, turn, words.question, { isPaused, name: edit.author.name }),
  )
}

async function turnOf(queries: Queries, { workspace, author, message }: Edit): Promise<Turn | undefined> {
  const [turn] = await queries
    .select()
    .from(turns)
    .where(
      and(eq(turns.workspaceId, workspace), eq(turns.personId, author.id), arrayContains(turns.messageIds, [message])),
    )
  return turn
}

function isTurn({ workspaceId, turnId }: Turn) {
  return and(eq(turns.workspaceId, workspaceId), eq(turns.turnId, turnId))
}

/** The question with one of its messages replaced; null where it isn't known which part of it that is. */
export function replaced(
  { messageIds, question, lengths }: Pick<Turn, 'messageIds' | 'question' | 'lengths'>,
  { message, text }: Pick<Edit, 'message' | 'text'>,
): Pick<Turn, 'question' | 'lengths'> | null {
  const known = lengths.length === 0 && messageIds.length === 1 ? [question.length] : lengths
  const place = messageIds.indexOf(message)
  const length = known[place]
  if (length === undefined) return null
  const from = known.slice(0, place).reduce((sum, before) => sum + before + 1, 0)
  return {
    question: question.slice(0, from) + text + question.slice(from + length),
    lengths: known.map((before, index) => (index === place ? text.length : before)),
  }
}

/** Copies of them: vectors, also of the turns beside it, and quotations. */
async function forgetOldWords(transaction: Queries, edit: Edit, turn: Turn): Promise<void> {
  const which = sql`workspace_id = ${turn.workspaceId} AND turn_id = ${turn.turnId}`
  const { quoting } = await findTurns(transaction, edit, [turn.turnId])
  await saveQuoting(transaction, edit, quoting)
  await clearAround(transaction, which)
  await eraseRetold(transaction, turn.workspaceId, which)
}

async function saveWords(
  transaction: Queries,
  { author }: Edit,
  turn: Turn,
  words: Pick<Turn, 'question' | 'lengths'>,
  tuning: WorkspaceTuning,
): Promise<void> {
  const happened = eventTime(words.question, turn.askedAt, author.timezone ?? tuning.timezone ?? TIMEZONE)
  const times = { happenedFrom: happened?.from ?? null, happenedTo: happened?.to ?? null }
  await transaction
    .update(turns)
    .set({ ...words, ...times, meaning: null, embedder: null })
    .where(isTurn(turn))
}

/** What the person had before them when they wrote it, oldest first. */
async function earlierThan(queries: Queries, turn: Turn): Promise<readonly Judged[]> {
  const earlier = and(
    eq(turns.workspaceId, turn.workspaceId),
    eq(turns.conversation, turn.conversation),
    eq(turns.personId, turn.personId),
    lt(turns.turnId, turn.turnId),
  )
  const { turnId, question, reply, model } = turns
  const before = await queries
    .select({ turnId, question, reply, model })
    .from(turns)
    .where(earlier)
    .orderBy(desc(turnId))
    .limit(JUDGED_TURNS)
  return before
    .map((row) => ({ turnId: row.turnId, user: row.question, assistant: row.model === null ? '' : row.reply }))
    .reverse()
}

/** The lines, resting on the turn only where its new words bear them out, and with what they ask to be remembered. */
function borneOut(
  lines: readonly Line[],
  { turnId, askedAt }: Turn,
  question: string,
  { isPaused, name }: { readonly isPaused: boolean; readonly name: string },
): readonly Line[] {
  const asked = rememberedFrom(question)
  const said = new Map([[turnId, claimsOf(question)]])
  const isBorneOut = ({ text }: Line) =>
    asked.some((kept) => compare(kept, text) === 'same') ||
    evidenceOf({ text, turnIds: [turnId] }, said, name).length > 0
  const left = lines.flatMap((line) =>
    line.turnIds.includes(turnId) && !isBorneOut(line) ? withoutTurns([line], [turnId]) : [line],
  )
  if (isPaused) return left
  return asked.reduce<readonly Line[]>((known, text) => enter(known, { text, turnIds: [turnId], at: askedAt }), left)
}
