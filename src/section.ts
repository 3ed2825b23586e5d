/** The section of a persona that says when to use which action, cut down to what can be done about this message. */

const SECTION = /^(## When to use which action\n)((?:(?!##? ).*\n?)*)/m
const HEADING = /^## When to use which action$/m
/** Needs no tool: it is an answer that is a question. */
const ASKS_BACK = /\bask(?:s|ing)? (?:\S+ )?back\b/i

/**
 * The persona without lines on actions that are not offered: a small model that reads of what it can't do talks of it. With
 * nothing offered only the lines on asking back are left, which can be done always, and no heading.
 * `names`: of all actions there are.
 */
export function withSection(persona: string, offered: readonly string[], names: readonly string[]): string {
  const isUseful = (line: string) => {
    if (ASKS_BACK.test(line)) return true
    if (offered.length === 0) return false
    const named = names.filter((name) => mentions(line, name))
    return named.length === 0 || named.some((name) => offered.includes(name))
  }
  const cut = persona.replace(SECTION, (_, heading: string, body: string) => {
    const lines = body.split('\n').filter((line) => line.trim() !== '' && isUseful(line))
    if (lines.length === 0) return ''
    return `${offered.length === 0 ? '' : heading}${lines.join('\n')}\n`
  })
  return cut.trim()
}

/** The persona; one that says nothing of when to act gets the section of `fallback`, so that it can act all the same. */
export function completed(persona: string, fallback: string): string {
  if (HEADING.test(persona)) return persona
  const [section = ''] = SECTION.exec(fallback) ?? []
  return `${persona.trim()}\n\n${section.trim()}`.trim()
}

function mentions(line: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(line)
}
