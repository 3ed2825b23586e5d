/** LLM_grad: compares what the persona would answer now with what the person made of the reply they got, and advises. */

import { z } from 'zod'
import { cut } from '../llm/budget.ts'
import { ownWords } from '../preference/own-words.ts'
import { type Asker, quotedText } from './ask.ts'
import { type Judged, verdictOf } from './judged.ts'

const TOKENS = 300
const CHARACTERS = { question: 500, reply: 1000, said: 200 } as const
const Advice = z.strictObject({ advice: z.array(z.string().max(2000)).max(6) })
const MADE_OF_IT = {
  1: 'They accepted this reply.',
  0: 'They said both good and bad of it.',
  '-1': 'They rejected this reply.',
} as const

/** Advice from one turn, often none. @throws as the asker does */
export async function gradient(
  asker: Asker,
  persona: string,
  turn: Judged,
  simulated: string,
): Promise<readonly string[]> {
  const content = asker.prompts.render('gradient', {
    persona,
    question: quotedText(cut(ownWords(turn.question), CHARACTERS.question)),
    reply: quotedText(cut(turn.reply, CHARACTERS.reply)),
    judged: judgedAs(turn),
    simulated: quotedText(cut(simulated, CHARACTERS.reply)),
  })
  const { advice } = await asker.json(content, Advice, TOKENS)
  return advice.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '')
}

function judgedAs(turn: Judged): string {
  const said = turn.signals
    .filter(({ kind }) => kind !== 'thanks')
    .map(({ said: words }) => cut(ownWords(words), CHARACTERS.said))
  const next = said.length === 0 ? '' : ` Then they said: ${quotedText(said.join(' / '))}`
  return `${MADE_OF_IT[verdictOf(turn)]}${next}`
}
