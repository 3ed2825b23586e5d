/** Puts the parts together and runs them until told to stop. The only file that knows the platforms and the environment. */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseArguments, usage } from '../adapters/terminal/arguments.ts'
import { createTerminal } from '../adapters/terminal.ts'
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
  const { as, workspace, json, help } = readArguments()
  if (help) return void process.stdout.write(`${usage}\n`)
  const mode = json ? 'json' : process.stdin.isTTY && process.stdout.isTTY ? 'tty' : 'lines'
  const config = readConfig(process.env)
  process.on('SIGINT', stop).on('SIGTERM', stop)

  const prompts = loadPrompts()
  const analyse = loadAnalyser()
  const me = `attune:${randomUUID()}`
  const log = createLog(config.LOG_LEVEL ?? (mode === 'tty' ? 'error' : 'info'))
  const database = await openDatabase(config, me)
  const terminal = createTerminal({
    input: process.stdin,
    output: process.stdout,
    notices: process.stderr,
    mode,
    as,
    workspace,
    runId: randomUUID(),
    colour: mode === 'tty' && !process.env['NO_COLOR'],
    onInterrupt: stop,
  })
  const keeper = createKeeper({
    host: config.OLLAMA_HOST,
    model: config.OLLAMA_MODEL,
    signal: stopping.signal,
    tell: terminal.notice,
    progress: (label) => showProgress(process.stderr, label),
  })
  const bot = createBot({
    database,
    mailbox: createMailbox(database, me),
    llm: createLlm({ host: config.OLLAMA_HOST, model: config.OLLAMA_MODEL, contextTokens: config.OLLAMA_CONTEXT }),
    analyse,
    prompts,
    platforms: [terminal],
    log,
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

function readArguments() {
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
