/** One line a turn, with ids and milliseconds, on stderr. Never what people wrote, never a secret. */

import { destination, type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export function createLog(level: string): Log {
  return pino({ level, base: null, errorKey: 'error', serializers: { error: describeError } }, destination(2))
}

/** The kind and place of an error, not its message: a database quotes the values it was given. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
  return { type: error.name, code, frames, cause: error.cause ? describeError(error.cause) : undefined }
}
