/**
 * Loads the source without a loader in its way: compiled once into `.cache/program`, and anew when a file has changed.
 * A loader of TypeScript would see every import of every package, which costs a second of each start and 80 MB.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(ROOT, '.cache', 'program')
const FOLDERS = ['src', 'adapters']
/** Packages of hundreds of small files, which are compiled along; the others are imported as they are. */
const SMALL_FILES = ['chrono-node', 'drizzle-orm', 'zod']
/** What can be loaded, as paths without `.ts`. */
const ENTRIES = ['src/main', 'src/embed/worker']
/** What was compiled from another state of the source is kept as long, for processes that still run it. */
const KEEP_MS = 24 * 60 * 60 * 1000

/**
 * Imports one of the entries and returns what it exports. Where nothing can be compiled or written, tsx loads the
 * source itself.
 * @param {string} entry
 * @returns {Promise<unknown>}
 */
export async function load(entry) {
  const program = await compiled().catch(() => null)
  if (program !== null) return import(pathToFileURL(join(program, `${entry}.mjs`)).href)
  const { register } = await import('tsx/esm/api')
  register()
  return import(pathToFileURL(join(ROOT, `${entry}.ts`)).href)
}

/** The folder of the compiled program. */
async function compiled() {
  const program = join(CACHE, keyOf(sources()))
  if (existsSync(program)) return program
  mkdirSync(CACHE, { recursive: true })
  removeOld()
  // It gets its name when it is whole; several processes may compile at once.
  const part = `${program}.${process.pid}`
  await compile(part)
  try {
    renameSync(part, program)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    if (!existsSync(program)) throw error
  }
  return program
}

async function compile(outdir) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((entry) => `${entry}.ts`),
    outbase: '.',
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported when it is needed stays a file of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
    plugins: [
      { name: 'packages', setup: leavePackages },
      { name: 'places', setup: keepPlaces },
    ],
  })
}

function leavePackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    const isOurs = kind === 'entry-point' || SMALL_FILES.some((name) => path === name || path.startsWith(`${name}/`))
    return isOurs ? undefined : { path, external: true }
  })
}

/** The compiled source finds the files beside it where they are. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\.ts$/ }, ({ path }) => ({
    loader: 'ts',
    contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
  }))
}

function sources() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(ROOT, folder, file)),
  ).sort()
}

function keyOf(files) {
  const hash = createHash('sha256').update(ROOT)
  for (const file of [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json'), ...files]) {
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function removeOld() {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name)
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true })
  }
}
