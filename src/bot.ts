/**
 * One message, from its arrival until it is remembered:
 * accept → lane of its conversation → analyse → estimate → words → recall → model → reply → store.
 */

import { ACTION_NAMES, offered } from './actions.ts'
import type { Bot, Draft, IncomingMessage, TurnRecord } from './adapter.ts'
import { edit, remove } from './amend.ts'
import { type Answering, createAnswering } from './answering.ts'
import { actionsOf, forgotten, remembering, restsOn, withWishes } from './deeds.ts'
import { apologise, command, rateReply } from './errand.ts'
import { finishing, isCommand, type Job, nextJob } from './job.ts'
import { type Claim, ClaimLost, type Letter, LettersChanged } from './mailbox.ts'
import { eventTime } from './memory/dates.ts'
import { asked, noticeOf } from './notice.ts'
import { type Parts, platformOf } from './parts.ts'
import { turnRecord } from './record.ts'
import { type Answer, reply } from './reply.ts'
import { signalsOf } from './signals.ts'
import { CHANGES, type Changed, takesPart } from './store/letters.ts'
import { openOutbox } from './store/outbox.ts'
import { markLeft } from './store/tenure.ts'
import { type NewTurn, storeTurn } from './store/turns.ts'
import { tidy, tidyMessage } from './tidy.ts'
import { type Understood, understand, vectorOf } from './understand.ts'
import { createWorker } from './worker.ts'

/** After so many failures in a row, or claims that ended with their process, the bot apologises and goes on. */
const MAX_FAILURES = 6
const MAX_ATTEMPTS = 60
const FIRST_DELAY_MS = 500

export interface RunningBot extends Bot {
  /** Answers what was accepted until the signal aborts; then gives back what is under way. */
  work(signal: AbortSignal): Promise<void>
}

export function createBot(parts: Parts): RunningBot {
  const answering = createAnswering()
  const worker = createWorker(parts, (claim, signal) => handle(parts, answering, claim, signal))
  const { queries } = parts.database
  const accept = async (letter: Letter) => {
    const { isLocal } = platformOf(parts, letter.message.id)
    const isNew = await parts.mailbox.accept(tidy(letter), isLocal ? parts.me : null)
    parts.onStep?.('accepted')
    worker.wake()
    return isNew
  }
  return {
    receive: (message) => accept({ kind: 'message', message }),
    rate: (message) => accept({ kind: 'rating', message }),
    async edit(change) {
      const isNew = await edit(parts, tidyMessage(change))
      answering.stop(change.workspace, [change.message])
      return isNew
    },
    async remove(removal) {
      const isNew = await remove(parts, removal)
      answering.stop(removal.workspace, removal.messages)
      return isNew
    },
    takesPart: (workspace, conversation, author) => takesPart(queries, workspace, conversation, author),
    left: (workspace) => markLeft(queries, workspace, new Date()),
    joined: (workspace) => markLeft(queries, workspace, null),
    idle: worker.idle,
    async work(signal) {
      const hear = (told: string) => told !== '' && answering.stop(...(JSON.parse(told) as Changed))
      await Promise.all([parts.database.listen(CHANGES, hear), worker.work(signal)])
    },
  }
}

/** Handles what is first in a conversation. Every failure ends here: put off, or after too many, apologised for. */
async function handle(parts: Parts, answering: Answering, claim: Claim, stopping: AbortSignal): Promise<void> {
  parts.onStep?.('claimed')
  const job = nextJob(claim)
  if (job === null) return finishing(parts, { claim, jobIds: [] }, async () => {})
  const { id } = job.first.message
  const signal = AbortSignal.any([stopping, answering.begin(job)])
  let draft: Draft | undefined
  try {
    draft = await openDraft(parts, job)
    if (claim.failures >= MAX_FAILURES || claim.attempts > MAX_ATTEMPTS) await apologise(parts, job, draft)
    else if (job.first.kind === 'rating') await rateReply(parts, job, job.first.message, draft)
    else if (isCommand(job.first.message)) await command(parts, job, job.first.message, draft)
    else await converse(parts, job, draft, signal)
  } catch (error) {
    draft?.abandon()
    if (signal.aborted || error instanceof LettersChanged) return parts.mailbox.giveBack(claim)
    if (error instanceof ClaimLost) return
    const delayMs = FIRST_DELAY_MS * 2 ** claim.failures
    parts.log.error({ message: id, failures: claim.failures + 1, delayMs, error }, 'turn failed')
    await parts.mailbox.putOff(claim, delayMs)
  } finally {
    answering.end(job)
  }
}

async function openDraft(parts: Parts, { first, letters, claim }: Job): Promise<Draft> {
  const { id } = first.message
  const outbox = await openOutbox(parts.database.queries, claim.workspace, id)
  const destinations = letters.map(({ message }) => message.destination)
  return platformOf(parts, id).open(destinations, id, outbox)
}

