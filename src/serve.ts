/** Puts the parts together and runs them until told to stop. */

import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Arguments } from '../adapters/terminal/arguments.ts'
import { createTerminal, type Terminal } from '../adapters/terminal.ts'
import { ACTION_NAMES } from './actions.ts'
import { createBot } from './bot.ts'
import type { Config } from './config.ts'
import { openEmbedder } from './embed/open.ts'
import { createLlm } from './llm/client.ts'
import { createKeeper } from './llm/keeper.ts'
import type { OnProgress } from './llm/pull.ts'
import { createLog } from './log.ts'
import { createMailbox } from './mailbox.ts'
import { readServers } from './mcp/configuration.ts'
import { openServers } from './mcp/servers.ts'
import { createMeaning } from './memory/meaning.ts'
import { keepNights } from './nightly.ts'
import { openChats, runChats } from './platforms.ts'
import { loadAnalyser } from './preference/analyser.ts'
import { type Progress, showProgress } from './progress.ts'
import { loadPrompts } from './prompts.ts'
import type { Database } from './store/database.ts'

export interface ServeOptions {
  readonly config: Config
  readonly options: Arguments
  /** The name under which this process holds conversations. */
  readonly me: string
  readonly modelsCache: string
  /** No colours. */
  readonly isPlain: boolean
  readonly signal: AbortSignal
  /** Ctrl-C at the prompt. */
  readonly onInterrupt: () => void
}

/**
 * Loads what takes long and looks for the language model, neither of which needs the database. What it returns
 * resolves when the signal aborts, or the last platform ends.
 * @throws the error with which it ended
 */
export function prepare(start: ServeOptions): (database: Database) => Promise<void> {
  const { config, me } = start
  const { OLLAMA_HOST: host, OLLAMA_MODEL: model } = config
  const stopping = new AbortController()
  const signal = AbortSignal.any([start.signal, stopping.signal])
  const log = createLog(config.LOG_LEVEL ?? (isAtPrompt(start) ? 'error' : 'info'))
  const opening = hasChats(start) ? openChats(config, log) : Promise.resolve([])
  opening.catch(() => {})
  const servers = readServers(config.MCP_SERVERS, ACTION_NAMES)
  const terminal = openTerminal(start)
  const progress = (label: string) => showProgress(process.stderr, label)
  const keeper = createKeeper({ host, model, signal, tell: terminal.notice, progress })
  const looked = keeper.ensure()
  const llm = createLlm({ host, model, contextTokens: config.OLLAMA_CONTEXT })
  const tools = openServers(servers, { log, signal })
  const reading = { analyse: loadAnalyser(), prompts: loadPrompts() }
  return async (database) => {
    const chats = await opening
    const meaning = createMeaning({
      queries: database.queries,
      open: (closing) => openWithNotices(start, terminal, closing),
      quiet: () => bot.idle(),
      tell: terminal.notice,
      log,
    })
    const bot = createBot({
      ...reading,
      database,
      mailbox: createMailbox(database, me),
      llm,
      meaning,
      tools,
      platforms: chats.length > 0 ? chats : [terminal],
      log,
      me,
      concurrency: config.CONCURRENCY,
      onModel: keeper.heard,
    })
    await looked
    const answering = bot.work(signal)
    const nights = keepNights({ ...reading, database, llm, log, me, quiet: bot.idle, signal })
    try {
      await runChats(chats.length > 0 ? chats : [terminal], bot, { log, tell: terminal.notice, signal })
    } finally {
      stopping.abort()
      await Promise.all([answering, nights, meaning.close(), tools.closed])
    }
  }
}

/** With `--json` somebody replays lines, whatever else is configured. */
function hasChats({ config, options }: ServeOptions): boolean {
  return !options.json && (config.SLACK_BOT_TOKEN ?? config.SLACK_APP_TOKEN ?? config.DISCORD_TOKEN) !== null
}

function isAtPrompt(start: ServeOptions): boolean {
  return !hasChats(start) && modeOf(start.options) === 'tty'
}

/** Where chats are served it only tells of things. */
function openTerminal(start: ServeOptions): Terminal {
  const { options, isPlain, onInterrupt } = start
  const mode = hasChats(start) ? 'lines' : modeOf(options)
  return createTerminal({
    ...options,
    mode,
    input: process.stdin,
    output: process.stdout,
    notices: process.stderr,
    runId: randomUUID(),
    colour: mode === 'tty' && !isPlain,
    onInterrupt,
  })
}

function modeOf({ json }: Arguments): 'json' | 'tty' | 'lines' {
  return json ? 'json' : process.stdin.isTTY && process.stdout.isTTY ? 'tty' : 'lines'
}

/** A download is told of in lines: somebody may be writing at the prompt meanwhile. */
async function openWithNotices({ config, modelsCache }: ServeOptions, terminal: Terminal, signal: AbortSignal) {
  let shown: Progress | null = null
  const onProgress: OnProgress = (...step) => {
    shown ??= showProgress(noticesOf(terminal), 'Downloading the sentence model')
    shown.update(...step)
  }
  const embedder = await openEmbedder(config.EMBEDDER, {
    modelsDir: config.MODELS_DIR,
    cacheDir: modelsCache,
    ollamaHost: config.OLLAMA_HOST,
    onProgress,
    signal,
  })
  if (shown !== null) terminal.notice('The sentence model is here.')
  return embedder
}

function noticesOf(terminal: Terminal): Writable {
  return new Writable({
    write(chunk, _, done) {
      terminal.notice(String(chunk).trimEnd())
      done()
    },
  })
}
