/** Reads what people said since the last time and adds to their profiles, as every night: npm run summarise */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ConfigError, readConfig } from '../src/config.ts'
import { createLlm } from '../src/llm/client.ts'
import { createLog } from '../src/log.ts'
import { summarise } from '../src/memory/summarise.ts'
import { loadPrompts } from '../src/prompts.ts'
import { DatabaseError } from '../src/store/database.ts'
import { openDatabase } from '../src/store/open.ts'

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const me = `attune:summarise:${randomUUID()}`
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new Error('stopped')))
  const database = await openDatabase(config, me)
  try {
    const { people, lines, failed } = await summarise({
      queries: database.queries,
      llm: createLlm({ host: config.OLLAMA_HOST, model: config.OLLAMA_MODEL, contextTokens: config.OLLAMA_CONTEXT }),
      prompts: loadPrompts(),
      log: createLog(config.LOG_LEVEL ?? 'info'),
      signal: stopping.signal,
    })
    console.log(`Read what ${people} people said: ${lines} lines found, ${failed} people left for the next time.`)
    process.exitCode = failed === 0 ? 0 : 1
  } finally {
    await database.close()
  }
}
