/** What the bot is made of; main.ts brings the real parts, the tests bring their own. */

import type { Platform } from './adapter.ts'
import type { Llm } from './llm/chat.ts'
import type { LlmError } from './llm/errors.ts'
import type { Log } from './log.ts'
import type { Mailbox } from './mailbox.ts'
import type { ToolServers } from './mcp/servers.ts'
import type { Meaning } from './memory/meaning.ts'
import type { Analyse } from './preference/analyser.ts'
import type { Prompts } from './prompts.ts'
import type { Database } from './store/database.ts'

export interface Parts {
  readonly database: Database
  readonly mailbox: Mailbox
  readonly llm: Llm
  /** Absent: what was said is found by its words alone. */
  readonly meaning?: Meaning
  /** Absent: none are configured. */
  readonly tools?: ToolServers
  readonly analyse: Analyse
  readonly prompts: Prompts
  readonly platforms: readonly Platform[]
  readonly log: Log
  /** The name under which this process holds conversations. */
  readonly me: string
  readonly concurrency: number
  /** Told of every answer: what kept the model from giving it, or null. */
  readonly onModel?: (failure: LlmError | null) => void
  /** Told of each step, so that tests can stop the process there and benches can take the time. */
  readonly onStep?: (step: Step) => void
}

/** What one message goes through, in this order. */
export type Step = 'accepted' | 'claimed' | 'analysed' | 'recalled' | 'streaming' | 'answered' | 'posted' | 'stored'

/** The platform that the id of a message or of a conversation begins with. */
export function platformOf({ platforms }: Parts, id: string): Platform {
  const platform = platforms.find(({ name }) => id.startsWith(`${name}:`))
  if (platform === undefined) throw new Error(`Expected an id of ${platforms.map(({ name }) => name).join(', ')}`)
  return platform
}
