/** /persona reset: forgets how somebody likes to be answered, after they saw what would go; what was said stays. */

import { holdPerson, loadKnown, resetPerson } from '../store/people.ts'
import { loadVersions } from '../store/personas.ts'
import { countLearned } from '../store/views.ts'
import type { CommandContext } from './command.ts'
import { echo } from './words.ts'

const STAYS = 'What we talked about stays in my memory.'

export async function reset({ queries, message }: CommandContext, words: readonly string[]): Promise<string> {
  const confirmed = words.length === 1 && words[0]?.toLowerCase() === 'yes'
  if (words.length > 0 && !confirmed) {
    throw new RangeError(`Expected \`yes\` or nothing after \`/persona reset\`, got ${echo(words.join(' '))}`)
  }
  await holdPerson(queries, message)
  const { contexts, observations } = await countLearned(queries, message)
  const versions = (await loadVersions(queries, message)).length
  const pins = Object.keys((await loadKnown(queries, message, 0)).pins).length
  if (contexts + observations + pins + versions === 0)
    return 'I know nothing of how you like to be answered, so nothing can go.'
  const what = [
    `estimates in ${counted(contexts, 'context')}`,
    counted(pins, 'pin'),
    counted(observations, 'observation'),
    ...(versions === 0 ? [] : [counted(versions, 'version of your persona', 'versions of your persona')]),
  ].join(', ')
  if (!confirmed) {
    return `This would forget how you like to be answered: ${what}. ${STAYS}\n\nTo go ahead: \`/persona reset yes\`.`
  }
  await resetPerson(queries, message)
  return `Forgotten: ${what}. I begin anew with you. ${STAYS}`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`
}
