/** What goes wrong with REST requests on purpose, and the limits that are counted. */

/** One fault of a route; `times` (1) requests meet it. */
export type Fault = { readonly times?: number } & (
  | { readonly rateLimited: number; readonly global?: boolean }
  | { readonly status: number; readonly code?: number; readonly message?: string }
  /** Done only when all is healthy again. */
  | { readonly hang: true }
  /** Done, but the connection ends before the answer: `closed` in order, `reset` by force. */
  | { readonly cut: 'closed' | 'reset' }
  | { readonly delay: number }
)

interface Budget {
  readonly limit: number
  readonly ms: number
  /** Ends of the running windows, with what is left in them, by path. */
  readonly windows: Map<string, { end: number; left: number }>
}

export interface Faults {
  readonly add: (route: string, fault: Fault) => void
  readonly budget: (route: string, limit: number, ms: number) => void
  /** The fault that the next request on the route meets, which counts it. */
  readonly take: (route: string) => Fault | null
  /** Counts a request; the headers tell what is left. `wait`: seconds, when nothing is. */
  readonly spend: (route: string, path: string, now: number) => { headers: Record<string, string>; wait: number | null }
  readonly clear: () => void
  /** Resolves at `clear`. */
  readonly cleared: () => Promise<void>
}

export function createFaults(): Faults {
  let pending: { route: string; fault: Fault; left: number }[] = []
  const budgets = new Map<string, Budget>()
  const waiting: (() => void)[] = []
  const fits = (pattern: string, route: string) => pattern === '*' || pattern === route
  return {
    add: (route, fault) => pending.push({ route, fault, left: fault.times ?? 1 }),
    budget: (route, limit, ms) => budgets.set(route, { limit, ms, windows: new Map() }),
    take: (route) => {
      const found = pending.find((one) => fits(one.route, route))
      if (found === undefined) return null
      found.left -= 1
      pending = pending.filter(({ left }) => left > 0)
      return found.fault
    },
    spend: (route, path, now) => {
      const budget = budgets.get(route)
      return budget === undefined ? { headers: {}, wait: null } : spendFrom(budget, route, path, now)
    },
    clear: () => {
      pending = []
      budgets.clear()
      for (const resume of waiting.splice(0)) resume()
    },
    cleared: () => new Promise((resolve) => waiting.push(resolve)),
  }
}

function spendFrom(budget: Budget, route: string, path: string, now: number) {
  let window = budget.windows.get(path)
  if (window === undefined || window.end <= now) window = { end: now + budget.ms, left: budget.limit }
  budget.windows.set(path, window)
  const isSpent = window.left === 0
  if (!isSpent) window.left -= 1
  const after = (window.end - now) / 1000
  return {
    headers: {
      'x-ratelimit-limit': String(budget.limit),
      'x-ratelimit-remaining': String(window.left),
      'x-ratelimit-reset': String(window.end / 1000),
      'x-ratelimit-reset-after': String(after),
      'x-ratelimit-bucket': route.replaceAll(/\W+/g, '-'),
    },
    wait: isSpent ? after : null,
  }
}
