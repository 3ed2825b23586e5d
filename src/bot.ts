/**
 * One message, from its arrival until it is remembered:
 * accept → lane of its conversation → analyse → estimate → words → recall → model → reply → store.
 */

import type { Bot, Draft, IncomingMessage, Platform, Rating } from './adapter.ts'
import { runCommand } from './commands.ts'
import { rate } from './feedback.ts'
import type { Llm } from './llm/chat.ts'
import type { LlmError } from './llm/errors.ts'
import type { Log } from './log.ts'
import { type Claim, ClaimLost, finishClaim, holdClaim, type Letter, type Mailbox } from './mailbox.ts'
import { recall } from './memory/episodes.ts'
import type { Analyse } from './preference/analyser.ts'
import { confirmedChanges, learn } from './preference/learn.ts'
import { changeNotice, directive } from './preference/verbalize.ts'
import type { Prompts } from './prompts.ts'
import { commandRecord, ratingRecord, turnRecord } from './record.ts'
import { type Answer, reply } from './reply.ts'
import type { Database, Queries } from './store/database.ts'
import { loadKnown } from './store/people.ts'
import { storeTurn } from './store/turns.ts'
import { tidy } from './tidy.ts'
import { createWorker } from './worker.ts'
import { settingsOf } from './workspace.ts'

/** What the bot is made of; main.ts brings the real parts, the tests bring their own. */
export interface Parts {
  readonly database: Database
  readonly mailbox: Mailbox
  readonly llm: Llm
  readonly analyse: Analyse
  readonly prompts: Prompts
  readonly platforms: readonly Platform[]
  readonly log: Log
  /** The name under which this process holds conversations. */
  readonly me: string
  readonly concurrency: number
  /** Told of every answer: what kept the model from giving it, or null. */
  readonly onModel?: (failure: LlmError | null) => void
  /** Told of each step, so that tests can stop the process there. */
  readonly onStep?: (step: Step) => void
}

export type Step = 'accepted' | 'claimed' | 'analysed' | 'recalled' | 'streaming' | 'answered' | 'posted' | 'stored'

/** Turns of the conversation that are put to the model word for word. */
const HISTORY_TURNS = 12
const RECALLED_TURNS = 4
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
    const platform = platformOf(parts, letter.message.id)
    const isNew = await parts.mailbox.accept(tidy(letter), platform.isLocal ? parts.me : null)
    parts.onStep?.('accepted')
    worker.wake()
    return isNew
  }
  return {
    receive: (message: IncomingMessage) => accept({ kind: 'message', message }),
    rate: (message: Rating) => accept({ kind: 'rating', message }),
    idle: worker.idle,
    work: worker.work,
  }
}

/** Handles what is first in a conversation. Every failure ends here: put off, or after too many, apologised for. */
async function handle(parts: Parts, claim: Claim, signal: AbortSignal): Promise<void> {
  parts.onStep?.('claimed')
  const job = nextJob(claim)
  if (job === null) return finishEmpty(parts, claim)
  const draft = platformOf(parts, job.first.message.id).open(
    job.letters.map(({ message }) => message.destination),
    job.first.message.id,
  )
  try {
    if (claim.failures >= MAX_FAILURES || claim.attempts > MAX_ATTEMPTS) await apologise(parts, claim, job, draft)
    else if (job.first.kind === 'rating') await rateReply(parts, claim, job, job.first.message, draft)
    else if (job.first.message.text.startsWith('/')) await command(parts, claim, job, job.first.message, draft)
    else await converse(parts, claim, job, draft, signal)
  } catch (error) {
    draft.abandon()
    if (signal.aborted) return parts.mailbox.giveBack(claim)
    if (error instanceof ClaimLost) return
    const delayMs = FIRST_DELAY_MS * 2 ** claim.failures
    parts.log.error({ message: job.first.message.id, failures: claim.failures + 1, delayMs, error }, 'turn failed')
    await parts.mailbox.putOff(claim, delayMs)
  }
}

interface Job {
  readonly first: Claim['letters'][number]
  readonly letters: readonly Claim['letters'][number][]
  readonly jobIds: readonly number[]
}

/** Waiting messages of one person are answered together; a command or a rating stands alone. */
export function nextJob({ letters }: Claim): Job | null {
  const [first] = letters
  if (first === undefined) return null
  const belongs = (letter: Claim['letters'][number]) =>
    letter.kind === 'message' &&
    !letter.message.text.startsWith('/') &&
    letter.message.author.id === first.message.author.id
  const end = belongs(first) ? letters.findIndex((letter) => !belongs(letter)) : 1
  const together = end === -1 ? letters : letters.slice(0, end)
  return { first, letters: together, jobIds: together.map(({ jobId }) => jobId) }
}

