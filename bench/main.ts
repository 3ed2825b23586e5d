/**
 * Measures the bot's own time, throughput and memory, and holds them against their targets: npm run bench
 * `--turns 1000,10000` for other numbers of stored turns, `--quick` for fewer of everything; with DATABASE_URL also on
 * that Postgres, in a database that is made for it and dropped. Nothing is asked of a language model.
 */

import { existsSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { loadAnalyser } from '../src/preference/analyser.ts'
import { PROFILES } from '../src/preference/settings.ts'
import { loadPrompts } from '../src/prompts.ts'
import { type Database, rowsOf } from '../src/store/database.ts'
import { firstReplies, memoryAfter } from './own/child.ts'
import { createCrowd, SEED } from './own/crowd.ts'
import { measureDay } from './own/day.ts'
import { embeddedPlace, type Place, serverPlace } from './own/places.ts'
import { quantile, rounded, row, type Target, targetLine } from './own/report.ts'
import { type AtSize, measureSizes, measureThroughput } from './own/turns.ts'
import { people, timeStep } from './pamu/people.ts'

/** Most milliseconds from a message's arrival until the model is asked, in 95 turns of 100. */
const OWN_MS = { PGlite: 10, Postgres: 8 } as const
const CONCURRENCY = 16

const { values: flags } = parseArgs({ options: { turns: { type: 'string' }, quick: { type: 'boolean' } } })
const sizes = (flags.turns ?? (flags.quick ? '1000,10000' : '1000,10000,100000')).split(',').map(Number)
if (!sizes.every((size, i) => Number.isInteger(size) && size > (sizes[i - 1] ?? 0))) {
  throw new Error(`Expected \`--turns\` to be rising whole numbers such as 1000,10000, got \`${flags.turns}\``)
}
/** Turns whose time is taken at each size. */
const timed = flags.quick ? 100 : 300
const spoken = flags.quick ? 50 : 200

if (existsSync('.env')) process.loadEnvFile('.env')
const { version, manner } = loadPrompts()
const targets: Target[] = []
const skipped: string[] = []

console.log(
  `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
)
console.log(`prompts ${version}, a model of no latency; load before ${rounded(loadavg()[0] ?? Number.NaN)}`)
console.log(
  'Figures hold on a machine with nothing else to do: a load near the number of cores makes them several times worse\n',
)
timeThinking()
await measure(await embeddedPlace())
const server = process.env['DATABASE_URL']
if (server) await measure(await serverPlace(server))
else skipped.push('Postgres: DATABASE_URL is not set')

for (const target of targets) console.log(targetLine(target))
for (const what of skipped) console.log(`skipped ${what}`)

/** What needs no database. */
function timeThinking(): void {
  const { writer } = createCrowd(SEED)
  const messages = Array.from({ length: 2000 }, () => [writer.message(), writer.reply()] as const)
  const analyse = loadAnalyser()
  const rounds = [1, 2, 3, 4, 5].map(() => {
    const started = performance.now()
    for (const [message, reply] of messages) analyse(message, reply)
    return ((performance.now() - started) * 1000) / messages.length
  })
  const clock = () => performance.now()
  targets.push(
    { what: 'the analyser reads a message', value: Math.min(...rounds), unit: 'µs', bound: 100 },
    {
      what: 'a step of the estimator in five dimensions',
      value: timeStep(PROFILES.adaptive, people(50, SEED), clock),
      unit: 'ms',
      bound: 0.2,
    },
  )
}

/** Everything that depends on the database. */
async function measure(place: Place): Promise<void> {
  try {
    const database = await place.open('attune:bench')
    console.log(await versionOf(database))
    console.log(row(['ms (p50 / p95)', 'claim..model', 'arrival..model', 'arrival..stored', 'p50 ratio', 'seeding, s']))
    const all = await measureSizes(database, manner, sizes, timed, (at, first) => console.log(sizeRow(at, first)))
    const rate = await measureThroughput(database, CONCURRENCY, flags.quick ? 320 : 960)
    await database.close()
    console.log(`${rounded(rate)} turns a second at a concurrency of ${CONCURRENCY}\n`)
    targets.push(...ownTargets(place, all))
    if (place.name === 'Postgres') return void targets.push(rateTarget(rate))
    await measureCalls(place)
    await measureProcess(place)
  } finally {
    await place.remove()
  }
}

async function versionOf({ queries }: Database): Promise<string> {
  const [first] = await rowsOf(queries, sql`SELECT version() AS version`)
  return String(first?.['version']).split(/,| on /)[0]!
}

function sizeRow({ stored, seedSeconds, times }: AtSize, first: AtSize): string {
  const both = (values: readonly number[]) => `${rounded(quantile(values, 0.5))} / ${rounded(quantile(values, 0.95))}`
  const middle = (at: AtSize) =>
    quantile(
      at.times.map(({ fromArrival }) => fromArrival),
      0.5,
    )
  return row([
    `${stored} turns`,
    both(times.map(({ fromClaim }) => fromClaim)),
    both(times.map(({ fromArrival }) => fromArrival)),
    both(times.map(({ all }) => all)),
    `${rounded(middle({ stored, seedSeconds, times }) / middle(first))}x`,
    seedSeconds,
  ])
}

function ownTargets({ name }: Place, all: readonly AtSize[]): Target[] {
  const { stored, times } = all.at(-1)!
  const what = `${name}, ${stored} turns stored: until the model is asked, p95`
  const bound = OWN_MS[name]
  return [
    {
      what: `${what}, from claim`,
      value: quantile(
        times.map(({ fromClaim }) => fromClaim),
        0.95,
      ),
      unit: 'ms',
      bound,
    },
    {
      what: `${what}, in all`,
      value: quantile(
        times.map(({ fromArrival }) => fromArrival),
        0.95,
      ),
      unit: 'ms',
      bound,
    },
  ]
}

function rateTarget(value: number): Target {
  const what = `Postgres: turns a second at a concurrency of ${CONCURRENCY}`
  return { what, value, unit: 'a s', bound: 100, atLeast: true }
}

/** How often the model is asked: a matter of words, not of the database. */
async function measureCalls(place: Place): Promise<void> {
  const database = await place.open('attune:bench')
  for (const takesTools of [true, false]) {
    const { turns, calls } = await measureDay(database, takesTools)
    const what = `calls of a model ${takesTools ? 'with' : 'without'} tools in a turn, over a day of ${turns}`
    targets.push({ what, value: calls / turns, unit: '', bound: 1.15 })
  }
  await database.close()
}

/** The real process, on the embedded database that was filled. */
async function measureProcess({ env }: Place): Promise<void> {
  const taken = await firstReplies(env, 3)
  const seconds = quantile(taken, 0.5) / 1000
  targets.push({
    what: 'the process: from its start to its first reply, median of 3',
    value: seconds,
    unit: 's',
    bound: 2.5,
  })
  const megabytes = await memoryAfter(env, spoken)
  const what = `the process: resident memory after ${spoken} turns`
  if (megabytes === null) skipped.push(`${what}: the system does not tell`)
  else targets.push({ what, value: megabytes, unit: 'MB', bound: 350 })
}
