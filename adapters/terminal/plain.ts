/** Text without what could steer a terminal: control characters, escape sequences and overrides of reading direction. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const HALF_A_PAIR_AT_THE_END = /[\ud800-\udbff]$/

/**
 * Keeps newlines and tabs. Growing text gives growing results: what `plain` says of a beginning is the beginning of
 * what it says of the whole, so that a reply can be printed while it streams.
 */
export function plain(text: string): string {
  return text.replace(SEQUENCE, '').replace(CONTROL, '').replace(HALF_A_PAIR_AT_THE_END, '')
}

/** The same characters as `\u` escapes within JSON, where nothing may be lost. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
