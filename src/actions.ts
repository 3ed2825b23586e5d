/** All actions that the model may take, and which of them a message gives reason to offer. */

import type { Action, Asking, OwnAction } from './actions/action.ts'
import { calculate } from './actions/calculate.ts'
import { currentTime } from './actions/current-time.ts'
import { forget } from './actions/forget.ts'
import { profile } from './actions/profile.ts'
import { readThread } from './actions/read-thread.ts'
import { recall } from './actions/recall.ts'
import { remember } from './actions/remember.ts'
import { setPreference } from './actions/set-preference.ts'

const ACTIONS: readonly OwnAction[] = [
  calculate,
  currentTime,
  recall,
  readThread,
  profile,
  remember,
  forget,
  setPreference,
]

export const ACTION_NAMES: readonly string[] = ACTIONS.map(({ name }) => name)

/** Those that may help; none for most messages, which then cost one call of the model and no token more. */
export function offered(asking: Asking): readonly Action[] {
  return ACTIONS.filter((action) => action.mayHelp(asking))
}
