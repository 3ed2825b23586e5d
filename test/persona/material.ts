/** Judged turns and surroundings for tests, and a model that says what it is told to. */

import type { ChatMessage, ChatOptions, Llm } from '../../src/llm/chat.ts'
import type { Judged } from '../../src/persona/judged.ts'
import { loadPrompts } from '../../src/prompts.ts'

export const prompts = loadPrompts()
export const PERSONA = prompts.render('persona', {})

export function judged(turnId: number, given: Partial<Judged> = {}): Judged {
  const ratedAt = given.rating === null ? null : new Date(Date.UTC(2026, 0, 1, turnId))
  const turn = { context: 'direct', question: 'How do I sort a list?', reply: 'With `sort`.', signals: [] }
  return { turnId, rating: 'up', ratedAt, ...turn, ...given }
}

export type Job = 'simulate' | 'gradient' | 'update'

/** What one call is for, by its prompt. */
export function jobOf(messages: readonly ChatMessage[]): Job {
  const content = messages[0]?.content ?? ''
  if (content.startsWith('You improve the persona')) return 'gradient'
  return content.startsWith('You rewrite the persona') ? 'update' : 'simulate'
}

/** Answers each kind of call; an object becomes JSON. `contextTokens` is large enough for everything. */
export function scripted(
  say: (job: Job, messages: readonly ChatMessage[], options: ChatOptions) => unknown,
): Llm & { readonly asked: { readonly job: Job; readonly content: string }[] } {
  const asked: { job: Job; content: string }[] = []
  return {
    model: 'scripted',
    contextTokens: 8192,
    asked,
    async chat(messages, options) {
      const job = jobOf(messages)
      asked.push({ job, content: messages.map(({ content }) => content).join('\n') })
      const said = await say(job, messages, options)
      const text = typeof said === 'string' ? said : JSON.stringify(said)
      return { text, ms: 1, promptTokens: 1, tokens: 1, retried: false }
    },
  }
}

/** The numbers of the turns that advice comes from. */
export function turnsIn(content: string): readonly number[] {
  return [...new Set([...content.matchAll(/^\[(\d+)\]/gm)].map(([, id]) => Number(id)))]
}

/** The persona as lines, with one more before its section on actions. */
export function withLine(persona: string, text: string, turns: readonly number[]) {
  const [first = '', ...rest] = persona.split('\n')
  return [{ text: first, turns: [] }, { text, turns }, ...rest.map((line) => ({ text: line, turns: [] }))]
}
