/** What admins may set for their workspace: how preferences are followed, and how the bot behaves. */

import { resolve, type Settings, type Tuning } from './preference/settings.ts'
import { reset, TUNABLES, type Tunable } from './preference/tuning.ts'

/** Only what differs from the defaults. */
export interface WorkspaceTuning extends Tuning {
  readonly notices?: 'on' | 'off'
}

const notices: Tunable<WorkspaceTuning> = {
  name: 'notices',
  aliases: [],
  range: '`on` or `off`',
  default: '`on`',
  effect: 'Whether a reply says so when I noticed a change in how you like to be answered.',
  current: (tuning) => tuning.notices ?? 'on',
  write: (tuning, text) => (text === 'on' || text === 'off' ? { ...tuning, notices: text } : undefined),
}

/** Everything that `/tune` knows. A new setting is a row here and a field above. */
export const WORKSPACE_TUNABLES: readonly Tunable<WorkspaceTuning>[] = [...TUNABLES.map(widened), notices]

/** All settings as they were at first, or one of them. Throws a RangeError when the name is unknown. */
export function resetWorkspace(tuning: WorkspaceTuning, name?: string): WorkspaceTuning {
  return name === undefined ? {} : reset(WORKSPACE_TUNABLES, tuning, name)
}

export function settingsOf(tuning: WorkspaceTuning): Settings {
  return resolve(tuning)
}

/** A row about part of the settings as one about all of them. */
function widened(tunable: Tunable<Tuning>): Tunable<WorkspaceTuning> {
  return {
    ...tunable,
    write: (tuning, text) => {
      const written = tunable.write(tuning, text)
      return written && { ...tuning, ...written }
    },
  }
}
