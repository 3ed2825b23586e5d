/** LLM_update: rewrites the persona from all advice. What comes back is checked by limits.ts before it counts. */

import { z } from 'zod'
import type { Asker } from './ask.ts'
import type { Line } from './limits.ts'

const TOKENS = 1000
const Rewritten = z.strictObject({
  lines: z
    .array(z.strictObject({ text: z.string(), turns: z.array(z.int()).max(20) }))
    .min(1)
    .max(80),
})

/** The whole persona, line by line, each with the turns that it rests on; none: it was there before. @throws as the asker does */
export async function update(
  asker: Asker,
  persona: string,
  advice: ReadonlyMap<number, readonly string[]>,
): Promise<readonly Line[]> {
  const lines = [...advice].flatMap(([turnId, all]) => all.map((line) => `[${turnId}] ${line}`))
  const content = asker.prompts.render('update', { persona, advice: lines.join('\n') })
  const rewritten = await asker.json(content, Rewritten, TOKENS)
  return rewritten.lines.flatMap(({ text, turns }) => text.split('\n').map((line) => ({ text: line, turns })))
}
