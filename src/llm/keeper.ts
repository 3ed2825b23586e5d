/** Has the model pulled when the server lacks it, and tells whoever runs the bot, once, when none can be had. */

import type { Progress } from '../progress.ts'
import { LlmError } from './errors.ts'
import { ensureModel } from './pull.ts'

/** How long a start waits for a server that does not answer. */
const CHECK_MS = 3000
/** A pull that failed is not tried again sooner. */
const AGAIN_MS = 60_000

export interface Keeper {
  /** Looks for the model and pulls it if need be. Resolves when it is there, can't be had, or the server keeps silent. */
  ensure(): Promise<void>
  /** Told of every answer: what kept the model from answering, or null. */
  heard(failure: LlmError | null): void
}

export function createKeeper(options: {
  readonly host: URL
  readonly model: string
  readonly signal: AbortSignal
  readonly tell: (sentence: string) => void
  readonly progress: (label: string) => Progress
}): Keeper {
  const { host, model, signal, tell } = options
  let told = false
  let startedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null

  async function pull(onPull: () => void): Promise<void> {
    const shown: Progress[] = []
    try {
      await ensureModel({
        host,
        model,
        signal,
        onProgress(...step) {
          if (shown.length === 0) {
            onPull()
            shown.push(options.progress(`Downloading ${model}`))
          }
          shown[0]?.update(...step)
        },
      })
      shown[0]?.stop(`${model} is here.`)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof LlmError)) throw error
      shown[0]?.fail(`${model} could not be downloaded.`)
      report(error)
    }
  }

  function heard(failure: LlmError | null): void {
    if (failure?.kind === 'missing' && performance.now() - startedAt > AGAIN_MS) void once()
    report(failure)
  }

  function report(failure: LlmError | null): void {
    if (failure !== null && !told) tell(`${failure.message} Until then I answer from what I have stored.`)
    told = failure !== null
  }

  /** One pull at a time. Resolves early when the server keeps silent. */
  function once(): Promise<void> {
    if (underWay !== null) return underWay
    startedAt = performance.now()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CHECK_MS)
      underWay = pull(() => clearTimeout(timer)).finally(() => {
        clearTimeout(timer)
        underWay = null
        resolve()
      })
    })
  }

  return { ensure: once, heard }
}
