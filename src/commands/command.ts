/** What a command is, how one is found among its siblings, and the short help that is made of them. */

import type { IncomingMessage } from '../adapter.ts'
import type { Queries } from '../store/database.ts'
import { notOneOf } from './words.ts'

/** What a command needs: an open transaction (its effects commit together with the reply), who asks, where and when. */
export interface CommandContext {
  readonly queries: Queries
  /** Its text begins with a slash. */
  readonly message: IncomingMessage
  /** When the message was sent. */
  readonly now: Date
  /** The persona in prompts/, of those who have none and whose workspace has none. */
  readonly persona: string
}

export interface Command {
  readonly name: string
  /** As one types it, with the words that follow. */
  readonly usage: string
  /** Half a sentence. */
  readonly about: string
  /** Gets the words after the name and answers in Markdown. Throws a RangeError before it changes anything. */
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<string>
}

/** In either case. Throws a RangeError that names the known ones and the nearest. */
export function pick<T extends { readonly name: string }>(commands: readonly T[], word: string): T {
  const found = commands.find(({ name }) => name === word.toLowerCase())
  if (found !== undefined) return found
  const names = commands.map(({ name }) => name)
  throw notOneOf(names, word)
}

export function helpOn(commands: readonly Pick<Command, 'usage' | 'about'>[]): string {
  return commands.map(({ usage, about }) => `- \`${usage}\`: ${about}`).join('\n')
}
