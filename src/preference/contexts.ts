/**
 * A person is followed in each context and over all of them; the context speaks once it knows enough.
 * Only numbers go from one context into what is shown in another.
 */

import type { DimensionState } from './averages.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly, type Vector } from './dimensions.ts'
import {
  type Change,
  type PersonStep,
  type Portrait,
  portrait,
  portraitOf,
  type Schemes,
  type Shown,
  type StepOptions,
  stepPerson,
} from './person.ts'
import type { Settings } from './settings.ts'

/** One estimate of a person, and how many values of each dimension it ever accepted; a restart keeps the count. */
export interface Followed {
  readonly states: Partly<DimensionState>
  readonly accepted: Partly<number>
}

export const UNKNOWN: Followed = { states: {}, accepted: {} }

/** From this accepted value on a context's own estimate is shown instead of the overall one. */
const OWN_FROM = 3

export interface FollowedStep extends Portrait {
  readonly own: Followed
  readonly overall: Followed
  /** Of the context's own estimate, like `jumps`, `eager` and `outcomes`. */
  readonly events: readonly Change[]
  readonly jumps: readonly Dimension[]
  readonly eager: boolean
  readonly outcomes: PersonStep['outcomes']
  /** Of the overall estimate, for the log alone. */
  readonly overallEvents: readonly Change[]
}

/** One turn in a context: both estimates take the same observation of cleaned values. */
export function follow(
  own: Followed,
  overall: Followed,
  observation: Partly<Vector>,
  settings: Settings,
  options: StepOptions = {},
  schemes: Schemes = DIMENSIONS,
): FollowedStep {
  const mine = stepPerson(own.states, observation, settings, schemes, options)
  const all = stepPerson(overall.states, observation, settings, schemes, options)
  const followed = { states: mine.states, accepted: count(own.accepted, mine) }
  const { events, jumps, eager, outcomes } = mine
  return {
    own: followed,
    overall: { states: all.states, accepted: count(overall.accepted, all) },
    ...choose(followed.accepted, mine, all),
    events,
    jumps,
    eager,
    outcomes,
    overallEvents: all.events,
  }
}

/** What is shown of a person in a context between turns. */
export function shown(own: Followed, overall: Followed, settings: Settings, schemes: Schemes = DIMENSIONS): Portrait {
  return choose(own.accepted, portrait(own.states, settings, schemes), portrait(overall.states, settings, schemes))
}

function choose(accepted: Partly<number>, own: Portrait, overall: Portrait): Portrait {
  const shown: { [D in Dimension]?: Shown } = {}
  for (const dimension of dimensions) {
    const mine = own.shown[dimension]
    const all = overall.shown[dimension]
    const part = (accepted[dimension] ?? 0) >= OWN_FROM ? mine : (all ?? mine)
    if (part !== undefined) shown[dimension] = part
  }
  return portraitOf(shown)
}

/** A jump is accepted when it is confirmed, one turn late. */
function count(before: Partly<number>, { outcomes }: PersonStep): Partly<number> {
  const after: { [D in Dimension]?: number } = { ...before }
  for (const dimension of dimensions) {
    const { observed, jump, confirmed } = outcomes[dimension]
    const taken = (observed && !jump ? 1 : 0) + (confirmed ? 1 : 0)
    if (taken > 0) after[dimension] = (before[dimension] ?? 0) + taken
  }
  return after
}
