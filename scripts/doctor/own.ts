/** What the bot needs wherever it talks: Node, the database, the language model, the sentence model, tools. */

import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Ollama } from 'ollama'
import postgres from 'postgres'
import { ACTION_NAMES } from '../../src/actions.ts'
import type { Config } from '../../src/config.ts'
import { findFiles } from '../../src/embed/files.ts'
import { readServers } from '../../src/mcp/configuration.ts'
import { FolderBusy, lockFolder } from '../../src/store/folder-lock.ts'
import { type Check, type Finding, later, ok, reasonOf, WITHIN_MS, wrong } from './check.ts'

const MODELS_CACHE = '.cache/models'
/** Clocks further apart have Slack refuse what is signed, and dates go wrong. */
const SKEW_MS = 60_000

export const node: Check = async () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isRight = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24
  const found = `v${process.versions.node}`
  return [isRight ? ok('Node', found) : wrong('Node', `Expected Node ${engines.node}, got ${found}: install Node 24.`)]
}

export function database({ DATABASE_URL: url, DATA_DIR: folder }: Config): Check {
  return async () => (url === null ? embedded(resolve(folder)) : server(url))
}

async function embedded(folder: string): Promise<readonly Finding[]> {
  if (!existsSync(folder)) {
    let above = dirname(folder)
    while (!existsSync(above)) above = dirname(above)
    accessSync(above, constants.W_OK)
    return [later('Database', `${folder} is made at the first start`)]
  }
  const files = readdirSync(folder)
  for (const file of ['.', ...files]) accessSync(join(folder, file), constants.R_OK | constants.W_OK)
  if (files.length > 0 && !files.includes('PG_VERSION')) {
    return [wrong('Database', `Expected \`DATA_DIR\` to hold my database or nothing, got other files in ${folder}.`)]
  }
  try {
    const unlock = await lockFolder(folder)
    unlock()
    return [ok('Database', `embedded, in ${folder}`)]
  } catch (error) {
    // That is the bot at work.
    if (error instanceof FolderBusy) return [ok('Database', `embedded, in ${folder}, in use: ${reasonOf(error)}`)]
    throw error
  }
}

/** Reads only: the tables are made at the start. */
async function server(url: string): Promise<readonly Finding[]> {
  const client = postgres(url, { max: 1, connect_timeout: WITHIN_MS / 1000, onnotice: () => {} })
  try {
    const [row] = await client`SELECT current_setting('server_version') AS version, now() AS now,
      (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS vector`
    const version = `Postgres ${String(row?.['version']).split(' ')[0]}`
    const apart = Math.abs(Date.now() - new Date(row?.['now']).getTime())
    return [
      row?.['vector'] === null
        ? wrong('Database', `${version} lacks pgvector: install it there, or use an image that has it.`)
        : ok('Database', `${version} with pgvector ${row?.['vector']}`),
      ...(apart > SKEW_MS
        ? [wrong('Clock', `${Math.round(apart / 1000)} s away from the database's: set the time on both by NTP.`)]
        : []),
    ]
  } catch (error) {
    return [wrong('Database', `${reasonOf(error)}. Check the address, the password and that the server runs.`)]
  } finally {
    await client.end({ timeout: 1 })
  }
}

export function model({ OLLAMA_HOST: host, OLLAMA_MODEL: name, EMBEDDER: embedder }: Config): Check {
  return async () => {
    const names = await modelsAt(host).catch((error: unknown) => reasonOf(error))
    if (typeof names === 'string') {
      return [
        wrong('Ollama', `${host.href} does not answer (${names}): start it with \`ollama serve\`, or set OLLAMA_HOST.`),
      ]
    }
    const wanted = embedder.kind === 'ollama' ? [name, embedder.model] : [name]
    return [
      ok('Ollama', host.href),
      ...wanted.map((each) =>
        names.includes(each) || names.includes(`${each}:latest`)
          ? ok('Model', each)
          : later('Model', `${each} is pulled at the start; \`ollama pull ${each}\` has it now`),
      ),
    ]
  }
}

async function modelsAt(host: URL): Promise<readonly string[]> {
  const bounded: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(WITHIN_MS) })
  const { models } = await new Ollama({ host: host.href, fetch: bounded }).list()
  return models.map(({ name }) => name)
}

export function sentences({ EMBEDDER: embedder, MODELS_DIR: modelsDir }: Config): Check {
  return async () => {
    if (embedder.kind === 'none') return [ok('Sentence model', 'none wanted: recall goes by words alone')]
    if (embedder.kind === 'ollama') return []
    const cacheDir = MODELS_CACHE
    if (modelsDir === null && !existsSync(join(cacheDir, 'Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx'))) {
      return [later('Sentence model', `downloaded into ${cacheDir} at the first start (24 MB)`)]
    }
    const { folder, model: name } = await findFiles({
      modelsDir: modelsDir ?? cacheDir,
      cacheDir,
      onProgress: () => {},
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    return [ok('Sentence model', `${name} in ${folder}`)]
  }
}

export function tools({ MCP_SERVERS: file }: Config): Check {
  return async () => {
    if (file === null) return []
    const count = readServers(file, ACTION_NAMES).length
    return [ok('Tools', `${count} ${count === 1 ? 'server' : 'servers'} in ${file}`)]
  }
}
