/** /persona set and unset: labels that the person chose stand in for what was noticed, in every context. */

import { DIMENSIONS, type Dimension, dimensions, type Partly } from '../preference/dimensions.ts'
import { holdPerson, loadKnown, savePins } from '../store/people.ts'
import type { CommandContext } from './command.ts'
import { didYouMean, echo, either, notOneOf, withoutEquals } from './words.ts'

/** `set <dimension> <label>`. */
export async function pin({ queries, message }: CommandContext, words: readonly string[]): Promise<string> {
  const [name, label, ...rest] = withoutEquals(words)
  if (name === undefined || rest.length > 0) {
    throw new RangeError(`Expected a dimension and a label after \`/persona set\`, got ${echo(words.join(' '))}`)
  }
  const dimension = dimensionNamed(name)
  const chosen = labelNamed(dimension, label ?? '')
  const pins = await holdPins({ queries, message })
  await savePins(queries, message, { ...pins, [dimension]: chosen })
  const before = pins[dimension]
  const was = before === undefined || before === chosen ? '' : ` (was \`${before}\`)`
  return `\`${dimension}\` is pinned to \`${chosen}\`${was}, everywhere in this workspace, until \`/persona unset ${dimension}\`.`
}

/** `unset <dimension>`, or `unset all`. */
export async function unpin({ queries, message }: CommandContext, words: readonly string[]): Promise<string> {
  const [name, ...rest] = words
  if (name === undefined || rest.length > 0) {
    throw new RangeError(`Expected one dimension or \`all\` after \`/persona unset\`, got ${echo(words.join(' '))}`)
  }
  const dimension = name.toLowerCase() === 'all' ? 'all' : dimensionNamed(name, ['all'])
  const pins = await holdPins({ queries, message })
  const gone = dimensions.filter((d) => pins[d] !== undefined && (dimension === 'all' || d === dimension))
  if (gone.length === 0) return dimension === 'all' ? 'Nothing is pinned.' : `\`${dimension}\` isn't pinned.`
  const kept = Object.entries(pins).filter(([d]) => !gone.some((name) => name === d))
  await savePins(queries, message, Object.fromEntries(kept))
  const list = gone.map((d) => `\`${d}\``).join(', ')
  return gone.length === 1
    ? `${list} is no longer pinned; I go by what I notice again.`
    : `${list} are no longer pinned; I go by what I notice again.`
}

/** The pins as they stand; nobody else changes them until the transaction ends. */
async function holdPins({ queries, message }: Pick<CommandContext, 'queries' | 'message'>): Promise<Partly<string>> {
  await holdPerson(queries, message)
  return (await loadKnown(queries, message, 0)).pins
}

function dimensionNamed(name: string, others: readonly string[] = []): Dimension {
  const found = dimensions.find((dimension) => dimension === name.toLowerCase())
  if (found === undefined) throw notOneOf([...dimensions, ...others], name)
  return found
}

function labelNamed(dimension: Dimension, text: string): string {
  const labels: readonly string[] = DIMENSIONS[dimension].labels
  const found = labels.find((label) => label === text.toLowerCase())
  if (found !== undefined) return found
  throw new RangeError(
    `Expected \`${dimension}\` to be ${either(labels)}, got ${echo(text)}${didYouMean(text, labels)}`,
  )
}