/** An ordinary turn. No database connection is held while the model thinks. */
async function converse(parts: Parts, claim: Claim, job: Job, draft: Draft, signal: AbortSignal): Promise<void> {
  const { database, analyse, prompts } = parts
  const started = performance.now()
  const messages = job.letters.map(({ message }) => message as IncomingMessage)
  const message = messages.at(-1)!
  const question = messages.map(({ text }) => text).join('\n')

  const known = await loadKnown(database.queries, message, HISTORY_TURNS)
  const settings = settingsOf(known.tuning)
  const reading = analyse(question, known.history.at(-1)?.assistant ?? null)
  const lesson = learn(known.learned, reading.observed, settings, 'turn')
  parts.onStep?.('analysed')

  const labels = { ...lesson.labels, ...known.pins, ...reading.once }
  const style = settings.directive ? directive(labels, prompts.manner) : ''
  const find = (without: readonly number[]) =>
    recall(database.queries, message, question, { limit: RECALLED_TURNS, without })
  const recalled = await find(known.history.map(({ turnId }) => turnId))
  parts.onStep?.('recalled')

  const answer = await ask(parts, draft, signal, {
    text: question,
    name: message.author.name,
    now: message.sentAt,
    history: known.history,
    recalled,
    found: () => find([]),
    directive: style,
    length: labels.length,
  })
  parts.onStep?.('answered')
  const changed = known.tuning.notices === 'off' ? [] : confirmedChanges(lesson.events)
  const notice = changeNotice(
    changed.filter((dimension) => known.pins[dimension] === undefined),
    lesson.labels,
    prompts.manner,
  )
  const text = notice === '' ? answer.text : `${answer.text}\n\n${notice}`
  const postIds = await draft.finish({ text, isPrivate: false })
  parts.onStep?.('posted')

  const ms = { own: performance.now() - started - answer.ms, model: answer.ms }
  const shownRecalled = recalled.map((episode) => ({ at: episode.at.toISOString(), text: episode.text }))
  const stored = await storeTurn(database, {
    claim,
    me: parts.me,
    jobIds: job.jobIds,
    place: message,
    evidence: reading.observed,
    settings,
    resets: known.resets,
    turn: {
      messageIds: messages.map(({ id }) => id),
      question,
      reply: answer.text,
      notice,
      postIds: [...postIds],
      askedAt: message.sentAt,
      answeredAt: new Date(message.sentAt.getTime() + performance.now() - started),
      directive: style,
      recalled: shownRecalled,
      actions: [],
      model: answer.model,
      promptVersion: prompts.version,
      ownMs: ms.own,
      modelMs: ms.model,
    },
  })
  draft.stored?.(
    turnRecord({
      message,
      text,
      style,
      reading,
      lesson: stored,
      pins: known.pins,
      recalled: shownRecalled,
      answer,
      ms,
    }),
  )
  parts.onStep?.('stored')
  parts.log.info({ message: message.id, changes: stored.events, model: answer.model, ms }, 'turn')
}

/** The model's answer, streaming into the draft; tells whoever runs the bot when the model goes and comes. */
async function ask(
  parts: Parts,
  draft: Draft,
  signal: AbortSignal,
  question: Parameters<typeof reply>[2],
): Promise<Answer> {
  const answer = await reply(parts.llm, parts.prompts, question, signal, (textSoFar) => {
    draft.update(textSoFar)
    parts.onStep?.('streaming')
  })
  if (answer.failure?.kind !== 'too-long') parts.onModel?.(answer.failure ?? null)
  return answer
}

/** A command's effects, its reply and the end of its job are one transaction: a crash repeats all of it or nothing. */
async function command(parts: Parts, claim: Claim, job: Job, message: IncomingMessage, draft: Draft): Promise<void> {
  const started = performance.now()
  const text = await finishing(parts, claim, job, async (transaction) => {
    const said = await runCommand({ queries: transaction, message, now: message.sentAt })
    await draft.finish({ text: said, isPrivate: true })
    return said
  })
  const known = await loadKnown(parts.database.queries, message, 0)
  draft.stored?.(commandRecord(message, text, known, performance.now() - started))
  parts.log.info({ message: message.id, ms: { own: performance.now() - started } }, 'command')
}

async function rateReply(parts: Parts, claim: Claim, job: Job, rating: Rating, draft: Draft): Promise<void> {
  const rated = await finishing(parts, claim, job, (transaction) => rate(transaction, rating))
  draft.stored?.(ratingRecord(rating, rated))
  parts.log.info({ message: rating.id, rated }, 'rating')
}

async function apologise(parts: Parts, claim: Claim, job: Job, draft: Draft): Promise<void> {
  const text = 'Sorry, I tried several times and could not answer that. Please ask whoever runs me to look at my log.'
  await finishing(parts, claim, job, () => draft.finish({ text, isPrivate: false }), 'dead')
  const known = await loadKnown(parts.database.queries, job.first.message, 0)
  draft.stored?.(commandRecord(job.first.message, text, known, 0))
  parts.log.error({ message: job.first.message.id }, 'gave up')
}

async function finishEmpty(parts: Parts, claim: Claim): Promise<void> {
  await parts.database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, parts.me, claim)
    await finishClaim(transaction, claim, [])
  })
}

function finishing<T>(
  parts: Parts,
  claim: Claim,
  job: Job,
  effects: (transaction: Queries) => Promise<T>,
  state: 'done' | 'dead' = 'done',
): Promise<T> {
  return parts.database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, parts.me, claim)
    const result = await effects(transaction)
    await finishClaim(transaction, claim, job.jobIds, state)
    return result
  })
}

function platformOf({ platforms }: Parts, id: string): Platform {
  const platform = platforms.find(({ name }) => id.startsWith(`${name}:`))
  if (platform === undefined) throw new Error(`Expected a message of ${platforms.map(({ name }) => name).join(', ')}`)
  return platform
}
