/** A LoCoMo file: conversations of two people over many sessions, and questions with the turns that hold the answers. */

import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

export const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'] as const

export interface Said {
  /** Such as `D8:6`: the sixth turn of the eighth session. */
  readonly id: string
  readonly speaker: string
  readonly text: string
  readonly at: Date
}

export interface Asked {
  readonly question: string
  readonly answer: string
  /** Ids of turns, repaired, those that exist and each once. */
  readonly evidence: readonly string[]
  /** From 1 to 5, as in `CATEGORIES`. */
  readonly category: number
}

export interface Conversation {
  readonly id: string
  readonly speakers: readonly [string, string]
  /** In the order in which they were said. */
  readonly said: readonly Said[]
  readonly asked: readonly Asked[]
}

const MINUTE_MS = 60_000

// `query` is not read: it holds the annotators' search words, which leak answers.
const turn = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
})
const answer = z.union([z.string(), z.number()])
const file = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.looseObject({ speaker_a: z.string(), speaker_b: z.string() }),
    qa: z.array(
      z.object({
        question: z.string(),
        answer: answer.optional(),
        adversarial_answer: answer.nullish(),
        evidence: z.array(z.string()).default([]),
        category: z.int().min(1).max(5),
      }),
    ),
  }),
)

/** @throws Error that says what was expected, when there is no such file or it is none of LoCoMo's */
export function readLocomo(path: string): Conversation[] {
  if (!existsSync(path))
    throw new Error(`Expected \`--data\` to be a LoCoMo file such as locomo10.json, got \`${path}\``)
  const parsed = file.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data.map(conversationOf)
  const problem = parsed.error.issues[0]
  throw new Error(
    `Expected \`${path}\` to be a LoCoMo file, got something else (${problem?.path.join('.')}: ${problem?.message})`,
  )
}

function conversationOf({ sample_id, conversation, qa }: z.infer<typeof file>[number]): Conversation {
  const said = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .toSorted((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .flatMap((key) => sessionOf(conversation[key], sessionTime(String(conversation[`${key}_date_time`]))))
  const ids = new Set(said.map(({ id }) => id))
  const asked = qa.map((one) => ({
    question: one.question,
    answer: String(one.answer ?? one.adversarial_answer ?? ''),
    evidence: evidenceIds(one.evidence).filter((id) => ids.has(id)),
    category: one.category,
  }))
  return { id: sample_id, speakers: [conversation.speaker_a, conversation.speaker_b], said, asked }
}

function sessionOf(session: unknown, begins: Date): Said[] {
  return z
    .array(turn)
    .parse(session)
    .map(({ dia_id, speaker, text, blip_caption }, index) => ({
      id: dia_id,
      speaker,
      text: blip_caption === undefined ? text : `${text} [shows ${blip_caption}]`,
      at: new Date(begins.getTime() + index * MINUTE_MS),
    }))
}

/** `1:56 pm on 8 May, 2023`, taken as UTC. @throws Error when it reads otherwise */
export function sessionTime(text: string): Date {
  const [, time, half, date] = /^(\d+:\d+) (am|pm) on (.+)$/i.exec(text.trim()) ?? []
  const at = new Date(`${date?.replace(',', '')} ${time} ${half} UTC`)
  if (Number.isNaN(at.getTime()))
    throw new Error(`Expected a session's time to read 1:56 pm on 8 May, 2023, got \`${text}\``)
  return at
}

/** Ids as they are found in whatever was written: `D8:6; D9:17`, `D:11:26`, `D30:05`. */
export function evidenceIds(written: readonly string[]): string[] {
  const ids = written.flatMap((text) =>
    [...text.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, number]) => `D${Number(session)}:${Number(number)}`),
  )
  return [...new Set(ids)]
}
