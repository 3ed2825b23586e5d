/** Waiting for what a test expects, and telling what was there instead. */

export type Watch = ReturnType<typeof openWatch>

/** Milliseconds between looks when nothing was reported: a condition may lie outside the fake. */
const LOOK = 20

/** @param describe Everything seen so far, for the failure's text. */
export function openWatch(describe: () => string) {
  const looks = new Set<() => void>()
  return {
    changed(): void {
      for (const look of [...looks]) look()
    },
    /**
     * The first truthy value of the condition, looked at after every change.
     * @param ms Milliseconds to wait at most.
     * @throws When it stays falsy, with everything that was seen; and what the condition throws at the end.
     */
    until<T>(what: string, condition: () => T | undefined | null | false | '' | 0, ms = 5000): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const look = () => {
          const value = attempt(condition)
          if (value.thrown === undefined && !value.found) return
          if (value.thrown === undefined) end(() => resolve(value.found as T))
        }
        const end = (finish: () => void) => {
          clearInterval(interval)
          clearTimeout(timeout)
          looks.delete(look)
          finish()
        }
        const interval = setInterval(look, LOOK)
        const timeout = setTimeout(() => {
          const { thrown } = attempt(condition)
          end(() => reject(new Error(`Expected ${what} within ${ms} ms.\n${describe()}`, { cause: thrown })))
        }, ms)
        looks.add(look)
        look()
      })
    },
  }
}

/** A condition that throws, such as an expectation, is not yet met. */
function attempt<T>(condition: () => T): { readonly found?: T; readonly thrown?: unknown } {
  try {
    return { found: condition() }
  } catch (thrown) {
    return { thrown }
  }
}
