/** The real adapter on the fake Slack, with a bot that says what a test tells it to. */

import { createSlack, type SlackOptions } from '../../adapters/slack.ts'
import type { Platform } from '../../src/adapter.ts'
import { createScriptedBot, type ScriptedBot } from '../fakes/scripted-bot.ts'
import { type FakeSlack, startSlack } from '../fakes/slack.ts'

export interface SlackSet {
  readonly slack: FakeSlack
  readonly bot: ScriptedBot
  readonly platform: Platform
  readonly warned: string[]
  /** Resolves or rejects as `run` does. */
  readonly ran: Promise<void>
  close(): Promise<void>
}

export const FAST = { pace: { channelMs: 1, draftMs: 1 }, orderMs: 5, backoff: 20 } as const

export interface SetOptions {
  readonly fake?: Parameters<typeof startSlack>[0]
  readonly adapter?: Partial<SlackOptions>
  /** Before the adapter connects. */
  readonly before?: (slack: FakeSlack) => void
  /** False: the bot's own ways are not answered at once. */
  readonly isHolding?: boolean
  readonly isConnected?: boolean
}

export async function openSlackSet(options: SetOptions = {}): Promise<SlackSet> {
  const slack = await startSlack({ deadline: 1000, retryAfter: [0, 20, 20], ...options.fake })
  options.before?.(slack)
  const warned: string[] = []
  const platform = createSlack({
    botToken: slack.botToken,
    appToken: slack.appToken,
    apiUrl: slack.apiUrl,
    warn: (facts, text) => warned.push(`${text} ${JSON.stringify(facts)}`),
    ...FAST,
    ...options.adapter,
  })
  const bot = createScriptedBot(() => platform)
  if (options.isHolding) bot.hold()
  const stop = new AbortController()
  const ran = platform.run(bot, stop.signal)
  ran.catch(() => {})
  if (options.isConnected !== false) await slack.connected(2)
  return {
    slack,
    bot,
    platform,
    warned,
    ran,
    async close() {
      // Answers under way would find the fake closed.
      await Promise.race([bot.idle(), new Promise((resolve) => setTimeout(resolve, 300))])
      stop.abort()
      await ran.catch(() => {})
      await slack.close()
    },
  }
}