/** An ordinary turn. No database connection is held while the model thinks. */
async function converse(parts: Parts, job: Job, draft: Draft, signal: AbortSignal): Promise<void> {
  const started = performance.now()
  const messages = job.letters.map(({ message }) => message as IncomingMessage)
  const message = messages.at(-1)!
  const question = wordsOf(messages)

  const began = await understand(parts, message, question)
  const answer = await ask(parts, draft, signal, message, question, began)
  const understood = withWishes(began, answer.done)
  const notice = noticeOf(understood, parts.prompts.manner)
  const text = notice === '' ? answer.text : `${answer.text}\n\n${notice}`
  signal.throwIfAborted()
  const postIds = await draft.finish({ text, isPrivate: false, isRatable: answer.model !== null })
  parts.onStep?.('posted')

  const ms = { own: performance.now() - started - answer.ms, model: answer.ms }
  const turn = turnOf(messages, understood, answer, { notice, postIds, ms, promptVersion: parts.prompts.version })
  const lesson = await storeTurn(parts.database, {
    claim: job.claim,
    jobIds: job.jobIds,
    me: parts.me,
    place: message,
    evidence: answer.failure?.kind === 'too-long' ? {} : understood.reading.observed,
    settings: understood.settings,
    began: understood.known,
    restsOn: restsOn(understood, answer.done),
    remember: remembering(understood.remembered, answer.done, message.sentAt),
    forget: forgotten(answer.done),
    signals: signalsOf(question, understood.known.history),
    turn,
  })
  draft.stored?.(
    turnRecord({ message, text, reading: understood.reading, pins: understood.known.pins, turn, lesson, ms }),
  )
  parts.meaning?.stored()
  parts.onStep?.('stored')
  parts.log.info({ message: message.id, changes: lesson.events, model: answer.model, ms }, 'turn')
}

/** The record of the turn. */
function turnOf(
  messages: readonly IncomingMessage[],
  { timezone, style, recalled, remembered }: Understood,
  answer: Answer,
  done: Pick<NewTurn, 'notice' | 'promptVersion'> & {
    readonly postIds: readonly string[]
    readonly ms: TurnRecord['ms']
  },
): NewTurn {
  const askedAt = messages.at(-1)!.sentAt
  const question = wordsOf(messages)
  const happened = eventTime(question, askedAt, timezone)
  return {
    messageIds: messages.map(({ id }) => id),
    question,
    lengths: messages.map(({ text }) => text.length),
    happenedFrom: happened?.from ?? null,
    happenedTo: happened?.to ?? null,
    reply: answer.text,
    notice: done.notice ?? '',
    postIds: [...done.postIds],
    askedAt,
    answeredAt: new Date(askedAt.getTime() + done.ms.own + done.ms.model),
    directive: style,
    recalled: recalled.map(({ at, text }) => ({ at: at.toISOString(), text })),
    actions: actionsOf(remembered, answer.done),
    model: answer.model,
    promptVersion: done.promptVersion,
    ownMs: done.ms.own,
    modelMs: done.ms.model,
  }
}

function wordsOf(messages: readonly IncomingMessage[]): string {
  return messages.map(({ text }) => text).join('\n')
}

/** The model's answer, streaming into the draft; or what can be said without one. */
async function ask(
  parts: Parts,
  draft: Draft,
  signal: AbortSignal,
  message: IncomingMessage,
  text: string,
  understood: Understood,
): Promise<Answer> {
  const { known, recalled, found, style, length, timezone, reading, remembered } = understood
  const isRead = Object.keys({ ...asked(reading), ...reading.once }).length > 0
  const asking = { text, isKept: remembered.length > 0, isRead }
  const question = {
    text,
    name: message.author.name,
    now: message.sentAt,
    profile: known.profile,
    history: known.history,
    recalled,
    found,
    directive: style,
    persona: known.persona,
    length,
    acting: {
      actions: [...offered(asking), ...(parts.tools?.offered(message.workspace, asking) ?? [])],
      names: [...ACTION_NAMES, ...(parts.tools?.names ?? [])],
      context: {
        queries: parts.database.queries,
        place: message,
        question: text,
        now: message.sentAt,
        timezone,
        known,
        vectorOf: (words: string) => vectorOf(parts, words),
        signal,
      },
    },
  }
  const answer = await reply(parts.llm, parts.prompts, question, signal, (textSoFar) => {
    draft.update(textSoFar)
    parts.onStep?.('streaming')
  })
  parts.onStep?.('answered')
  if (answer.failure?.kind !== 'too-long') parts.onModel?.(answer.failure ?? null)
  return answer
}
