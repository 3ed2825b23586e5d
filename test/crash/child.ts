/** A process that takes messages, answers them, and dies at a chosen step. Arguments: step, count, output file, round. */

import { appendFileSync } from 'node:fs'
import type { IncomingMessage, Platform } from '../../src/adapter.ts'
import { createBot } from '../../src/bot.ts'
import type { Llm } from '../../src/llm/chat.ts'
import { createLog } from '../../src/log.ts'
import { createMailbox } from '../../src/mailbox.ts'
import { loadAnalyser } from '../../src/preference/analyser.ts'
import { loadPrompts } from '../../src/prompts.ts'
import { openDatabase } from '../../src/store/open.ts'

const [step = '', count = '0', output = '', round = '0'] = process.argv.slice(2)
const me = `attune:crash:${process.pid}`
const { DATABASE_URL, DATA_DIR = '' } = process.env
const database = await openDatabase({ DATABASE_URL: DATABASE_URL || null, DATA_DIR }, me)

/** Streams in pieces, and lets other conversations have their turn between them. */
const llm: Llm = {
  model: 'crash',
  contextTokens: 4096,
  async chat(messages, { onText }) {
    const text = `You said: ${messages.at(-1)?.content}`
    for (const length of [4, 8, text.length]) {
      onText?.(text.slice(0, length))
      await new Promise(setImmediate)
    }
    return { text, ms: 0, promptTokens: 1, tokens: 1, retried: false }
  },
}

const platform: Platform = {
  name: 'crash',
  isLocal: true,
  run: () => Promise.resolve(),
  open: (_, key) => ({
    update() {},
    finish: () => Promise.resolve([`post:${key}`]),
    stored: ({ reply }) => appendFileSync(output, `${JSON.stringify({ key, reply })}\n`),
    abandon() {},
  }),
}

const TEXTS = ['first words', 'second words', '/persona', 'third words', 'shorter please']

let seen = 0
const bot = createBot({
  database,
  mailbox: createMailbox(database, me),
  llm,
  analyse: loadAnalyser(),
  prompts: loadPrompts(),
  platforms: [platform],
  log: createLog('error'),
  me,
  concurrency: 3,
  onStep(reached) {
    if (reached === step && ++seen === Number(count)) process.kill(process.pid, 'SIGKILL')
  },
})

const stopping = new AbortController()
const working = bot.work(stopping.signal)
// Every round delivers what the rounds before it did, as a platform does that saw no acknowledgement, and something new.
for (let index = 0; index <= Number(round); index++) {
  for (const name of ['ana', 'ben', 'cleo']) await bot.receive(message(name, index, TEXTS[index % TEXTS.length] ?? ''))
}
await bot.idle()
stopping.abort()
await working
await database.close()
process.exit(0)

/** The same in every process: after a crash the platform delivers again. */
function message(name: string, index: number, text: string): IncomingMessage {
  return {
    id: `crash:W:${name}:${index}`,
    workspace: 'crash:W',
    conversation: `crash:W:direct:${name}`,
    context: 'direct',
    author: { id: `crash:W:${name}`, name, isAdmin: false },
    text,
    sentAt: new Date('2026-03-01T12:00:00Z'),
    destination: {},
  }
}
