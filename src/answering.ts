/** What this process is answering right now: whoever changes or removes a message stops the answer to it. */

import type { Job } from './job.ts'

export interface Answering {
  /** The signal aborts when one of the messages is no longer what it was. */
  begin(job: Job): AbortSignal
  end(job: Job): void
  stop(workspace: string, messages: readonly string[]): void
}

export function createAnswering(): Answering {
  const running = new Map<Job, AbortController>()
  return {
    begin(job) {
      const stopping = new AbortController()
      running.set(job, stopping)
      return stopping.signal
    },
    end: (job) => void running.delete(job),
    stop(workspace, messages) {
      for (const [job, stopping] of running) {
        const isMeant = job.letters.some(({ message }) => messages.includes(message.id))
        if (job.claim.workspace === workspace && isMeant) stopping.abort(new Error('the message was changed'))
      }
    },
  }
}
