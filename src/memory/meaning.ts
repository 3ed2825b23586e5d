/**
 * What was said as vectors: a question's while it is asked, the turns' in the background. There are none until an
 * embedder can be had, which nobody waits for.
 */

import { setTimeout } from 'node:timers/promises'
import { type Embedder, EmbedderError } from '../embed/embedder.ts'
import type { Log } from '../log.ts'
import type { Queries } from '../store/database.ts'
import { embedBacklog } from './backlog.ts'
import type { Embedded } from './candidates.ts'

export interface Meaning {
  /** Null where no embedder is ready, it fails, takes too long, or the text is blank. Never rejects. */
  question(text: string): Promise<Embedded | null>
  /** To be called when turns were stored, or may have been erased: vectors are lacking. */
  stored(): void
  /** Waits for what is being computed, at most a batch. */
  close(): Promise<void>
}

export interface MeaningOptions {
  readonly queries: Queries
  /** Null: none is wanted. @throws EmbedderError, or the reason of the aborted signal */
  readonly open: (signal: AbortSignal) => Promise<Embedder | null>
  /** Resolves as soon as no reply is under way. */
  readonly quiet: () => Promise<void>
  /** Told once, in a sentence or two, when no embedder can be had. */
  readonly tell: (text: string) => void
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly delays?: Delays
}

/** Milliseconds. */
export interface Delays {
  /** A start has better things to do. */
  readonly first: number
  /** How long a reply waits for the vector of its question. */
  readonly question: number
  /** After so long the backlog goes on by a batch, though replies are under way. */
  readonly quiet: number
  /** After a failure: doubled with each further one, up to `longest`. */
  readonly again: number
  readonly longest: number
}

const DELAYS: Delays = { first: 1000, question: 500, quiet: 3000, again: 60_000, longest: 3_600_000 }

export function createMeaning(options: MeaningOptions): Meaning {
  const { log, delays = DELAYS } = options
  const closing = new AbortController()
  const { signal } = closing
  const bell = createBell()
  let embedder: Embedder | null = null

  const running = (async () => {
    await pause(delays.first, signal)
    embedder = await openPatiently(options, delays, signal)
    if (embedder === null) return
    log.info({ embedder: embedder.id }, 'embedder')
    await keepUp(options, embedder, bell.rung, delays, signal)
  })().catch((error: unknown) => {
    if (!signal.aborted) log.warn({ error }, 'no embedder')
  })

  return {
    async question(text) {
      if (embedder === null || signal.aborted) return null
      const late = AbortSignal.timeout(delays.question)
      try {
        const [vector] = await embedder.embed([text], 'question', AbortSignal.any([signal, late]))
        return vector ? { embedder: embedder.id, numbers: vector } : null
      } catch (error) {
        if (!late.aborted && !signal.aborted) log.warn({ error }, 'a question has no vector')
        return null
      }
    },
    stored: bell.ring,
    async close() {
      closing.abort()
      bell.ring()
      await running
      await embedder?.close()
    },
  }
}

/** Tries until it opens, and says once that it doesn't. */
async function openPatiently(
  { open, tell, log }: MeaningOptions,
  delays: Delays,
  signal: AbortSignal,
): Promise<Embedder | null> {
  for (let failures = 0; ; failures++) {
    try {
      return await open(signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EmbedderError)) log.warn({ error }, 'the embedder did not open')
      else if (failures === 0) tell(`${error.message} Until then I find what was said by its words alone.`)
      await pause(delayAfter(failures, delays), signal)
    }
  }
}

/** Makes the vectors that are lacking, again and again, until the signal aborts. */
async function keepUp(
  { queries, quiet, log }: MeaningOptions,
  embedder: Embedder,
  rung: () => Promise<void>,
  delays: Delays,
  signal: AbortSignal,
): Promise<void> {
  const quietly = () => Promise.race([quiet(), pause(delays.quiet, signal)])
  for (let failures = 0; !signal.aborted; ) {
    try {
      const turns = await embedBacklog({ queries, embedder, signal, quiet: quietly })
      if (turns > 0) log.info({ turns }, 'turns have vectors')
      failures = 0
      await rung()
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ error }, 'turns have no vectors')
      await pause(delayAfter(failures++, delays), signal)
    }
  }
}

function delayAfter(failures: number, { again, longest }: Delays): number {
  return Math.min(longest, again * 2 ** failures)
}

/** Rejects when the signal aborts; keeps no process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal, ref: false })
}

/** `rung` resolves when it was rung since it resolved last. */
function createBell() {
  let isRung = false
  let wake = () => {}
  return {
    ring(): void {
      isRung = true
      wake()
    },
    async rung(): Promise<void> {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
    },
  }
}
