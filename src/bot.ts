/**
 * One message, from its arrival until it is remembered:
 * accept → lane of its conversation → analyse → estimate → words → recall → model → reply → store.
 */

import type { Bot, Draft, IncomingMessage, TurnRecord } from './adapter.ts'
import { apologise, command, rateReply } from './errand.ts'
import { finishing, isCommand, type Job, nextJob } from './job.ts'
import { type Claim, ClaimLost, type Letter } from './mailbox.ts'
import type { Embedded } from './memory/candidates.ts'
import { eventTime } from './memory/dates.ts'
import { type Episode, recalledFrom, scanFor } from './memory/episodes.ts'
import { enter } from './memory/profile.ts'
import { rememberedFrom } from './memory/profile-claims.ts'
import { asked, noticeOf } from './notice.ts'
import { type Parts, platformOf } from './parts.ts'
import { type Lesson, learn } from './preference/learn.ts'
import { directive } from './preference/verbalize.ts'
import { turnRecord } from './record.ts'
import { type Answer, reply } from './reply.ts'
import { type Known, loadKnown } from './store/people.ts'
import { type NewTurn, type Outcome, type Rests, storeTurn } from './store/turns.ts'
import { tidy } from './tidy.ts'
import { createWorker } from './worker.ts'
import { settingsOf, TIMEZONE } from './workspace.ts'

/** Turns of the conversation that are put to the model word for word. */
const HISTORY_TURNS = 12
const RECALLED_TURNS = 4
/** What shares no word with the message has to be this near in meaning: small models answer to what they are shown. */
const RECALLED_FROM_COSINE = 0.2
/** After so many failures in a row, or claims that ended with their process, the bot apologises and goes on. */
const MAX_FAILURES = 6
const MAX_ATTEMPTS = 60
const FIRST_DELAY_MS = 500

export interface RunningBot extends Bot {
  /** Answers what was accepted until the signal aborts; then gives back what is under way. */
  work(signal: AbortSignal): Promise<void>
}

export function createBot(parts: Parts): RunningBot {
  const worker = createWorker(parts, (claim, signal) => handle(parts, claim, signal))
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
    idle: worker.idle,
    work: worker.work,
  }
}

/** Handles what is first in a conversation. Every failure ends here: put off, or after too many, apologised for. */
async function handle(parts: Parts, claim: Claim, signal: AbortSignal): Promise<void> {
  parts.onStep?.('claimed')
  const job = nextJob(claim)
  if (job === null) return finishing(parts, { claim, jobIds: [] }, async () => {})
  const { id } = job.first.message
  let draft: Draft | undefined
  try {
    draft = platformOf(parts, id).open(
      job.letters.map(({ message }) => message.destination),
      id,
    )
    if (claim.failures >= MAX_FAILURES || claim.attempts > MAX_ATTEMPTS) await apologise(parts, job, draft)
    else if (job.first.kind === 'rating') await rateReply(parts, job, job.first.message, draft)
    else if (isCommand(job.first.message)) await command(parts, job, job.first.message, draft)
    else await converse(parts, job, draft, signal)
  } catch (error) {
    draft?.abandon()
    if (signal.aborted) return parts.mailbox.giveBack(claim)
    if (error instanceof ClaimLost) return
    const delayMs = FIRST_DELAY_MS * 2 ** claim.failures
    parts.log.error({ message: id, failures: claim.failures + 1, delayMs, error }, 'turn failed')
    await parts.mailbox.putOff(claim, delayMs)
  }
}

/** An ordinary turn. No database connection is held while the model thinks. */
async function converse(parts: Parts, job: Job, draft: Draft, signal: AbortSignal): Promise<void> {
  const started = performance.now()
  const messages = job.letters.map(({ message }) => message as IncomingMessage)
  const message = messages.at(-1)!
  const question = wordsOf(messages)

  const understood = await understand(parts, message, question)
  const answer = await ask(parts, draft, signal, message, question, understood)
  const notice = noticeOf(understood, parts.prompts.manner)
  const text = notice === '' ? answer.text : `${answer.text}\n\n${notice}`
  const postIds = await draft.finish({ text, isPrivate: false })
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
    restsOn: restsOn(understood),
    remember: remembering(understood.remembered, message.sentAt),
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
    happenedFrom: happened?.from ?? null,
    happenedTo: happened?.to ?? null,
    reply: answer.text,
    notice: done.notice ?? '',
    postIds: [...done.postIds],
    askedAt,
    answeredAt: new Date(askedAt.getTime() + done.ms.own + done.ms.model),
    directive: style,
    recalled: recalled.map(({ at, text }) => ({ at: at.toISOString(), text })),
    actions: remembered.map((remembers) => ({ remembers })),
    model: answer.model,
    promptVersion: done.promptVersion,
    ownMs: done.ms.own,
    modelMs: done.ms.model,
  }
}

