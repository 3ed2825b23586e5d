/** A terminal on streams that a test holds the other ends of. */

import { PassThrough, type Writable } from 'node:stream'
import { createTerminal, type Terminal, type TerminalOptions } from '../../adapters/terminal.ts'
import { createScriptedBot, type ScriptedBot } from '../fakes/scripted-bot.ts'

export interface TerminalSet {
  readonly terminal: Terminal
  readonly bot: ScriptedBot
  readonly input: PassThrough
  /** What was printed so far. */
  printed(): string
  lines(): string[]
  noticed(): string
  readonly stop: AbortController
  /** Starts `run` and ends the input after this text. */
  say(text: string | Buffer): Promise<void>
}

export const NOW = new Date('2026-03-01T09:30:00Z')

export function createTerminalSet(options: Partial<TerminalOptions> & { output?: Writable } = {}): TerminalSet {
  const input = new PassThrough()
  const output = options.output ?? new PassThrough()
  const notices = new PassThrough()
  const texts = { output: '', notices: '' }
  if (!options.output)
    output.on('data', (chunk) => {
      texts.output += chunk
    })
  notices.on('data', (chunk) => {
    texts.notices += chunk
  })
  const terminal = createTerminal({
    input,
    output,
    notices,
    mode: 'lines',
    as: 'ana',
    workspace: 'home',
    runId: 'run1',
    colour: false,
    now: () => NOW,
    ...options,
  })
  const bot = createScriptedBot(() => terminal)
  const stop = new AbortController()
  return {
    terminal,
    bot,
    input,
    printed: () => texts.output,
    lines: () => texts.output.split('\n').slice(0, -1),
    noticed: () => texts.notices,
    stop,
    say(text) {
      input.end(text)
      return terminal.run(bot, stop.signal)
    },
  }
}
