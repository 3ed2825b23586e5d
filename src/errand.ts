/** What is done without a language model: commands, ratings, and the apology for what can't be done. */

import type { Draft, IncomingMessage, Rating } from './adapter.ts'
import { runCommand } from './commands.ts'
import { rate } from './feedback.ts'
import { finishing, holding, type Job } from './job.ts'
import { finishClaim } from './mailbox.ts'
import type { Parts } from './parts.ts'
import { commandRecord, ratingRecord } from './record.ts'
import { keepReply } from './store/letters.ts'
import { loadKnown } from './store/people.ts'

const APOLOGY = 'Sorry, I tried several times and could not answer that. Please ask whoever runs me to look at my log.'

/** Its effects are stored together with its reply, which is then posted: a crash in between posts it later. */
export async function command(parts: Parts, job: Job, message: IncomingMessage, draft: Draft): Promise<void> {
  const started = performance.now()
  const { queries } = parts.database
  const { text, isOver } = await answered(parts, job, message)
  await draft.finish({ text, isPrivate: true })
  const record = commandRecord(message, text, await loadKnown(queries, message, 0), performance.now() - started)
  if (!isOver) await finishing(parts, job, async () => {})
  parts.meaning?.stored()
  draft.stored?.(record)
  parts.log.info({ message: message.id, ms: record.ms }, 'command')
}

/** `isOver`: the letter that asks was erased with everything else of the person. */
async function answered(parts: Parts, job: Job, message: IncomingMessage) {
  const { first } = job
  if (first.kind === 'message' && first.reply !== undefined) return { text: first.reply, isOver: false }
  return holding(parts, job, async (transaction) => {
    const persona = parts.prompts.render('persona', {})
    const text = await runCommand({ queries: transaction, message, now: message.sentAt, persona })
    const isOver = !(await keepReply(transaction, job.claim.workspace, first.jobId, text))
    if (isOver) await finishClaim(transaction, job.claim, job.jobIds)
    return { text, isOver }
  })
}

export async function rateReply(parts: Parts, job: Job, rating: Rating, draft: Draft): Promise<void> {
  const rated = await finishing(parts, job, (transaction) => rate(transaction, rating))
  draft.stored?.(ratingRecord(rating, rated))
  parts.log.info({ message: rating.id, rated }, 'rating')
}

export async function apologise(parts: Parts, job: Job, draft: Draft): Promise<void> {
  const { message } = job.first
  await draft.finish({ text: APOLOGY, isPrivate: false })
  const known = await finishing(parts, job, (transaction) => loadKnown(transaction, message, 0), 'dead')
  draft.stored?.(commandRecord(message, APOLOGY, known, 0))
  parts.log.error({ message: message.id }, 'gave up')
}
