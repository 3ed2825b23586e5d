/** The text of a persona: what somebody may make of theirs, and what is wrong with a text that they may not. */

/** Characters. It stands in every prompt, and small models follow short ones. */
export const PERSONA_CHARACTERS = 1200

/**
 * The text as it is kept: without characters that nobody sees and ends of lines that platforms add. `name` is what the
 * sentence about a wrong one calls it. @throws RangeError when it is blank or too long
 */
export function personaOf(text: string, name = 'persona'): string {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\t\n\u200d])[\p{Cc}\p{Cf}]|\ufffd/gu, '')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const { length } = [...plain]
  const got = length === 0 ? 'nothing' : `\`${length} characters\``
  if (length === 0 || length > PERSONA_CHARACTERS) {
    throw new RangeError(`Expected \`${name}\` to be a text of at most ${PERSONA_CHARACTERS} characters, got ${got}`)
  }
  return plain
}
