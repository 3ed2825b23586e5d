/** /persona pause and resume: the person is answered, but nothing is learned or stored of them. */

import { holdPerson, savePaused } from '../store/people.ts'
import type { CommandContext } from './command.ts'

export async function pause({ queries, message }: CommandContext): Promise<string> {
  const { isPaused } = await holdPerson(queries, message)
  if (isPaused) return 'I am paused for you already. `/persona resume` ends that.'
  await savePaused(queries, message, true)
  return 'Paused: I answer you, but learn nothing and keep nothing of what you say, until `/persona resume`. What I kept before stays: `/persona memory` shows it, `/persona forget` erases it.'
}

export async function resume({ queries, message }: CommandContext): Promise<string> {
  const { isPaused } = await holdPerson(queries, message)
  if (!isPaused) return 'I am not paused for you.'
  await savePaused(queries, message, false)
  return 'I learn and remember again. Of what you said meanwhile I kept nothing.'
}
