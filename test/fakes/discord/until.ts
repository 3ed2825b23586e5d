/** Waiting for what the bot does, with an account of what it did where it does not come. */

import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves with the first truthy value, asked every 5 ms for `ms` milliseconds; else fails with `seen()`. */
export async function until<T>(
  what: string,
  look: () => T,
  seen: () => string,
  ms = 5_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const end = Date.now() + ms
  for (;;) {
    const value = look()
    if (isThere(value)) return value
    if (Date.now() > end) throw new Error(`Expected ${what} within ${ms} ms, saw:\n${seen()}`)
    await sleep(5)
  }
}

function isThere<T>(value: T): value is Exclude<T, false | null | undefined | 0 | ''> {
  return Boolean(value)
}
