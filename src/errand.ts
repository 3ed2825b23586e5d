/** What is done without a language model: commands, ratings, and the apology for what can't be done. */

import type { Draft, IncomingMessage, Rating } from './adapter.ts'
import { runCommand } from './commands.ts'
import { rate } from './feedback.ts'
import { finishing, type Job } from './job.ts'
import type { Parts } from './parts.ts'
import { commandRecord, ratingRecord } from './record.ts'
import type { Queries } from './store/database.ts'
import { loadKnown } from './store/people.ts'

const APOLOGY = 'Sorry, I tried several times and could not answer that. Please ask whoever runs me to look at my log.'

export async function command(parts: Parts, job: Job, message: IncomingMessage, draft: Draft): Promise<void> {
  const started = performance.now()
  const record = await finishing(parts, job, async (transaction) => {
    const text = await runCommand({ queries: transaction, message, now: message.sentAt })
    await draft.finish({ text, isPrivate: true })
    return commandRecord(message, text, await loadKnown(transaction, message, 0), performance.now() - started)
  })
  parts.meaning?.stored()
  draft.stored?.(record)
  parts.log.info({ message: message.id, ms: record.ms }, 'command')
}

export async function rateReply(parts: Parts, job: Job, rating: Rating, draft: Draft): Promise<void> {
  const rated = await finishing(parts, job, (transaction) => rate(transaction, rating))
  draft.stored?.(ratingRecord(rating, rated))
  parts.log.info({ message: rating.id, rated }, 'rating')
}

export async function apologise(parts: Parts, job: Job, draft: Draft): Promise<void> {
  const { message } = job.first
  const apology = async (transaction: Queries) => {
    await draft.finish({ text: APOLOGY, isPrivate: false })
    return commandRecord(message, APOLOGY, await loadKnown(transaction, message, 0), 0)
  }
  draft.stored?.(await finishing(parts, job, apology, 'dead'))
  parts.log.error({ message: message.id }, 'gave up')
}
