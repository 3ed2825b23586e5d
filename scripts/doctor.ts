/**
 * Looks at everything that the bot needs and says what to do about what is wrong: npm run doctor
 * Ends with 0 when the bot can start, else with 1. Makes nothing, posts nothing.
 */

import { existsSync } from 'node:fs'
import { type Config, ConfigError, readConfig } from '../src/config.ts'
import { slack } from './doctor/chats.ts'
import { type Check, examine, ok, wrong } from './doctor/check.ts'
import { database, model, node, sentences, tools } from './doctor/own.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
const config = settings()
const checks: [string, Check][] = [
  ['Node', node],
  [
    'Settings',
    async () =>
      typeof config === 'string'
        ? config.split('\n').map((fault) => wrong('Settings', fault))
        : [ok('Settings', 'each is understood')],
  ],
]
if (typeof config !== 'string') {
  checks.push(
    ['Database', database(config)],
    ['Ollama', model(config)],
    ['Sentence model', sentences(config)],
    ['Tools', tools(config)],
    ['Slack', slack(config)],
  )
}
process.exitCode = (await examine(checks, console.log)) ? 0 : 1

/** The settings, or what is wrong with them, a line each. */
function settings(): Config | string {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
