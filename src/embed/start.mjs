/** Starts the worker thread: Node 20 loads no TypeScript in a thread by `--import`, so the loader is registered in it. */

import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
