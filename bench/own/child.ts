/** The bot as its users start it: a process of its own that reads lines, with a fake Ollama that answers at once. */

import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type FakeOllama, startOllama } from '../../test/fakes/ollama.ts'
import { createCrowd, nameOf, SEED } from './crowd.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MODEL = 'bench:latest'
/** A child that takes longer has failed. */
const PATIENCE_MS = 120_000

type Env = Readonly<Record<string, string>>
type Child = ChildProcessByStdio<Writable, Readable, null>

/** Milliseconds from the start of the process to its first reply, one for each time. The database exists already. */
export async function firstReplies(env: Env, times: number): Promise<readonly number[]> {
  const ollama = await fake()
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    const child = start(env, ollama)
    child.stdin.end('hello\n')
    await replies(child, 1)
    taken.push(performance.now() - started)
    await ended(child)
  }
  await ollama.close()
  return taken
}

/** Resident MB of the process after so many turns of the busiest person; null where the system does not tell. */
export async function memoryAfter(env: Env, turns: number): Promise<number | null> {
  const ollama = await fake()
  const { writer } = createCrowd(SEED + 3)
  const child = start(env, ollama)
  for (let i = 0; i < turns; i++) {
    child.stdin.write(`${writer.message()}\n`)
    await replies(child, 1)
  }
  const megabytes = child.pid === undefined ? null : resident(child.pid)
  child.stdin.end()
  await ended(child)
  await ollama.close()
  return megabytes
}

function fake(): Promise<FakeOllama> {
  return startOllama({ models: [MODEL] })
}

function start(env: Env, ollama: FakeOllama): Child {
  const args = ['src/start.mjs', '--workspace', 'bench', '--as', nameOf(0)]
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      OLLAMA_HOST: ollama.host.href,
      OLLAMA_MODEL: MODEL,
      LOG_LEVEL: 'error',
      EMBEDDER: 'none',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Resolves when so many lines came out of it. Each reply of the fake is one line. */
function replies(child: Child, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count
    const failed = () => reject(new Error('The bot ended, or kept silent, before it replied'))
    const timer = setTimeout(failed, PATIENCE_MS)
    const heard = (chunk: Buffer) => {
      left -= chunk.toString('utf8').split('\n').length - 1
      if (left > 0) return
      clearTimeout(timer)
      child.off('exit', failed)
      child.stdout.off('data', heard)
      resolve()
    }
    child.stdout.on('data', heard)
    child.once('exit', failed)
  })
}

function ended(child: Child): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
}

function resident(pid: number): number | null {
  const status = `/proc/${pid}/status`
  try {
    const kilobytes = existsSync(status)
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}
