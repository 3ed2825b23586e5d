/** How often a channel is written to: growing replies share one budget, finished ones go first. */

export interface Pace {
  /** Runs `step` when it is the channel's turn; a later one of the same owner takes its place. */
  grow(channel: string, owner: object, step: () => Promise<void>): void
  /** Runs `task` as soon as nothing else runs in the channel; what its owner had waiting is dropped. */
  finish<T>(channel: string, owner: object, task: () => Promise<T>): Promise<T>
  /** Growing replies wait so many milliseconds from now: Discord said that it is too much. */
  cool(channel: string, ms: number): void
  /** What its owner had waiting is dropped. */
  drop(channel: string, owner: object): void
}

/** Discord lets five messages or edits through in five seconds. */
const EVERY_MS = 1250
/** A reply that is there at once is posted at once whole. */
const GATHER_MS = 400

interface Lane {
  readonly waiting: Map<object, () => Promise<void>>
  /** What was started last; never rejects. */
  running: Promise<unknown>
  /** Tasks that are not over. */
  tasks: number
  nextAt: number
  timer: NodeJS.Timeout | undefined
}

export function createPace(now: () => number = () => performance.now()): Pace {
  const lanes = new Map<string, Lane>()
  function laneOf(channel: string): Lane {
    const lane = lanes.get(channel) ?? {
      waiting: new Map(),
      running: Promise.resolve(),
      tasks: 0,
      nextAt: 0,
      timer: undefined,
    }
    lanes.set(channel, lane)
    return lane
  }
  async function run<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
    lane.tasks += 1
    const result = lane.running.then(task)
    lane.running = result.catch(() => {})
    try {
      return await result
    } finally {
      lane.tasks -= 1
      lane.nextAt = Math.max(lane.nextAt, now() + EVERY_MS)
    }
  }
  function pump(channel: string, lane: Lane): void {
    if (lane.timer !== undefined || lane.tasks > 0) return
    if (lane.waiting.size === 0) {
      if (lane.nextAt <= now()) lanes.delete(channel)
      return
    }
    lane.timer = setTimeout(
      () => {
        lane.timer = undefined
        if (lane.tasks > 0 || lane.nextAt > now()) return pump(channel, lane)
        const [owner, step] = [...lane.waiting][0] ?? []
        if (owner === undefined || step === undefined) return
        lane.waiting.delete(owner)
        void run(lane, step)
          .catch(() => {})
          .then(() => pump(channel, lane))
      },
      Math.max(GATHER_MS, lane.nextAt - now()),
    )
  }
  return {
    grow(channel, owner, step) {
      const lane = laneOf(channel)
      lane.waiting.set(owner, step)
      pump(channel, lane)
    },
    async finish(channel, owner, task) {
      const lane = laneOf(channel)
      lane.waiting.delete(owner)
      try {
        return await run(lane, task)
      } finally {
        pump(channel, lane)
      }
    },
    cool(channel, ms) {
      const lane = lanes.get(channel)
      if (lane) lane.nextAt = Math.max(lane.nextAt, now() + ms)
    },
    drop(channel, owner) {
      lanes.get(channel)?.waiting.delete(owner)
    },
  }
}
