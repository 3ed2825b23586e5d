/** Postgres embedded in this process, in a folder that no other process may open meanwhile. */

import { accessSync, constants, existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { type Database, DatabaseError, MIGRATIONS, reason } from './database.ts'
import { FolderBusy, lockFolder } from './folder-lock.ts'
import { prepared } from './prepared.ts'

/** Embedded Postgres in a folder, locked against a second process; migrated. `image`: what a new folder begins with. */
export async function openEmbedded(folder: string, me: string, image?: Blob): Promise<Database> {
  const unlock = await lockFolder(folder).catch((error: unknown) => {
    if (error instanceof FolderBusy) throw new DatabaseError(error.message)
    throw new DatabaseError(unwritable(folder, error))
  })
  try {
    refuseForeign(folder)
    if (!existsSync(join(folder, 'PG_VERSION'))) await makeWhole(folder, image)
    const client = await PGlite.create(embedded(folder))
    await migrate(drizzle(client), MIGRATIONS)
    return {
      queries: drizzle({ client: prepared(client) as PGlite }),
      alive: async () => [me],
      listen: async () => {},
      vacuum: async () => void (await client.exec('VACUUM turns')),
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw new DatabaseError(unwritable(folder, error))
  }
}

/** A new database is made beside its folder and moved there when it is whole: a kill leaves none that is half made. */
async function makeWhole(folder: string, image?: Blob): Promise<void> {
  const beside = `${folder}.new`
  rmSync(beside, { recursive: true, force: true })
  if (image === undefined) await makeInThread(beside)
  else await (await PGlite.create({ ...embedded(beside), loadDataDir: image })).close()
  rmdirSync(folder)
  renameSync(beside, folder)
}

/** Takes seconds in which this thread would hear nothing, no signal either. */
function makeInThread(dataDir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./new-folder.mjs', import.meta.url), { workerData: { dataDir } })
    worker.once('error', reject).once('exit', () => resolve())
  })
}

function embedded(dataDir: string) {
  // A small cache: the operating system's own serves reads, and memory stays under 300 MB.
  const startParams = [
    ...PGlite.defaultStartParams,
    '-c',
    'shared_buffers=32MB',
    '-c',
    'plan_cache_mode=force_generic_plan',
  ]
  return { dataDir, extensions: { vector }, startParams }
}

/** A database among other files would be a surprise; one that can't be written fails without a word why. */
function refuseForeign(folder: string): void {
  const files = readdirSync(folder)
  if (files.length > 0 && !files.includes('PG_VERSION')) throw new Error('there are other files in it')
  for (const file of ['.', ...files]) accessSync(join(folder, file), constants.R_OK | constants.W_OK)
}

function unwritable(folder: string, error: unknown): string {
  return `Expected \`DATA_DIR\` to be a folder that I can write to and that holds my database, got \`${folder}\` (${reason(error)}).`
}
