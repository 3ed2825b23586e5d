/**
 * One process per embedded data folder. A socket beside the folder is the lock: the kernel drops the listener when its
 * process dies, so nothing goes stale, and it holds between containers that share a volume.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

const ATTEMPTS = 20
/** Longest path that a socket may have everywhere, in bytes. */
const MAX_SOCKET_PATH = 100
/** A busy process answers late, but its kernel accepts at once. */
const ANSWER_MS = 500

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
    if (server) return () => release(server, path)
    await removeIfDead(folder, path, `${path}.${process.pid}.${attempt}`)
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
 * A killed process leaves its socket behind. It is moved aside first, so that only one of several starters gets it; if
 * what was moved turns out to be alive, it is put back.
 */
async function removeIfDead(folder: string, path: string, aside: string): Promise<void> {
  await refuseIfAlive(folder, path)
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  try {
    await refuseIfAlive(folder, aside)
  } catch (error) {
    renameSync(aside, path)
    throw error
  }
  rmSync(aside, { force: true })
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

function release(server: Server, path: string): void {
  server.close()
  if (process.platform !== 'win32') rmSync(path, { force: true })
}
