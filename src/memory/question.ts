/** A question made ready to be looked for: as the person themself would have said it, and the words in it that tell turns apart. */

/** Words that ask, that are there for grammar's sake, and that tell only that something was said. */
const ASKING =
  /\b(?:what|when|where|who|whom|whose|which|why|how|many|much|long|often|kind|kinds|type|types|sort|sorts|did|does|do|has|have|had|is|are|was|were|will|would|could|can|should|might|may|likely|remember|tell|told|say|said|mention|mentioned|talk|talked|according|name|names|some|any|currently|recently)(?:n't|n’t)?\b/gi

/** The question without the words that ask. */
export function wordsToFind(question: string): string {
  return question.replaceAll(ASKING, ' ')
}

/** Asks for a time, so that turns that name one are likelier answers. */
export function asksWhen(question: string): boolean {
  return /^\W*(?:when|how long|(?:what|which) (?:year|month|week|date|day|time))\b/i.test(question)
}

/** Those of the names that the question has, in its order. */
export function namedIn(question: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, at: question.search(patternOf(name)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}

/** Whom a question is about: the first that it names, unless it is about several together. */
export function subjectOf(question: string, names: readonly string[]): string | null {
  const [first, ...others] = namedIn(question, names)
  return first === undefined || isAboutAll(question, [first, ...others]) ? null : first
}

/**
 * What to embed for a question about somebody whose own words are looked for: `What did Ana paint for Ben?` becomes `What
 * did I paint for you?`, as that is nearer to what Ana said.
 */
export function inFirstPerson(question: string, names: readonly string[]): string {
  const [first, ...others] = namedIn(question, names)
  if (first === undefined) return question
  const isJoint = isAboutAll(question, [first, ...others])
  const together = isJoint ? replaced(question, pairOf(first, others), 'we', 'our') : question
  return others.reduce(
    (text, name) =>
      isJoint ? replaced(text, patternOf(name), 'I', 'my') : replaced(text, patternOf(name), 'you', 'your'),
    replaced(together, patternOf(first), 'I', 'my'),
  )
}

function isAboutAll(question: string, [first, ...others]: readonly [string, ...string[]]): boolean {
  return others.length > 0 && (/\bboth\b/i.test(question) || pairOf(first, others).test(question))
}

/** `Ana and Ben`, `Ana's and Ben`. */
function pairOf(first: string, others: readonly string[]): RegExp {
  const second = others.map((name) => patternOf(name).source).join('|')
  return new RegExp(
    `${patternOf(first).source}(?:['’]s)?,? (?:and|or) (?:his |her |their )?(?:${second || '(?!)'})`,
    'iu',
  )
}

function replaced(text: string, pattern: RegExp, name: string, possessive: string): string {
  return text
    .replaceAll(new RegExp(`(?:${pattern.source})['’]s?(?!\\p{L})`, 'giu'), possessive)
    .replaceAll(new RegExp(pattern.source, 'giu'), name)
}

/** By the first name, as a word. */
function patternOf(name: string): RegExp {
  const first = name.trim().split(/\s+/)[0] ?? ''
  const literal = first === '' ? '(?!)' : first.replaceAll(/[^\p{L}\p{N}]/gu, '.')
  return new RegExp(`(?<!\\p{L})${literal}(?!\\p{L})`, 'iu')
}
