/**
 * One process per embedded data folder. A socket beside the folder is the lock: the kernel drops the listener when its
 * process dies, so nothing goes stale, and it holds between containers that share a volume.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const ATTEMPTS = 40
/** Between attempts, while another starter takes a dead process's socket away; and when that one must have died, too. */
const WAIT_MS = 50
const TAKING_MS = 1000
/** Longest path that a socket may have everywhere, in bytes. */
const MAX_SOCKET_PATH = 100
/** A busy process answers late, but its kernel accepts at once. */
const ANSWER_MS = 5000

export class FolderBusy extends Error {}

/**
 * Makes the folder and holds it until the returned function is called or the process ends.
 * @throws FolderBusy naming the process that holds it; the error of the file system if the folder can't be written.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  // With its parent there it is made plainly: Node's recursive mkdir never returns where nothing can be made (/proc).
  if (!existsSync(folder)) mkdirSync(folder, { recursive: !existsSync(dirname(resolve(folder))) })
  const path = socketPath(realpathSync(folder))
  const me = `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const server = await listen(path, me)
    // Closing takes the socket away as well; by name it might be the next one's already.
    if (server) return () => void server.close()
    await removeIfDead(folder, path)
  }
  throw new FolderBusy(`The data folder ${folder} could not be locked: other processes are starting on it.`)
}

function socketPath(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\attune-${hash}`
  const beside = join(dirname(folder), `.${basename(folder)}.lock`)
  return Buffer.byteLength(beside) > MAX_SOCKET_PATH ? join(tmpdir(), `attune-${hash}.lock`) : beside
}

function listen(path: string, answer: string): Promise<Server | null> {
  return new Promise((resolved, rejected) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(answer)
    })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolved(null) : rejected(error),
    )
    server.listen(path, () => resolved(server.unref()))
  })
}

/**
 * A killed process leaves its socket behind. One starter at a time looks at it and takes it away, so that what is taken
 * away is never a socket that another starter has opened since. The starter's mark is a folder: making one is atomic.
 */
async function removeIfDead(folder: string, path: string): Promise<void> {
  await refuseIfAlive(folder, path)
  const mark = `${path}.taking`
  if (!begin(mark)) return setTimeout(WAIT_MS)
  try {
    await refuseIfAlive(folder, path)
    rmSync(path, { force: true })
  } finally {
    rmdirSync(mark)
  }
}

/** False while another starter's mark is there; one that is too old to be at work is taken away. */
function begin(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  try {
    if (Date.now() - statSync(mark).mtimeMs > TAKING_MS) rmdirSync(mark)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  return false
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function refuseIfAlive(folder: string, path: string): Promise<void> {
  const holder = await ask(path)
  if (holder === null) return
  throw new FolderBusy(
    `The data folder ${folder} is in use by ${holder}. Stop that one, or set DATA_DIR to another folder or DATABASE_URL to a Postgres that both can share.`,
  )
}

/** What the listener says of itself; null when nobody listens. */
function ask(path: string): Promise<string | null> {
  return new Promise((resolved) => {
    let answer = ''
    const socket = connect(path)
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolved(null)
    })
    socket.on('close', () => resolved(answer || 'a process that did not answer'))
  })
}
