/** What is done without a language model: commands, ratings, and the apology for what can't be done. */

import type { Draft, IncomingMessage, Rating } from './adapter.ts'
import { runCommand } from './commands.ts'
import { rate } from './feedback.ts'
import { finishing, type Job } from './job.ts'
import type { Parts } from './parts.ts'
import { commandRecord, ratingRecord } from './record.ts'
import { loadKnown } from './store/people.ts'

const APOLOGY = 'Sorry, I tried several times and could not answer that. Please ask whoever runs me to look at my log.'

export async function command(parts: Parts, job: Job, message: IncomingMessage, draft: Draft): Promise<void> {
  const started = performance.now()
  const text = await finishing(parts, job, async (transaction) => {
    const said = await runCommand({ queries: transaction, message, now: message.sentAt })
    await draft.finish({ text: said, isPrivate: true })
    return said
  })
  const known = await loadKnown(parts.database.queries, message, 0)
  const own = performance.now() - started
  draft.stored?.(commandRecord(message, text, known, own))
  parts.log.info({ message: message.id, ms: { own } }, 'command')
}

export async function rateReply(parts: Parts, job: Job, rating: Rating, draft: Draft): Promise<void> {
  const rated = await finishing(parts, job, (transaction) => rate(transaction, rating))
  draft.stored?.(ratingRecord(rating, rated))
  parts.log.info({ message: rating.id, rated }, 'rating')
}

export async function apologise(parts: Parts, job: Job, draft: Draft): Promise<void> {
  const { message } = job.first
  await finishing(parts, job, () => draft.finish({ text: APOLOGY, isPrivate: false }), 'dead')
  const known = await loadKnown(parts.database.queries, message, 0)
  draft.stored?.(commandRecord(message, APOLOGY, known, 0))
  parts.log.error({ message: message.id }, 'gave up')
}
