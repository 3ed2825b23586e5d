/** Which of the waiting letters are answered in one go, and how that ends. */

import type { IncomingMessage } from './adapter.ts'
import { type Claim, finishClaim, holdClaim, holdLetters, type Letter, LettersChanged } from './mailbox.ts'
import type { Parts } from './parts.ts'
import type { Queries } from './store/database.ts'

type Waiting = Claim['letters'][number]

export interface Job {
  readonly claim: Claim
  readonly first: Waiting
  readonly letters: readonly Waiting[]
  readonly jobIds: readonly number[]
}

/** Waiting messages of one person are answered together; a command or a rating stands alone. Null: nothing waits. */
export function nextJob(claim: Claim): Job | null {
  const { letters } = claim
  const [first] = letters
  if (first === undefined) return null
  const belongs = (letter: Waiting) =>
    !isErrand(letter) && letter.message.author.id === first.message.author.id && letter.home === first.home
  const end = belongs(first) ? letters.findIndex((letter) => !belongs(letter)) : 1
  const together = end === -1 ? letters : letters.slice(0, end)
  return { claim, first, letters: together, jobIds: together.map(({ jobId }) => jobId) }
}

function isErrand(letter: Letter): boolean {
  return letter.kind === 'rating' || isCommand(letter.message)
}

export function isCommand({ text }: IncomingMessage): boolean {
  return text.trimStart().startsWith('/')
}

/**
 * Effects of letters that are not finished with them: all of it or nothing.
 * @throws ClaimLost or LettersChanged
 */
export function holding<T>(
  { database, me }: Parts,
  { claim, jobIds }: Pick<Job, 'claim' | 'jobIds'>,
  effects: (transaction: Queries) => Promise<T>,
): Promise<T> {
  return database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, me, claim)
    if (!(await holdLetters(transaction, claim, jobIds))) throw new LettersChanged(`${claim.conversation} is empty`)
    return effects(transaction)
  })
}

/**
 * Effects and the end of the job in one transaction: a crash repeats all of it or nothing.
 * @throws ClaimLost
 */
export function finishing<T>(
  { database, me }: Parts,
  { claim, jobIds }: Pick<Job, 'claim' | 'jobIds'>,
  effects: (transaction: Queries) => Promise<T>,
  state: 'done' | 'dead' = 'done',
): Promise<T> {
  return database.queries.transaction(async (transaction) => {
    await holdClaim(transaction, me, claim)
    const result = await effects(transaction)
    await finishClaim(transaction, claim, jobIds, state)
    return result
  })
}
