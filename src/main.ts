/** Puts the parts together and runs them until told to stop. The only file that knows the platforms and the environment. */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Arguments, parseArguments, usage } from '../adapters/terminal/arguments.ts'
import { createTerminal, type Terminal } from '../adapters/terminal.ts'
import { createBot } from './bot.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createLlm } from './llm/client.ts'
import { createKeeper } from './llm/keeper.ts'
import { createLog } from './log.ts'
import { createMailbox } from './mailbox.ts'
import { loadAnalyser } from './preference/analyser.ts'
import { showProgress } from './progress.ts'
import { loadPrompts } from './prompts.ts'
import { type Database, DatabaseError, openEmbedded, openServer } from './store/database.ts'

/** After a signal, what is not done by then is left to the next start. */
const STOP_WITHIN_MS = 1800

const stopping = new AbortController()

try {
  await main()
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof DatabaseError
  process.stderr.write(
    expected ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  )
  process.exit(1)
}
process.exit(0)

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const options = readArguments()
  if (options.help) return void process.stdout.write(`${usage}\n`)
  const config = readConfig(process.env)
  process.on('SIGINT', stop).on('SIGTERM', stop)

  const me = `attune:${randomUUID()}`
  const database = await openDatabase(config, me)
  const terminal = openTerminal(options)
  const { OLLAMA_HOST: host, OLLAMA_MODEL: model } = config
  const keeper = createKeeper({
    host,
    model,
    signal: stopping.signal,
    tell: terminal.notice,
    progress: (label) => showProgress(process.stderr, label),
  })
  const bot = createBot({
    database,
    mailbox: createMailbox(database, me),
    llm: createLlm({ host, model, contextTokens: config.OLLAMA_CONTEXT }),
    analyse: loadAnalyser(),
    prompts: loadPrompts(),
    platforms: [terminal],
    log: createLog(config.LOG_LEVEL ?? (modeOf(options) === 'tty' ? 'error' : 'info')),
    me,
    concurrency: config.CONCURRENCY,
    onModel: keeper.heard,
  })
  await keeper.ensure()
  const answering = bot.work(stopping.signal)
  await terminal.run(bot, stopping.signal)
  stopping.abort()
  await answering
  await database.close()
}

function openTerminal(options: Arguments): Terminal {
  const mode = modeOf(options)
  return createTerminal({
    ...options,
    mode,
    input: process.stdin,
    output: process.stdout,
    notices: process.stderr,
    runId: randomUUID(),
    colour: mode === 'tty' && !process.env['NO_COLOR'],
    onInterrupt: stop,
  })
}

function modeOf({ json }: Arguments): 'json' | 'tty' | 'lines' {
  return json ? 'json' : process.stdin.isTTY && process.stdout.isTTY ? 'tty' : 'lines'
}

function readArguments(): Arguments {
  try {
    return parseArguments(process.argv.slice(2))
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

function openDatabase(config: Config, me: string): Promise<Database> {
  return config.DATABASE_URL === null ? openEmbedded(config.DATA_DIR, me) : openServer(config.DATABASE_URL, me)
}

/** The stream is cancelled, work is given back, and the process ends; a second signal ends it at once. */
function stop(): void {
  if (stopping.signal.aborted) process.exit(130)
  stopping.abort()
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
}
