/** The commands that are answered without a language model: /persona, /tune and /help. */

import { type Command, type CommandContext, helpOn, pick } from './commands/command.ts'
import { PERSONA, runPersona } from './commands/persona.ts'
import { runTune, TUNE } from './commands/tune.ts'
import { nothingAfter, wordsIn } from './commands/words.ts'

export type { CommandContext } from './commands/command.ts'

const COMMANDS: readonly Command[] = [
  { name: '/persona', usage: '/persona', about: 'what I know of how you like to be answered', run: runPersona },
  { name: '/tune', usage: '/tune', about: 'the settings of this workspace, for its admins', run: runTune },
  { name: '/help', usage: '/help', about: 'this list', run: help },
]

/**
 * Answers one command in Markdown, for its author's eyes alone. Wrong input is answered with its sentence and changes
 * nothing; only a failing database throws.
 */
export async function runCommand(context: CommandContext): Promise<string> {
  const [name = '', ...words] = wordsIn(context.message.text.trim().replace(/^\/\s*/, '/'))
  try {
    return await pick(COMMANDS, name).run(context, words)
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

async function help(_context: CommandContext, words: readonly string[]): Promise<string> {
  nothingAfter('/help', words)
  return `**What I do when asked with a slash**\n\n${helpOn(PERSONA)}\n\nFor admins:\n\n${helpOn(TUNE)}`
}
