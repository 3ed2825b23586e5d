/**
 * Improves personas while nobody waits: who is due, split, gradient, update, limits, gate, keep; and before that the
 * watch over the last change. One person's failure is logged, leaves their persona as it was, and the next goes on.
 */

import type { Llm } from '../llm/chat.ts'
import type { Log } from '../log.ts'
import type { Analyse } from '../preference/analyser.ts'
import type { Prompts } from '../prompts.ts'
import type { Database } from '../store/database.ts'
import {
  type Candidate,
  claimPersona,
  type Known,
  keepAttempt,
  loadCandidates,
  loadForPersona,
} from '../store/optimizing.ts'
import { loadVersions, type NewVersion } from '../store/personas.ts'
import { createAsker } from './ask.ts'
import { notDue } from './due.ts'
import { type Improvement, improve, RECIPE, type Recipe } from './improve.ts'
import { withoutBursts } from './judged.ts'
import { materialOf } from './material.ts'
import { watch } from './watch.ts'

export interface OptimizeParts {
  readonly database: Database
  readonly llm: Llm
  readonly prompts: Prompts
  readonly analyse: Analyse
  readonly log: Log
  /** The name under which this process is connected. */
  readonly me: string
  readonly signal: AbortSignal
  readonly now: Date
  /** Resolves as soon as nobody waits for a reply; asked before each call of the model. */
  readonly quiet?: () => Promise<void>
  /** Only people of this one, only this one. */
  readonly workspace?: string | undefined
  readonly person?: string | undefined
  /** Nothing is written. */
  readonly isDry?: boolean
  readonly recipe?: Recipe
  /** Of one call of the model, in milliseconds. */
  readonly callMs?: number
  readonly onPerson?: (done: number, of: number) => void
}

/** What came of one person. */
export interface Worked {
  readonly workspace: string
  readonly person: string
  /** `not due` only where the person was asked for by name. */
  readonly outcome: 'accepted' | 'refused' | 'returned' | 'failed' | 'not due'
  /** Why; empty when it was accepted. Never what anybody said. */
  readonly reason: string
  /** The persona in force before, and the one that was proposed or came back. */
  readonly before: string
  readonly after: string | null
  readonly improvement: Improvement | null
  readonly calls: number
  readonly ms: number
}

type Ending = Omit<Worked, 'workspace' | 'person' | 'calls' | 'ms'>

/** Everybody who is due, one after the other. @throws the signal's reason */
export async function optimize(parts: OptimizeParts): Promise<readonly Worked[]> {
  const { now, log } = parts
  const candidates = (await loadCandidates(parts.database.queries, parts)).filter(
    (candidate) => parts.person !== undefined || candidate.reason === 'improved' || notDue(candidate, now) === null,
  )
  const worked: Worked[] = []
  for (const [i, candidate] of candidates.entries()) {
    parts.onPerson?.(i, candidates.length)
    const { workspace, person } = candidate
    const asker = createAsker(parts)
    const started = performance.now()
    const ending = await work(parts, candidate, asker).catch((error: unknown) => {
      parts.signal.throwIfAborted()
      log.error({ workspace, person, error }, 'improving a persona failed')
      return failed(error)
    })
    if (ending === null) continue
    const done = { workspace, person, ...ending, calls: asker.calls(), ms: performance.now() - started }
    log.info({ workspace, person, outcome: done.outcome, reason: done.reason, calls: done.calls }, 'persona')
    worked.push(done)
  }
  parts.onPerson?.(candidates.length, candidates.length)
  return worked
}

/** Of an error only the kind is told: its message may quote what somebody wrote. */
function failed(error: unknown): Ending {
  return untouched('failed', error instanceof Error ? error.name : 'an unknown error')
}

function untouched(outcome: Worked['outcome'], reason: string, before = ''): Ending {
  return { outcome, reason, before, after: null, improvement: null }
}

/** Null where there was nothing to do. */
async function work(parts: OptimizeParts, candidate: Candidate, asker: ReturnType<typeof createAsker>) {
  if (parts.isDry) return await attend(parts, candidate, asker)
  const release = await claimPersona(parts.database, parts.me, candidate)
  if (release === null)
    return { ...failed(null), outcome: 'refused', reason: 'another process is at work on it' } as const
  try {
    return await attend(parts, candidate, asker)
  } finally {
    await release()
  }
}

async function attend(parts: OptimizeParts, stale: Candidate, asker: ReturnType<typeof createAsker>) {
  const { queries } = parts.database
  // Whoever held the claim before may have changed what the list said.
  const [candidate] = await loadCandidates(queries, stale)
  if (candidate === undefined) return null
  const known = await loadForPersona(queries, candidate)
  const before = known.current.text ?? parts.prompts.render('persona', {})
  const returned = await lookAfter(parts, candidate, known, before)
  if (returned !== null) return returned
  const reason = notDue(candidate, parts.now)
  if (reason !== null) {
    return parts.person === undefined ? null : untouched('not due', reason, before)
  }
  const material = materialOf(known, before, parts.analyse, parts.prompts.manner)
  const improvement = await improve(asker, material, parts.recipe ?? RECIPE)
  return keep(parts, candidate, known, { before, improvement })
}

/** The watch: goes back to the version before the last change where replies are judged worse since. */
async function lookAfter(
  parts: OptimizeParts,
  candidate: Candidate,
  known: Known,
  before: string,
): Promise<Ending | null> {
  const { workspace, person, reason, changedAt } = candidate
  if (reason !== 'improved' || changedAt === null) return null
  const found = watch(withoutBursts(known.turns), changedAt)
  if (found === null || !found.isWorse) return null
  const versions = await loadVersions(parts.database.queries, { workspace, author: { id: person } })
  const last = versions.findLast(({ version }) => version < known.current.version)
  const of = last?.version ?? 0
  const text = last?.text ?? known.tuning.persona ?? parts.prompts.render('persona', {})
  const version: NewVersion = { text, reason: 'returned', of, turnIds: [], score: null, createdAt: parts.now }
  const told = `of the last 10 rated turns good less bad were ${found.before} before and ${found.after} since`
  return kept(parts, candidate, known, version, {
    outcome: 'returned',
    reason: `${told}: back to version ${of}`,
    before,
    after: text,
    improvement: null,
  })
}

function keep(
  parts: OptimizeParts,
  candidate: Candidate,
  known: Known,
  { before, improvement }: { readonly before: string; readonly improvement: Improvement },
): Promise<Ending> {
  const { text, proposed, reason, turnIds, verdict } = improvement
  const made = { of: null, turnIds: [...turnIds], score: verdict?.gain ?? null, createdAt: parts.now }
  const version = text === null ? null : ({ ...made, text, reason: 'improved' } as const)
  const outcome = text === null ? 'refused' : 'accepted'
  return kept(parts, candidate, known, version, { outcome, reason, before, after: proposed, improvement })
}

async function kept(
  parts: OptimizeParts,
  candidate: Candidate,
  { current }: Known,
  version: NewVersion | null,
  ending: Ending,
): Promise<Ending> {
  if (parts.isDry) return ending
  if (await keepAttempt(parts.database.queries, candidate, { from: current.version, version })) return ending
  return { ...ending, outcome: 'refused', reason: 'they paused, began anew or changed it themselves meanwhile' }
}
