/** A fresh, migrated database for a test: embedded, or on the server of DATABASE_URL. */

import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'
import type { Database } from '../src/store/database.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { openServer } from '../src/store/server.ts'

export interface TestDatabase {
  readonly database: Database
  /** The environment with which another process opens the same database. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** `me`: the name of the process that opens it. */
export async function openTestDatabase(me = 'attune:test'): Promise<TestDatabase> {
  const place = await newDatabase()
  const database = await place.open(me)
  return {
    database,
    env: place.env,
    async close() {
      await database.close()
      await place.remove()
    },
  }
}

/** A database that is not open yet. */
export async function newDatabase() {
  const server = process.env['DATABASE_URL']
  return server ? onServer(server) : embedded()
}

async function embedded() {
  const folder = await mkdtemp(join(tmpdir(), 'attune-test-'))
  const image = await openAsBlob(inject('template'))
  return {
    env: { DATA_DIR: join(folder, 'data'), DATABASE_URL: '' },
    open: (me: string) => openEmbedded(join(folder, 'data'), me, image),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function onServer(server: string) {
  const name = `attune_test_${randomBytes(6).toString('hex')}`
  const admin = postgres(server, { max: 1, onnotice: () => {} })
  await admin.unsafe(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    env: { DATABASE_URL: url.href },
    open: (me: string) => openServer(url.href, me),
    async remove() {
      await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
