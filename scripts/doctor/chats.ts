/** Whether Slack and Discord take the tokens that are set. Nothing is posted, no socket is kept. */

import type { webApi } from '@slack/bolt'
import { PlatformError } from '../../src/adapter.ts'
import type { Config } from '../../src/config.ts'
import { type Check, type Finding, later, ok, reasonOf, WITHIN_MS, wrong } from './check.ts'

export function slack({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: url }: Config): Check {
  return async () => {
    if (botToken === null && appToken === null) return []
    if (botToken === null || appToken === null) {
      const name = botToken === null ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'
      return [wrong('Slack', `Expected \`${name}\` to be set, too: one token is not enough.`)]
    }
    const { webApi: api } = await import('@slack/bolt')
    const { missingScopes } = await import('../../adapters/slack/scopes.ts')
    const options = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, timeout: WITHIN_MS }
    const client = new api.WebClient(undefined, {
      ...options,
      ...(url !== null && { slackApiUrl: url }),
      logger: {
        debug() {},
        info() {},
        warn() {},
        error() {},
        setLevel() {},
        getLevel: () => api.LogLevel.ERROR,
        setName() {},
      },
    })
    return [
      ...(await asked('SLACK_BOT_TOKEN', async () => {
        const { team, user, response_metadata } = await client.auth.test({ token: botToken })
        const lacking: Finding[] = []
        missingScopes(response_metadata?.scopes, ({ scope }, text) => {
          lacking.push(later('Slack', `\`${String(scope)}\`: ${text}`))
        })
        return [ok('Slack', `${user} in ${team}`), ...lacking]
      })),
      ...(await asked('SLACK_APP_TOKEN', async () => {
        await opened(client, appToken)
        return [ok('Slack', 'sockets can be opened')]
      })),
    ]
  }
}

/** An address for a socket is asked for and not used. */
function opened(client: webApi.WebClient, token: string): Promise<unknown> {
  return client.apps.connections.open({ token })
}

async function asked(
  setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN',
  ask: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { platformError } = await import('../../adapters/slack/faults.ts')
  try {
    return await ask()
  } catch (error) {
    const fault = error instanceof PlatformError ? error : platformError(error, setting)
    return [wrong('Slack', fault?.message ?? `does not answer (${reasonOf(error)}): check the connection.`)]
  }
}
