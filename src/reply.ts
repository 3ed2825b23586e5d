/** The reply to a question: from the language model, or, while there is none, from what is stored. Never invented. */

import { type Acting, act, type Done } from './act.ts'
import { type Exchange, fitPrompt } from './llm/budget.ts'
import type { Llm } from './llm/chat.ts'
import { LlmError } from './llm/errors.ts'
import { day, type Episode, quoted } from './memory/episodes.ts'
import { listed } from './memory/profile.ts'
import { answerTokens } from './preference/verbalize.ts'
import type { Prompts } from './prompts.ts'
import { completed, withSection } from './section.ts'
import { tidyText } from './tidy.ts'

export interface Question {
  readonly text: string
  readonly name: string
  readonly now: Date
  /** What is known of the person, best supported first. */
  readonly profile: readonly { readonly text: string }[]
  readonly history: readonly Exchange[]
  readonly recalled: readonly Episode[]
  /** What was said on it anywhere, the last turns included: asked for when no model answers. */
  readonly found: () => Promise<readonly Episode[]>
  readonly directive: string
  /** The person's own prompt; null: the one in prompts/. */
  readonly persona: string | null
  /** The label of length that the reply should have, if any is known. */
  readonly length: string | undefined
  /** What the model may do before it answers; mostly nothing. */
  readonly acting: Acting | null
}

export interface Answer {
  readonly text: string
  /** The model that wrote it, or null. */
  readonly model: string | null
  /** Spent waiting for the model. */
  readonly ms: number
  /** What was done for it. */
  readonly done: readonly Done[]
  /** Why no model answered. */
  readonly failure?: LlmError
}

const EMPTY = 'I got an empty message: there is nothing in it that I can read.'

/** Asks the model. Rejects with the signal's reason when it aborts; any failure of the model becomes an answer. */
export async function reply(
  llm: Llm,
  prompts: Prompts,
  question: Question,
  signal: AbortSignal,
  onText: (textSoFar: string) => void,
): Promise<Answer> {
  if (question.text.trim() === '') return { text: EMPTY, model: null, ms: 0, done: [] }
  const started = performance.now()
  try {
    const messages = (room: number, mayAct: boolean) => messagesFor(llm, prompts, question, room, mayAct)
    const options = { signal, onText, maxTokens: answerTokens(question.length) }
    const { text, ms, done } = await act({ llm, prompts, messages, options }, question.acting)
    return { text: tidyText(text), model: llm.model, ms, done }
  } catch (error) {
    if (!(error instanceof LlmError)) throw error
    const ms = performance.now() - started
    const text = withoutModel(error, await question.found(), question.now)
    return { text, model: null, ms, done: [], failure: error }
  }
}

function messagesFor(llm: Llm, prompts: Prompts, question: Question, room: number, mayAct: boolean) {
  const { recalled, now, text, history, directive, name } = question
  const lines = listed(question.profile)
  const profile = lines === '' ? '' : prompts.render('profile', { name, lines })
  const { actions = [], names = [] } = question.acting ?? {}
  const offered = mayAct ? actions.map((action) => action.name) : []
  const fallback = prompts.render('persona', {})
  const persona = withSection(completed(question.persona ?? fallback, fallback), offered, names)
  const system = prompts.render('reply', { persona, name, profile, style: directive })
  return fitPrompt({
    // A part that is empty leaves a gap.
    system: system.replace(/\n{3,}/g, '\n\n'),
    history,
    question:
      recalled.length === 0 ? text : prompts.render('earlier', { earlier: quoted(recalled, now), question: text }),
    contextTokens: llm.contextTokens,
    answerTokens: answerTokens(question.length) + room,
  })
}

/** What can be said without a model. */
function withoutModel(error: LlmError, found: readonly Episode[], now: Date): string {
  if (error.kind === 'too-long') return error.message
  const reason =
    error.kind === 'empty' ? 'My language model had no answer to that.' : 'I have no language model right now.'
  if (found.length === 0) {
    return `${reason} I find nothing on that in what you told me, either. I keep your message; please ask again later.`
  }
  const [first, ...rest] = found.map(({ at, text }) => ({ on: day(at, now), text: text.replaceAll(/\s+/g, ' ') }))
  const more = rest.slice(0, 2).map(({ on, text }) => `\nAnd on ${on}: “${text}”`)
  return `${reason} On that you told me on ${first?.on}: “${first?.text}”${more.join('')}`
}
