/** Makes an empty database in a folder: a thread of its own, as Node can't start one from TypeScript. */

import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

const client = await PGlite.create({ dataDir: workerData.dataDir })
await client.close()
