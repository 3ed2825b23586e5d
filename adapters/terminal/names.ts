/** What may be called a name, and how wrong input is shown in a sentence. */

const NAME = /^[^\p{Cc}\p{Cs}]{1,80}$/u
export const NAME_RULE = 'a name of 1 to 80 characters on one line'
export const WORKSPACE_RULE = 'a name of 1 to 80 characters on one line without a colon'

export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value) && value.trim() !== ''
}

/** Without a colon, so that the ids of two workspaces can never meet. */
export function isWorkspace(value: unknown): value is string {
  return isName(value) && !value.includes(':')
}

/** Wrong input, short enough for a sentence. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
