/**
 * What is done once a night, in each workspace's own night: old turns are erased, what was said is read for
 * profiles, and personas are improved. Of a workspace that was left nothing is read, and in the end all is erased.
 */

import { schedule } from 'node-cron'
import type { Llm } from './llm/chat.ts'
import type { Log } from './log.ts'
import { summarise } from './memory/summarise.ts'
import { instantOf, wallOf } from './memory/zone.ts'
import { optimize, type Worked } from './persona/optimize.ts'
import type { Analyse } from './preference/analyser.ts'
import type { Prompts } from './prompts.ts'
import type { Database } from './store/database.ts'
import { claimNight, type Night, workspacesWithTuning } from './store/nights.ts'
import { eraseOld } from './store/retention.ts'
import { eraseLeft } from './store/tenure.ts'
import { GRACE_DAYS, NIGHT, TIMEZONE, type WorkspaceTuning } from './workspace.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** A start has better things to do; a process that lives shorter does nothing of this. */
const FIRST_MS = 60_000
const EVERY_FIVE_MINUTES = '*/5 * * * *'

export interface NightlyParts {
  readonly database: Database
  readonly llm: Llm
  readonly prompts: Prompts
  readonly analyse: Analyse
  readonly log: Log
  /** The name under which this process is connected. */
  readonly me: string
  /** Resolves as soon as nobody waits for a reply. */
  readonly quiet: () => Promise<void>
  readonly signal: AbortSignal
}

/** Looks every five minutes, and a minute after the start, for nights that have begun; resolves when the signal aborts. */
export async function keepNights(parts: NightlyParts): Promise<void> {
  const { signal, log } = parts
  let running: Promise<void> | null = null
  const look = () => {
    running ??= workNights(parts, new Date())
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ error }, 'the night was broken off')
      })
      .finally(() => {
        running = null
      })
  }
  const task = schedule(EVERY_FIVE_MINUTES, look)
  const first = setTimeout(look, FIRST_MS)
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  clearTimeout(first)
  await task.destroy()
  await running
}

/** Does what is due in every workspace whose night has begun and that no process has taken yet. */
export async function workNights(parts: NightlyParts, now: Date): Promise<void> {
  const { database, log, signal } = parts
  const { queries } = database
  for (const { workspace, tuning, isLeft } of await workspacesWithTuning(queries)) {
    signal.throwIfAborted()
    const night: Night = { workspace, slot: nightOf(now, tuning) }
    if (!(await claimNight(queries, night))) continue
    if (isLeft) {
      const isErased = await eraseLeft(queries, { workspace, graceDays: tuning.grace ?? GRACE_DAYS }, now)
      if (isErased) log.info(night, 'erased a workspace that was left')
      continue
    }
    const erased = await eraseOld(queries, { workspace, retention: tuning.retention }, now)
    const read = await summarise({ ...parts, queries, workspace })
    const personas = countOf(await optimize({ ...parts, workspace, now }))
    log.info({ ...night, erased, ...read, personas }, 'night')
  }
}

/** How many personas ended in which way. */
function countOf(worked: readonly Worked[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { outcome } of worked) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/**
 * The local date on which the last night began, such as `2026-03-29`. A night that was slept through is found by it, too.
 * Instants are compared, not what clocks show: a time that clocks show twice begins one night, at its first, and one that
 * they skip begins as much later as they were put forward.
 */
export function nightOf(
  now: Date,
  { timezone = TIMEZONE, night = NIGHT }: Pick<WorkspaceTuning, 'timezone' | 'night'>,
) {
  const [hours = 0, minutes = 0] = night.split(':').map(Number)
  const today = Math.floor(wallOf(now, timezone) / DAY_MS) * DAY_MS
  // Where a change of clocks moves the date, the night of tomorrow's date may have begun.
  for (const day of [today + DAY_MS, today]) {
    if (instantOf(day + (60 * hours + minutes) * MINUTE_MS, timezone) <= now) return dateOf(day)
  }
  return dateOf(today - DAY_MS)
}

function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10)
}
