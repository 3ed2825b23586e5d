/** How often the model is asked in a turn, over a scripted day of one team. */

import type { ChatMessage, ChatOptions, Llm } from '../../src/llm/chat.ts'
import type { Database } from '../../src/store/database.ts'
import { directOf, nameOf } from './crowd.ts'
import { startTalk } from './talk.ts'

const TURNS = 200
const PEOPLE = 8
const REPLY = 'A model of no latency said this.'

/**
 * What people say in a day, each as often as it says: mostly questions and talk; one turn in eight asks for a sum, the
 * time or what was said before, tells a wish, or something to keep.
 */
const DAY: readonly (readonly [times: number, texts: readonly string[]])[] = [
  [
    14,
    [
      'How do I undo the last commit without losing my changes?',
      'why does this query take so long: select * from orders where total > 100',
      'can you explain what a mutex is',
      'Write a short note to the team that the release moves to Thursday.',
      'thanks, that helps',
      'hmm, that is not what I meant',
      'What would be a good name for a function that merges two sorted lists?',
      'morning! coffee first, then the release',
      'Is it better to use a queue or a table for this?',
      'lol ok',
    ],
  ],
  [
    6,
    [
      'shorter please',
      'Could you go into more detail on the second point?',
      'Which of these would you pick, and why?',
      'give me three ideas for the offsite in October',
      'My deploy failed again with exit code 137.',
      'The meeting with the customer went well, they want a prototype.',
    ],
  ],
  [
    3,
    [
      'What is 17.5% of 240?',
      'what did I tell you about the prototype?',
      'remember that our staging server is called heron',
      'What time is it?',
    ],
  ],
  [3, ['When did I say the customer meeting was?', 'please answer in bullet points from now on']],
  [2, ['What do you know about me?', 'what did Bo say above?', 'how many days until 24 December?']],
]

export interface Day {
  readonly turns: number
  readonly calls: number
}

/**
 * Says all of it, in an order that mixes the kinds. The model calls every tool that it is offered, once, before it
 * answers; one without tools is asked in words which action it takes, and takes the first.
 */
export async function measureDay(database: Database, takesTools: boolean): Promise<Day> {
  let calls = 0
  const llm: Llm = {
    model: takesTools ? 'eager' : 'eager without tools',
    contextTokens: 4096,
    takesTools: async () => takesTools,
    async chat(messages, options) {
      calls++
      return { ms: 0, promptTokens: 1, tokens: 1, retried: false, ...answer(messages, options) }
    },
  }
  const talk = startTalk(database, 1, llm)
  const said = DAY.flatMap(([times, texts]) => texts.flatMap((text) => Array.from({ length: times }, () => text)))
  if (said.length !== TURNS) throw new Error(`Expected a day of ${TURNS} turns, got ${said.length}`)
  for (let i = 0; i < TURNS; i++) {
    // 77 and 200 have no divisor in common: each is said once.
    const text = said[(i * 77) % TURNS]!
    await talk.say({ ...directOf(nameOf(i % PEOPLE)), text, evidence: {} })
  }
  await talk.close()
  return { turns: TURNS, calls }
}

function answer(messages: readonly ChatMessage[], { tools = [], format, onText }: ChatOptions) {
  const called = new Set(messages.flatMap(({ toolCalls }) => toolCalls?.map(({ name }) => name) ?? []))
  const next = tools.find(({ name }) => !called.has(name))
  if (next !== undefined) return { text: '', toolCalls: [{ name: next.name, arguments: {} }] }
  if (format !== undefined) return { text: JSON.stringify({ action: firstOf(format), arguments: {} }) }
  onText?.(REPLY)
  return { text: REPLY }
}

/** The first action that the format of a choice names after `answer`. */
function firstOf(format: object): string {
  const names = JSON.stringify(format).matchAll(/"enum":\["(\w+)"\]/g)
  return [...names].map(([, name = '']) => name).find((name) => name !== 'answer') ?? 'answer'
}
