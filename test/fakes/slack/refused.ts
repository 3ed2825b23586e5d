/** An answer `{ok: false, error}` of the Web API. */

import type { Data } from './world.ts'

export class Refused extends Error {
  readonly answer: Data

  /** @param error Slack's own name of it: `channel_not_found`. */
  constructor(error: string, more: Data = {}) {
    super(error)
    this.answer = { ok: false, error, ...more }
  }
}
