/** What Slack refuses, in sentences that say what to change. */

import { webApi } from '@slack/bolt'
import { PlatformError } from '../../src/adapter.ts'

const PASSING = new Set([
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
  'internal_error',
  'fatal_error',
  'team_added_to_org',
  'accesslimited',
])

const AUTH = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'user_removed_from_team',
])

/** Slack's word for what was wrong; null when no answer came, or none of Slack's. */
export function codeOf(error: unknown): string | null {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : null
}

/** Seconds that Slack wants to be left alone; null when it does not say so. */
export function retryAfter(error: unknown): number | null {
  return error instanceof webApi.WebAPIRateLimitedError ? error.retryAfter : null
}

/**
 * The sentence for whoever runs the bot; null where waiting helps.
 * @param setting the token that was used
 */
export function platformError(error: unknown, setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): PlatformError | null {
  const code = codeOf(error)
  if (code === null || PASSING.has(code)) return null
  return new PlatformError(sentenceOf(code, setting, needed(error)), { cause: error })
}

/** A Slack error without the words of anybody, for the log. */
export function brief(error: unknown): Readonly<Record<string, string>> {
  const code = codeOf(error)
  if (code !== null) return { slack: code, ...(code === 'missing_scope' ? { needed: needed(error) } : {}) }
  return { error: error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'unknown' }
}

function needed(error: unknown): string {
  if (!(error instanceof webApi.WebAPIPlatformError)) return ''
  const scope = new Map(Object.entries(error.data)).get('needed')
  return typeof scope === 'string' ? scope : ''
}

function sentenceOf(code: string, setting: string, scope: string): string {
  const isApp = setting === 'SLACK_APP_TOKEN'
  if (AUTH.has(code)) {
    return isApp
      ? `Slack refused \`${setting}\` (${code}): make a new app-level token with the scope \`connections:write\` under Basic Information`
      : `Slack refused \`${setting}\` (${code}): install the app anew and copy the Bot User OAuth Token from OAuth & Permissions`
  }
  if (code === 'missing_scope') {
    return isApp
      ? `The app-level token lacks the scope \`${scope || 'connections:write'}\`: make one that has it and set \`${setting}\``
      : `The Slack app lacks the scope \`${scope}\`: add it under OAuth & Permissions and install the app anew`
  }
  if (code === 'not_allowed_token_type') {
    return `Expected \`${setting}\` to be ${isApp ? 'an app-level token (`xapp-…`)' : 'a bot token (`xoxb-…`)'}, got a token of another kind`
  }
  if (code === 'team_disabled') return 'Slack has disabled this workspace'
  if (code === 'org_login_required') return 'This Slack workspace is being moved to an organisation: try again later'
  return isApp
    ? `Slack opened no socket (${code}): see that the app is enabled and Socket Mode is on in its settings`
    : `Slack refused the bot (${code}): see the settings of the app`
}
