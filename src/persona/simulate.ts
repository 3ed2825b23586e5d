/** The reply that a persona would give to a question, with nothing recalled: what was recalled would give the answer away. */

import { fitPrompt } from '../llm/budget.ts'
import { answerTokens } from '../preference/verbalize.ts'
import { withSection } from '../section.ts'
import type { Asker } from './ask.ts'

export interface Scene {
  /** How the style is put to the model in this context; empty: it isn't. */
  readonly style: string
  /** The label of length, if any is known. */
  readonly length: string | undefined
}

export function simulate(asker: Asker, persona: string, question: string, scene: Scene): Promise<string> {
  const system = asker.prompts.render('reply', {
    persona: withSection(persona, [], []),
    name: 'a member of the team',
    profile: '',
    style: scene.style,
  })
  const most = answerTokens(scene.length)
  const messages = fitPrompt({
    system: system.replace(/\n{3,}/g, '\n\n'),
    history: [],
    question,
    contextTokens: asker.contextTokens,
    answerTokens: most,
  })
  return asker.text(messages, most)
}
