/** Reads the environment and opens the database; meanwhile the rest is loaded, which then runs until told to stop. */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Arguments, parseArguments, usage } from '../adapters/terminal/arguments.ts'
import { PlatformError } from './adapter.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseError } from './store/database.ts'
import { openDatabase } from './store/open.ts'

/** After a signal, what is not done by then is left to the next start. */
const STOP_WITHIN_MS = 1800
/** Where a downloaded sentence model is kept. */
const MODELS_CACHE = fileURLToPath(new URL('../.cache/models', import.meta.url))

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const before = process.listeners(signal)
  // In this order: with no listener left, a signal that is under way would be lost.
  process.on(signal, stop)
  for (const listener of before) process.off(signal, listener)
}

// Whenever nothing is open that may wake it, Node waits for its compiler's threads: half a second during a start.
setInterval(() => {}, 60_000)

try {
  await main()
} catch (error) {
  process.stderr.write(`${described(error)}\n`)
  process.exit(1)
}
process.exit(0)

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const options = readArguments()
  if (options.help) return void process.stdout.write(`${usage}\n`)
  const config = readConfig(process.env)
  const me = `attune:${randomUUID()}`

  const prepared = import('./serve.ts').then(({ prepare }) =>
    prepare({
      config,
      options,
      me,
      modelsCache: MODELS_CACHE,
      isPlain: Boolean(process.env['NO_COLOR']),
      signal: stopping.signal,
      onInterrupt: stop,
    }),
  )
  const [database, serve] = await Promise.all([openDatabase(config, me), prepared])
  if (!stopping.signal.aborted) await serve(database)
  await database.close()
}

/** What somebody can do something about has its sentence. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected = [ConfigError, DatabaseError, PlatformError].some((kind) => error instanceof kind)
  return isExpected ? error.message : (error.stack ?? error.message)
}

function readArguments(): Arguments {
  try {
    return parseArguments(process.argv.slice(2))
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

/** The stream is cancelled, work is given back, and the process ends; a second signal ends it at once. */
function stop(): void {
  if (stopping.signal.aborted) process.exit(130)
  stopping.abort()
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
}
