/** Throw-away databases for a measurement: embedded in a new folder, or a new one on a Postgres server. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Database } from '../../src/store/database.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { openServer } from '../../src/store/server.ts'

export interface Place {
  readonly name: 'PGlite' | 'Postgres'
  /** The environment with which another process opens the same database. */
  readonly env: Readonly<Record<string, string>>
  open(me: string): Promise<Database>
  remove(): Promise<void>
}

export async function embeddedPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-bench-'))
  const data = join(folder, 'data')
  return {
    name: 'PGlite',
    env: { DATA_DIR: data, DATABASE_URL: '' },
    open: (me) => openEmbedded(data, me),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** `server`: the address of a Postgres whose user may create databases. */
export async function serverPlace(server: string): Promise<Place> {
  const name = `attune_bench_${randomBytes(6).toString('hex')}`
  const admin = postgres(server, { max: 1, onnotice: () => {} })
  await admin.unsafe(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    name: 'Postgres',
    env: { DATABASE_URL: url.href },
    open: (me) => openServer(url.href, me),
    async remove() {
      await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
