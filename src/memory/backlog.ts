/**
 * Makes the vectors that turns lack, newest first, and then those that another embedder made. Nothing is claimed or
 * held meanwhile: whoever is first to store a turn's vectors wins, and a process that was second looks further back,
 * so that several soon work apart. What is broken off is found again by the next call.
 */

import type { Embedder } from '../embed/embedder.ts'
import {
  newTurns,
  storeVectors,
  type TurnBetween,
  type TurnKey,
  turnsBehind,
  turnsBetween,
  type Vectors,
} from '../store/backlog.ts'
import type { Queries } from '../store/database.ts'

/** Each has two vectors, so that this makes one batch of the embedder. */
const BATCH_TURNS = 4
const WINDOW_TURNS = 100
/** How far back, in batches, a process goes that was second. */
const APART = 8
/** When so many fail in a row, the fault is not in their texts. */
const MAX_FAILED_BATCHES = 3
/** Characters around which a model's 256 tokens end: what is asked takes up to this, its neighbours share the rest. */
const OWN_CHARACTERS = 600
const SURROUNDINGS_CHARACTERS = 900

export interface BacklogOptions {
  readonly queries: Queries
  readonly embedder: Pick<Embedder, 'id' | 'embed'>
  readonly signal: AbortSignal
  /** Resolves as soon as no reply is under way; asked before each batch. */
  readonly quiet?: () => Promise<void>
  /** Told of the turns whose vectors were stored. */
  readonly onBatch?: (turns: readonly TurnKey[]) => void
  /** From 0 up to 1. */
  readonly random?: () => number
}

/**
 * Returns how many turns got vectors, when none lacks any.
 * @throws EmbedderError when turns could not be embedded: after the others, or soon if none can; the error of the
 * database; or the reason of the aborted signal. Everything stored until then stays.
 */
export async function embedBacklog(options: BacklogOptions): Promise<number> {
  const { queries, embedder, signal, random = Math.random } = options
  const stale = staleTurns(queries, embedder.id)
  const failed: Failed = { turnIds: new Set(), batches: 0, error: null }
  let skip = 0
  let count = 0
  for (;;) {
    await options.quiet?.()
    signal.throwIfAborted()
    const fresh = await newTurns(queries, embedder.id, { count: BATCH_TURNS, skip, without: [...failed.turnIds] })
    if (fresh.length === 0 && skip > 0) {
      skip = 0
      continue
    }
    const keys = fresh.length > 0 ? fresh : await stale(skip)
    if (keys.length === 0) break
    const { stored, isSecond } = await embedBatch(options, keys, failed)
    if (isSecond) skip = BATCH_TURNS * Math.floor(random() * APART)
    count += stored.length
    if (stored.length > 0) options.onBatch?.(stored)
  }
  if (failed.error !== null) throw failed.error
  return count
}

/** What this call could not embed and leaves to the next one. */
interface Failed {
  readonly turnIds: Set<number>
  /** How many batches in a row failed whole. */
  batches: number
  error: unknown
}

/** `isSecond`: somebody else stored vectors of these turns meanwhile. */
async function embedBatch({ queries, embedder, signal }: BacklogOptions, keys: readonly TurnKey[], failed: Failed) {
  const turns = (await turnsBetween(queries, keys)).filter((turn) => turn.embedder !== embedder.id)
  const made = await makeVectors(embedder, await withPrevious(queries, turns, embedder.id), signal, failed)
  const all = await storeVectors(queries, embedder.id, made)
  const wanted = new Set(keys.map(({ turnId }) => turnId))
  const stored = all.filter(({ turnId }) => wanted.has(turnId))
  return { stored, isSecond: turns.length < keys.length || all.length < made.length }
}

/** Steps through all turns once, and gives those that another embedder made, a batch at a time. */
function staleTurns(queries: Queries, embedder: string) {
  let place: TurnKey | null = null
  let found: TurnKey[] = []
  let isEnd = false
  return async (skip: number): Promise<readonly TurnKey[]> => {
    while (found.length === 0 && !isEnd) {
      const turns: Awaited<ReturnType<typeof turnsBehind>> = await turnsBehind(queries, embedder, place, WINDOW_TURNS)
      place = turns.at(-1) ?? place
      isEnd = turns.length < WINDOW_TURNS
      found = turns.filter(({ isStale }) => isStale)
    }
    return found.splice(skip % Math.max(found.length, 1), BATCH_TURNS)
  }
}

/** With the turns before them that have vectors already: their surroundings now know what came next. */
async function withPrevious(
  queries: Queries,
  turns: readonly TurnBetween[],
  embedder: string,
): Promise<readonly TurnBetween[]> {
  const previous = turns.flatMap(({ workspace, previous: turn }) =>
    turn?.embedder === embedder ? [{ workspace, turnId: turn.turnId }] : [],
  )
  if (previous.length === 0) return turns
  return [...turns, ...(await turnsBetween(queries, previous))]
}

/** All at once, or if that fails one by one: a turn that can't be embedded keeps none of the others back. */
async function makeVectors(
  embedder: BacklogOptions['embedder'],
  turns: readonly TurnBetween[],
  signal: AbortSignal,
  failed: Failed,
): Promise<readonly Vectors[]> {
  if (turns.length === 0) return []
  const made: Vectors[] = []
  try {
    made.push(...(await embedTurns(embedder, turns, signal)))
  } catch {
    for (const turn of turns) {
      try {
        made.push(...(await embedTurns(embedder, [turn], signal)))
      } catch (error) {
        signal.throwIfAborted()
        failed.turnIds.add(turn.turnId)
        failed.error = error
      }
    }
  }
  failed.batches = made.length === 0 ? failed.batches + 1 : 0
  if (failed.batches === MAX_FAILED_BATCHES) throw failed.error
  return made
}

async function embedTurns(
  embedder: BacklogOptions['embedder'],
  turns: readonly TurnBetween[],
  signal: AbortSignal,
): Promise<readonly Vectors[]> {
  const texts = turns.flatMap((turn) => [turn.question, surroundingsOf(turn)])
  const vectors = await embedder.embed(texts, 'backlog', signal)
  return turns.map((turn, index) => {
    return { turn, own: vectors[2 * index] ?? null, around: vectors[2 * index + 1] ?? null }
  })
}

/** What was asked, between the end of what was said before and the beginning of what was said next. */
export function surroundingsOf({
  question,
  previous,
  next,
}: Pick<TurnBetween, 'question'> & {
  readonly previous: { readonly question: string } | null
  readonly next: { readonly question: string } | null
}): string {
  const own = question.slice(0, OWN_CHARACTERS)
  const side = Math.floor((SURROUNDINGS_CHARACTERS - own.length) / 2)
  return [previous?.question.slice(-side), own, next?.question.slice(0, side)]
    .filter((text) => text !== undefined)
    .join('\n')
    .toWellFormed()
}
