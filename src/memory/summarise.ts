/** The nightly reading: from what each person said since the last time, a model proposes lines for their profile. */

import { z } from 'zod'
import { estimateTokens } from '../llm/budget.ts'
import type { Llm } from '../llm/chat.ts'
import type { Log } from '../log.ts'
import type { Prompts } from '../prompts.ts'
import type { Queries } from '../store/database.ts'
import { nextUnread, type Reader, readersDue, saveRead } from '../store/reading.ts'
import { evidenceOf } from './evidence.ts'
import { enter, type Proposal } from './profile.ts'
import { asLine, claimsOf } from './profile-claims.ts'

/** Turns that are read at once, and tokens of the lines about them. */
const TURNS = 200
const ANSWER_TOKENS = 700
/** Of the context, what the instructions take. */
const PROMPT_TOKENS = 500

export interface SummariseParts {
  readonly queries: Queries
  readonly llm: Llm
  readonly prompts: Prompts
  readonly log: Log
  readonly signal: AbortSignal
  /** Only people of this one. */
  readonly workspace?: string
  /** Resolves as soon as nobody waits for a reply; asked before each call of the model. */
  readonly quiet?: () => Promise<void>
}

export interface Summary {
  readonly people: number
  /** Lines that entered or gained evidence. */
  readonly lines: number
  /** People whose reading failed; they are read again the next time, from the same place on. */
  readonly failed: number
}

const Proposed = z.strictObject({
  lines: z.array(z.strictObject({ text: z.string().min(1).max(400), turns: z.array(z.int()).min(1).max(50) })).max(24),
})
const FORMAT = z.toJSONSchema(Proposed)

/** What the model said is no list of lines: that is a failure, and not the same as an empty list. */
export class UnreadableLines extends Error {}

/** Reads on with everybody who said something since. A failure is logged and ends that person's reading only. */
export async function summarise(parts: SummariseParts): Promise<Summary> {
  let [people, lines, failed] = [0, 0, 0]
  for (const reader of await readersDue(parts.queries, parts.workspace ?? null)) {
    try {
      lines += await readAll(parts, reader)
      people += 1
    } catch (error) {
      parts.signal.throwIfAborted()
      failed += 1
      parts.log.error({ person: reader.person, workspace: reader.workspace, error }, 'reading for the profile failed')
    }
  }
  return { people, lines, failed }
}

async function readAll(parts: SummariseParts, reader: Reader): Promise<number> {
  let entered = 0
  while (true) {
    const unread = await nextUnread(parts.queries, reader, TURNS)
    if (unread.turns.length === 0) return entered
    const room = parts.llm.contextTokens - PROMPT_TOKENS - ANSWER_TOKENS
    const { said, upTo } = statementsOf(unread.turns, room)
    const proposals = said.size === 0 ? [] : await proposed(parts, reader, unread.turns, said)
    const edit = (lines: Parameters<typeof enter>[0]) => proposals.reduce(enter, lines)
    if (!(await saveRead(parts.queries, reader, unread, { upTo, edit }))) return entered
    entered += proposals.length
  }
}

type Turns = Awaited<ReturnType<typeof nextUnread>>['turns']
type Said = ReadonlyMap<number, readonly string[]>

/** What the person states of themselves, as much as the prompt holds; at least one turn is read. */
function statementsOf(turns: Turns, room: number): { readonly said: Said; readonly upTo: number } {
  const said = new Map<number, readonly string[]>()
  let upTo = 0
  let left = room
  for (const { turnId, question } of turns) {
    const claims = claimsOf(question)
    left -= claims.reduce((sum, claim) => sum + estimateTokens(claim) + 6, 0)
    if (left < 0 && upTo > 0) break
    if (claims.length > 0 && left >= 0) said.set(turnId, claims)
    upTo = turnId
  }
  return { said, upTo }
}

/** Lines with evidence. @throws UnreadableLines or LlmError */
async function proposed(parts: SummariseParts, reader: Reader, turns: Turns, said: Said): Promise<readonly Proposal[]> {
  const statements = [...said].flatMap(([turnId, claims]) => claims.map((claim) => `[${turnId}] ${claim}`))
  await parts.quiet?.()
  const content = parts.prompts.render('summarise', { name: reader.name, said: statements.join('\n') })
  const { text } = await parts.llm.chat([{ role: 'user', content }], {
    signal: parts.signal,
    maxTokens: ANSWER_TOKENS,
    format: FORMAT,
  })
  const at = new Map(turns.map((turn) => [turn.turnId, turn.askedAt]))
  return linesIn(text).flatMap((line) => {
    const proposal = { text: asLine(line.text), turnIds: line.turns }
    const turnIds = evidenceOf(proposal, said, reader.name).toSorted((a, b) => a - b)
    const last = at.get(turnIds.at(-1) ?? 0)
    return last === undefined ? [] : [{ text: proposal.text, turnIds, at: last }]
  })
}

function linesIn(text: string) {
  try {
    return Proposed.parse(JSON.parse(text)).lines
  } catch (error) {
    throw new UnreadableLines('Expected the model to answer with a list of lines', { cause: error })
  }
}
