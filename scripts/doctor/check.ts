/** What the doctor finds: a line for each thing looked at. */

export interface Finding {
  /** `ok`, `later`: will be had at the start, `wrong`: must be changed first. */
  readonly state: 'ok' | 'later' | 'wrong'
  readonly what: string
  /** What was found, and of what is wrong, what to do. */
  readonly text: string
}

/** How long one thing may take to answer, in milliseconds. */
export const WITHIN_MS = 5000

export type Check = () => Promise<readonly Finding[]>

/** Runs them one after another and tells each finding; whatever a check throws is a finding, too. */
export async function examine(
  checks: readonly (readonly [what: string, check: Check])[],
  tell: (line: string) => void,
): Promise<boolean> {
  let isWell = true
  for (const [what, check] of checks) {
    for (const finding of await check().catch((error: unknown) => [wrong(what, reasonOf(error))])) {
      tell(`${MARKS[finding.state]} ${finding.what}: ${finding.text}`)
      if (finding.state === 'wrong') isWell = false
    }
  }
  return isWell
}

const MARKS = { ok: 'ok   ', later: 'later', wrong: 'WRONG' } as const

export const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text })
export const later = (what: string, text: string): Finding => ({ state: 'later', what, text })
export const wrong = (what: string, text: string): Finding => ({ state: 'wrong', what, text })

/** The first line of an error; of a failed request its cause, which says more. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : ''
  return (code === '' ? error.message : `${error.message}, ${code}`).split('\n')[0]!.slice(0, 300)
}
