/** Improves the personas of everybody who is due, as every night: npm run optimize [-- --person ID --dry-run --explain] */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../src/config.ts'
import { createLlm } from '../src/llm/client.ts'
import { createLog } from '../src/log.ts'
import { RECIPE, type Recipe } from '../src/persona/improve.ts'
import { optimize } from '../src/persona/optimize.ts'
import { reportOf } from '../src/persona/report.ts'
import { BATCH } from '../src/persona/split.ts'
import { loadAnalyser } from '../src/preference/analyser.ts'
import { showProgress } from '../src/progress.ts'
import { loadPrompts } from '../src/prompts.ts'
import { DatabaseError } from '../src/store/database.ts'
import { openDatabase } from '../src/store/open.ts'

const USAGE = `npm run optimize -- [--workspace ID] [--person ID] [--dry-run] [--explain]
                    [--no-gate] [--batch 3-6] [--iterations 1-3]`

try {
  await main()
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(isUsage || error instanceof RangeError || error instanceof ConfigError || error instanceof DatabaseError))
    throw error
  console.error(isUsage ? `${error.message}\n${USAGE}` : error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { isDry, isExplained, recipe, workspace, person } = readArguments()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const me = `attune:optimize:${randomUUID()}`
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort(new Error('stopped')))
  const database = await openDatabase(config, me)
  const bar = showProgress(process.stderr, 'Improving personas', process.stdin, (count) => `${count} people`)
  try {
    const worked = await optimize({
      database,
      llm: createLlm({ host: config.OLLAMA_HOST, model: config.OLLAMA_MODEL, contextTokens: config.OLLAMA_CONTEXT }),
      prompts: loadPrompts(),
      analyse: loadAnalyser(),
      log: createLog(config.LOG_LEVEL ?? 'error'),
      me,
      signal: stopping.signal,
      now: new Date(),
      workspace,
      person,
      isDry,
      recipe,
      onPerson: (done, of) => bar.update('looking who is due', done, of),
    })
    bar.stop('Done.')
    console.log(reportOf(worked, { isDry, isExplained }))
    process.exitCode = worked.some(({ outcome }) => outcome === 'failed') ? 1 : 0
  } finally {
    await database.close()
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      person: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      explain: { type: 'boolean', default: false },
      'no-gate': { type: 'boolean', default: false },
      batch: { type: 'string' },
      iterations: { type: 'string' },
    },
  })
  const recipe: Recipe = {
    hasGate: !values['no-gate'],
    batch: wholeNumber('batch', values.batch, BATCH.least, BATCH.most) ?? RECIPE.batch,
    iterations: wholeNumber('iterations', values.iterations, 1, 3) ?? RECIPE.iterations,
  }
  const { workspace, person } = values
  return { isDry: values['dry-run'], isExplained: values.explain, recipe, workspace, person }
}

function wholeNumber(name: string, text: string | undefined, least: number, most: number): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new RangeError(`Expected \`--${name}\` to be a whole number from ${least} to ${most}, got \`${text}\``)
}
