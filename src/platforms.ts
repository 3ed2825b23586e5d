/** The chat platforms that the environment names, and their running: what one of them suffers stops no other. */

import { type Bot, type Platform, PlatformError } from './adapter.ts'
import { type Config, ConfigError, VARIABLES } from './config.ts'
import type { Log } from './log.ts'

/**
 * Those that have a token; none: the bot talks at the terminal.
 * @throws ConfigError when a platform has only a part of what it needs
 */
export async function openChats(config: Config, log: Log): Promise<Platform[]> {
  const platforms = await Promise.all([slackOf(config, log), discordOf(config, log)])
  return platforms.filter((platform) => platform !== null)
}

async function slackOf(config: Config, log: Log): Promise<Platform | null> {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = config
  if (botToken === null && appToken === null) return null
  if (botToken === null) throw missing('SLACK_BOT_TOKEN')
  if (appToken === null) throw missing('SLACK_APP_TOKEN')
  // Loaded only where it is wanted: it takes a good part of a second.
  const { createSlack } = await import('../adapters/slack.ts')
  const warn = (facts: object, text: string) => log.warn({ platform: 'slack', ...facts }, text)
  return createSlack({ botToken, appToken, apiUrl, warn })
}

async function discordOf(config: Config, log: Log): Promise<Platform | null> {
  const {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: apiUrl,
    DISCORD_SHARDS: shards,
    DISCORD_SHARD_COUNT: shardCount,
  } = config
  if (token === null) return null
  if (shards?.some((shard) => shard >= (shardCount ?? Number.POSITIVE_INFINITY)))
    throw new ConfigError(
      `Expected \`DISCORD_SHARDS\` to be below \`DISCORD_SHARD_COUNT\`, got \`${shards.join(',')}\``,
    )
  const { createDiscord } = await import('../adapters/discord.ts')
  const warn = (facts: object, text: string) => log.warn({ platform: 'discord', ...facts }, text)
  return createDiscord({ token, apiUrl, shards, shardCount, warn })
}

function missing(name: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): ConfigError {
  return new ConfigError(`Expected \`${name}\` to be ${VARIABLES[name].expected}, got \`\``)
}

/**
 * Runs the platforms until the signal aborts. One that can't run, or breaks, is told of in a sentence, and the others go
 * on; the last one ends all.
 * @throws the error of the last one, where it ended with one
 */
export async function runChats(
  platforms: readonly Platform[],
  bot: Bot,
  { log, tell, signal }: { readonly log: Log; readonly tell: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const stray = (error: unknown) => log.error({ error }, 'a library left an error to nobody')
  process.on('unhandledRejection', stray)
  const running = new Set(platforms)
  const run = async (platform: Platform) => {
    try {
      await platform.run(bot, signal)
      running.delete(platform)
    } catch (error) {
      running.delete(platform)
      if (signal.aborted) return
      if (running.size === 0) throw error
      log.error({ platform: platform.name, error }, 'a platform can not run')
      tell(sentenceOf(platform, error, [...running]))
    }
  }
  try {
    await Promise.all(platforms.map(run))
  } finally {
    process.off('unhandledRejection', stray)
  }
}

function sentenceOf({ name }: Platform, error: unknown, others: readonly Platform[]): string {
  const reason = error instanceof PlatformError ? error.message : `${name} ended with an error that I did not expect`
  return `${reason}. ${others.map((other) => other.name).join(' and ')} ${others.length === 1 ? 'goes' : 'go'} on.`
}
