/** What a turn costs beside the model, by how many turns are stored; and how many turns a process does in a second. */

import type { Manner } from '../../src/preference/verbalize.ts'
import type { Database } from '../../src/store/database.ts'
import { type Crowd, createCrowd, directOf, nameOf, SEED } from './crowd.ts'
import { createSeeder } from './seed.ts'
import { startTalk, type TurnTimes } from './talk.ts'

/** Turns before the clock counts: code is compiled, caches are filled. */
const WARM_UP = 30

export interface AtSize {
  readonly stored: number
  readonly seedSeconds: number
  readonly times: readonly TurnTimes[]
}

/** Fills the database up to each of these sizes, smallest first, and takes the time of so many turns at each. */
export async function measureSizes(
  database: Database,
  manner: Manner,
  sizes: readonly number[],
  turns: number,
  onSize: (at: AtSize, first: AtSize) => void,
): Promise<readonly AtSize[]> {
  const seeder = createSeeder(database, manner)
  const crowd = createCrowd(SEED + 1)
  const all: AtSize[] = []
  for (const stored of sizes) {
    const started = performance.now()
    await seeder.growTo(stored)
    const seedSeconds = (performance.now() - started) / 1000
    const at = { stored, seedSeconds, times: await oneByOne(database, crowd, turns) }
    all.push(at)
    onSize(at, all[0] ?? at)
  }
  return all
}

async function oneByOne(database: Database, crowd: Crowd, turns: number): Promise<readonly TurnTimes[]> {
  const talk = startTalk(database, 4)
  const times: TurnTimes[] = []
  for (let i = 0; i < WARM_UP + turns; i++) times.push(await talk.say(crowd.next()))
  await talk.close()
  return times.slice(WARM_UP)
}

/** Turns a second with so many conversations answered at once, while twice as many people speak without a pause. */
export async function measureThroughput(database: Database, concurrency: number, turns: number): Promise<number> {
  const { writer } = createCrowd(SEED + 2)
  const talk = startTalk(database, concurrency)
  const speak = async (index: number, count: number) => {
    for (let i = 0; i < count; i++) {
      await talk.say({ ...directOf(nameOf(index)), text: writer.message(), evidence: {} })
    }
  }
  const speakers = Array.from({ length: 2 * concurrency }, (_, index) => index)
  await Promise.all(speakers.map((index) => speak(index, 2)))
  const each = Math.ceil(turns / speakers.length)
  const started = performance.now()
  await Promise.all(speakers.map((index) => speak(index, each)))
  const seconds = (performance.now() - started) / 1000
  await talk.close()
  return (each * speakers.length) / seconds
}