function wordsOf(messages: readonly IncomingMessage[]): string {
  return messages.map(({ text }) => text).join('\n')
}

interface Understood {
  readonly known: Known
  readonly settings: ReturnType<typeof settingsOf>
  readonly reading: ReturnType<Parts['analyse']>
  readonly lesson: Lesson
  /** The style text for the model. */
  readonly style: string
  readonly length: string | undefined
  readonly recalled: readonly Episode[]
  /** What was said on it anywhere, the last turns included. */
  readonly found: () => Promise<readonly Episode[]>
  readonly timezone: string
  /** What is added to the profile at once. */
  readonly remembered: readonly string[]
}

/** Everything before the model is asked: what the words say of the person, and what the person said before. */
async function understand(parts: Parts, message: IncomingMessage, question: string): Promise<Understood> {
  const { queries } = parts.database
  const [known, scanned] = await Promise.all([
    loadKnown(queries, message, HISTORY_TURNS),
    vectorOf(parts, question).then((vector) => scanFor(queries, message, question, vector)),
  ])
  const settings = settingsOf(known.tuning)
  const read = parts.analyse(question, known.history.at(-1)?.assistant ?? null)
  const reading = known.isPaused ? { ...read, observed: {} } : read
  const remembered = known.isPaused ? [] : rememberedFrom(question)
  const lesson = learn(known.learned, reading.observed, settings, 'turn')
  const labels = { ...lesson.labels, ...known.pins, ...asked(reading), ...reading.once }
  parts.onStep?.('analysed')

  const timezone = known.tuning.timezone ?? TIMEZONE
  const options = { limit: RECALLED_TURNS, leastCosine: RECALLED_FROM_COSINE, now: message.sentAt, timezone }
  const find = (without: readonly number[]) =>
    recalledFrom(queries, message, question, scanned, { ...options, without })
  const recalled = await find(known.history.map(({ turnId }) => turnId))
  parts.onStep?.('recalled')
  const style = settings.directive ? directive(labels, parts.prompts.manner) : ''
  const length = labels.length
  return { known, settings, reading, lesson, style, length, recalled, found: () => find([]), remembered, timezone }
}

async function vectorOf({ meaning }: Parts, question: string): Promise<Embedded | null> {
  return (await meaning?.question(question)) ?? null
}

/** The model's answer, streaming into the draft; or what can be said without one. */
async function ask(
  parts: Parts,
  draft: Draft,
  signal: AbortSignal,
  message: IncomingMessage,
  text: string,
  { known, recalled, found, style, length }: Understood,
): Promise<Answer> {
  const question = {
    text,
    name: message.author.name,
    now: message.sentAt,
    profile: known.profile,
    history: known.history,
    recalled,
    found,
    directive: style,
    length,
  }
  const answer = await reply(parts.llm, parts.prompts, question, signal, (textSoFar) => {
    draft.update(textSoFar)
    parts.onStep?.('streaming')
  })
  parts.onStep?.('answered')
  if (answer.failure?.kind !== 'too-long') parts.onModel?.(answer.failure ?? null)
  return answer
}

/** What the model is shown of the past; if any of it is forgotten before the turn is stored, the turn is not. */
function restsOn({ known, recalled }: Understood): Rests {
  const { history, profile } = known
  return {
    turnIds: [...history, ...recalled].map(({ turnId }) => turnId).concat(profile.flatMap(({ turnIds }) => turnIds)),
    lineIds: profile.map(({ lineId }) => lineId),
  }
}

/** The profile with these lines in it. */
function remembering(texts: readonly string[], at: Date): Outcome['remember'] {
  if (texts.length === 0) return null
  return (lines, turnId) => texts.reduce((known, text) => enter(known, { text, turnIds: [turnId], at }), lines)
}
