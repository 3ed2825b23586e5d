/** Slack's client has its own log; of it only what warns is kept, cut short, as its details may hold people's words. */

import { type Logger, LogLevel } from '@slack/bolt'

/** Where a line of the log goes: what it is about, and a sentence. */
export type Warn = (facts: Readonly<Record<string, unknown>>, text: string) => void

export function quietLogger(warn: Warn): Logger {
  const say = (...[first]: unknown[]) => warn({}, String(first).split('\n', 1)[0]?.slice(0, 200) ?? '')
  return {
    debug: () => {},
    info: () => {},
    warn: say,
    error: say,
    getLevel: () => LogLevel.WARN,
    setLevel: () => {},
    setName: () => {},
  }
}
