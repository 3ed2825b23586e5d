/** Where the bot starts. A signal ends it with 0 from here on: loading the rest takes long enough to be interrupted. */

const end = () => process.exit(0)
// main.ts takes them over.
process.on('SIGINT', end).on('SIGTERM', end)

const { load } = await import('./load.mjs')
await load('src/main')
