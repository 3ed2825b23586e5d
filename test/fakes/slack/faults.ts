/** Faults of the Web API, asked for by a test and spent one call at a time. */

export type Fault =
  /** 429 with this many seconds to wait. */
  | { readonly retryAfter: number }
  /** An HTTP status without an answer in it. */
  | { readonly status: number }
  /** `{ok: false, error}`. */
  | { readonly error: string }
  /** Takes the request and never answers. */
  | { readonly hang: true }
  /** Cuts the connection before anything was done, or after: then it was done and nobody hears of it. */
  | { readonly cut: 'before' | 'after' }
  /** Answers this many milliseconds late. */
  | { readonly slow: number }

export type Faults = ReturnType<typeof openFaults>

export function openFaults() {
  const waiting: { readonly method: string; readonly fault: Fault; times: number }[] = []
  return {
    /** @param method `chat.update`, or `*` for any. */
    add(method: string, fault: Fault, times = 1): void {
      waiting.push({ method, fault, times })
    },
    /** The fault of this call, if one waits for it. */
    take(method: string): Fault | undefined {
      const found = waiting.find((one) => one.times > 0 && (one.method === method || one.method === '*'))
      if (found !== undefined) found.times -= 1
      return found?.fault
    },
    clear(): void {
      waiting.length = 0
    },
  }
}
