/** Slack keeps no order: what comes for one channel at about the same time is handled by its time, one after another. */

/** Runs the task after those of its channel that are older and came before, or within the window. */
export type InOrder = <T>(channel: string, ts: string, task: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly ts: string
  readonly run: () => Promise<void>
}

/** @param windowMs how long a channel is waited for before its first task runs */
export function createOrder(windowMs: number): InOrder {
  const channels = new Map<string, Waiting[]>()
  const drain = async (channel: string, waiting: Waiting[]) => {
    await new Promise((resolve) => setTimeout(resolve, windowMs))
    for (let next = takeOldest(waiting); next !== undefined; next = takeOldest(waiting)) await next.run()
    channels.delete(channel)
  }
  return (channel, ts, task) =>
    new Promise((resolve, reject) => {
      const entry = { ts, run: () => task().then(resolve, reject) }
      const waiting = channels.get(channel)
      if (waiting !== undefined) {
        waiting.push(entry)
        return
      }
      const first = [entry]
      channels.set(channel, first)
      void drain(channel, first)
    })
}

function takeOldest(waiting: Waiting[]): Waiting | undefined {
  const oldest = waiting.reduce<Waiting | undefined>(
    (found, entry) => (found === undefined || isBefore(entry.ts, found.ts) ? entry : found),
    undefined,
  )
  if (oldest !== undefined) waiting.splice(waiting.indexOf(oldest), 1)
  return oldest
}

/** Times of Slack are strings of digits around a dot; as numbers they would lose their last digits. */
export function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length
}
