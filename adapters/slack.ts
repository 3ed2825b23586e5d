/** Slack as a chat platform, by Socket Mode: one workspace, one bot token, one app-level token. */

import { App, webApi } from '@slack/bolt'
import { type Bot, type Platform, PlatformError } from '../src/adapter.ts'
import { openDraft, targetOf } from './slack/draft.ts'
import { listen } from './slack/events.ts'
import { brief, codeOf, platformError } from './slack/faults.ts'
import { readText } from './slack/files.ts'
import { lastOf, parsePostId, workspaceId } from './slack/ids.ts'
import type { Self } from './slack/incoming.ts'
import { linksFor } from './slack/links.ts'
import { quietLogger, type Warn } from './slack/log.ts'
import { createOrder } from './slack/order.ts'
import { createPace, type PaceOptions, SLACKS_PACE } from './slack/pace.ts'
import { createPeople, type People } from './slack/people.ts'
import { createPosts } from './slack/posts.ts'
import { missingScopes } from './slack/scopes.ts'
import { createSockets } from './slack/sockets.ts'

export interface SlackOptions {
  /** `xoxb-…` */
  readonly botToken: string
  /** `xapp-…`, with the scope `connections:write` */
  readonly appToken: string
  /** Null: Slack's own. */
  readonly apiUrl: string | null
  readonly warn: Warn
  readonly pace?: PaceOptions
  /** Milliseconds that messages of a channel are waited for, to be handed on in their order. */
  readonly orderMs?: number
  /** Milliseconds before the first repeated attempt to connect. */
  readonly backoff?: number
  readonly now?: () => Date
}

const SOCKETS = 2
const REQUEST_MS = 20_000
const LOOK_MS = 400

export function createSlack(options: SlackOptions): Platform {
  const { warn } = options
  const clientOptions = clientOptionsOf(options)
  const client = new webApi.WebClient(options.botToken, clientOptions)
  const pace = createPace(options.pace ?? SLACKS_PACE)
  const lookMs = Math.min(LOOK_MS, options.pace?.draftMs ?? LOOK_MS)
  const sending = { posts: createPosts(client), pace, lookMs, warn }
  let team = ''
  const people = createPeople(client, () => team)
  return {
    name: 'slack',
    isLocal: false,
    async run(bot, signal) {
      const self = await whoAmI(client, options, signal)
      if (self === null) return
      team = self.team
      await bot.joined(workspaceId(team))
      await serve(bot, self, people, options, clientOptions, signal)
    },
    open: ([...destinations], key, outbox) => openDraft(sending, targetOf(destinations.at(-1) ?? {}), key, outbox),
    async isAdmin({ author }) {
      return (await people.get(lastOf(author.id), true)).isAdmin
    },
    readFile: (file, _, signal) => readText(file, { token: options.botToken, apiUrl: options.apiUrl, signal }),
    links: (messages, author, destination) => linksFor(client, messages, lastOf(author.id), targetOf(destination)),
    async remove(posts) {
      for (const place of posts.map(parsePostId)) {
        if (place === null) continue
        await pace.final(place.channel, () => sending.posts.remove(place.channel, place.ts))
      }
    },
  }
}

/** Own attempts instead of the client's: one that repeats a post makes two. */
function clientOptionsOf({ apiUrl, warn }: SlackOptions): webApi.WebClientOptions {
  return {
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
    logger: quietLogger(warn),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: REQUEST_MS,
  }
}

/**
 * Asks until Slack answers; null when the signal aborts first.
 * @throws PlatformError when the token is refused, or a scope is missing without which nothing works
 */
async function whoAmI(client: webApi.WebClient, options: SlackOptions, signal: AbortSignal): Promise<Self | null> {
  const { backoff = 1_000, warn } = options
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const { team_id, user_id, bot_id, response_metadata } = await client.auth.test()
      if (team_id === undefined || user_id === undefined || bot_id === undefined)
        throw new PlatformError('Expected `SLACK_BOT_TOKEN` to be a bot token (`xoxb-…`), got a token of another kind')
      missingScopes(response_metadata?.scopes, warn)
      return { team: team_id, user: user_id, bot: bot_id }
    } catch (error) {
      if (error instanceof PlatformError) throw error
      const fault = platformError(error, 'SLACK_BOT_TOKEN')
      if (fault !== null) throw fault
      warn({ failures: failures + 1, ...brief(error) }, 'Slack does not answer')
      await pause(backoff * 2 ** Math.min(failures, 5), signal)
    }
  }
  return null
}

async function serve(
  bot: Bot,
  self: Self,
  people: People,
  options: SlackOptions,
  clientOptions: webApi.WebClientOptions,
  signal: AbortSignal,
): Promise<void> {
  const { appToken, apiUrl, warn, botToken, backoff = 1_000, orderMs = 50, now = () => new Date() } = options
  const logger = quietLogger(warn)
  const onOpen = (open: number) => {
    if (open === 0 && !signal.aborted) warn({}, 'no socket to Slack is open')
  }
  const sockets = createSockets({ appToken, apiUrl, logger, count: SOCKETS, backoff, onOpen })
  const app = new App({
    receiver: sockets,
    authorize: async ({ teamId }) => {
      if (teamId !== undefined && teamId !== self.team) throw new Error(`The bot is not installed in ${teamId}`)
      return { botToken, botId: self.bot, botUserId: self.user, teamId: self.team }
    },
    convoStore: false,
    clientOptions,
    logger,
  })
  app.error(async (error) => {
    warn(brief(error.original ?? error), 'an event of Slack was not handled')
    // An event of a workspace that is not ours is not ours the next time either.
    if (error.code !== 'slack_bolt_authorization_error' && codeOf(error.original ?? error) === null) throw error
  })
  listen(app, { bot, self, people, inOrder: createOrder(orderMs), now, warn })
  await sockets.keep(signal)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
