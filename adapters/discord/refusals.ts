/** What Discord refuses, told apart by what can be done about it. */

import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? Number(error.code) : Number.NaN)

const isOneOf = (codes: readonly number[]) => (error: unknown) => codes.includes(codeOf(error))

/** The message is not there any more. */
export const isGone = isOneOf([Code.UnknownMessage])

/** The bot may not write there, or there is no such place. */
export const isClosed = isOneOf([
  Code.UnknownChannel,
  Code.MissingAccess,
  Code.MissingPermissions,
  Code.CannotSendMessagesToThisUser,
  Code.ThreadLocked,
  Code.UnknownGuild,
])

/** An interaction can't be answered any more: after its time, or it never was deferred. */
export const isExpired = isOneOf([
  Code.UnknownInteraction,
  Code.UnknownWebhook,
  Code.InvalidWebhookToken,
  Code.UnknownMessage,
])

/** Discord answered, and does not tell: gone, or hidden from the bot. */
export function isHidden(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return status === 403 || status === 404
}
