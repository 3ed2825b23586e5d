/** Starts the worker thread, which Node can't do from TypeScript. */

import { load } from '../load.mjs'

await load('src/embed/worker')
