/** Whether a line that a model proposes for the profile is borne out by the statements that it names. */

import { compare, contentOf, isNegative, isWithin, slotOf } from './profile-words.ts'

/** Of the content words of a line, more than this share has to be in one of its statements: of five, one may lack. */
const SHARE = 3 / 4
/** What nobody is asked to keep: orders to the bot, and offices that it isn't for a person to give themselves. */
const UNFIT =
  /\b(?:ignore|disregard|instructions?|system prompt|you (?:must|should|will|are)|admins?|administrators?|moderators?|superusers?)\b|^(?:always|never|answer|reply|respond|act|behave|do|don't)\b/i

/**
 * The turns that bear the line out, of those that it names; empty: the line has no evidence. `said`: the person's own
 * statements by turn. A statement bears a line out that says the same, or holds nearly all of its content words, all of
 * its names and numbers, and denies what the line denies. Where somebody lives, and whatever else there is one of, has to
 * be said in so many words: who walks a dog in a town need not live there.
 */
export function evidenceOf(
  line: { readonly text: string; readonly turnIds: readonly number[] },
  said: ReadonlyMap<number, readonly string[]>,
  name: string,
): readonly number[] {
  if (UNFIT.test(line.text)) return []
  const content = without(contentOf(line.text), contentOf(name))
  if (content.size === 0) return []
  const certain = without(contentOf(strict(line.text, name)), contentOf(name))
  const agrees = (statement: string) => isNegative(statement) === isNegative(line.text)
  const bears = (statement: string) => {
    const words = contentOf(statement)
    const shared = [...content].filter((word) => words.has(word)).length
    if (compare(line.text, statement) === 'same' || shared === content.size) return agrees(statement)
    return slotOf(line.text) === null && shared / content.size > SHARE && isWithin(certain, words) && agrees(statement)
  }
  return [...new Set(line.turnIds)].filter((turnId) => said.get(turnId)?.some(bears) === true)
}

/** Names and numbers: what begins with a capital within the line, and what holds a digit. */
function strict(text: string, name: string): string {
  const words = text.split(/\s+/).slice(1)
  return [
    ...words.filter((word) => /^\P{L}*\p{Lu}|\d/u.test(word) && word !== name),
    text.match(/^\S*\d\S*/)?.[0] ?? '',
  ].join(' ')
}

function without(words: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].filter((word) => !others.has(word)))
}
