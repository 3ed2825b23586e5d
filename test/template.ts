/** Before all tests: one migrated embedded database, dumped, from which each test's own is loaded in a second. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    template: string
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'attune-template-'))
  const client = await PGlite.create({ extensions: { vector } })
  await migrate(drizzle(client), { migrationsFolder: 'drizzle' })
  const file = join(folder, 'template.tar')
  await writeFile(file, Buffer.from(await (await client.dumpDataDir('none')).arrayBuffer()))
  await client.close()
  project.provide('template', file)
  return () => rm(folder, { recursive: true, force: true })
}
