/** What one person's persona is improved with: their judged turns, how they like to be answered, and what may not leak. */

import type { Analyse } from '../preference/analyser.ts'
import { shown } from '../preference/contexts.ts'
import { directive, type Manner } from '../preference/verbalize.ts'
import { followedIn, type Known } from '../store/optimizing.ts'
import { settingsOf } from '../workspace.ts'
import { type Judged, withoutBursts } from './judged.ts'
import { aimsOf, type Measure } from './score.ts'
import type { Scene } from './simulate.ts'

export interface Material {
  readonly persona: string
  /** Newest last. */
  readonly turns: readonly Judged[]
  /** Votes that came in a flood, which count for nothing. */
  readonly flooded: number
  readonly names: readonly string[]
  readonly texts: readonly string[]
  /** How a question is answered in a context, and what is aimed at there. */
  readonly placeOf: (context: string) => { readonly scene: Scene; readonly measure: Measure }
}

export function materialOf(known: Known, persona: string, analyse: Analyse, manner: Manner): Material {
  const settings = settingsOf(known.tuning)
  const turns = withoutBursts(known.turns)
  const votes = (all: readonly Judged[]) => all.filter(({ rating }) => rating !== null).length
  const own = known.turns.flatMap(({ question, reply, signals }) => [
    question,
    reply,
    ...signals.map(({ said }) => said),
  ])
  return {
    persona,
    turns,
    flooded: votes(known.turns) - votes(turns),
    names: known.others.names,
    texts: [...own, ...known.others.texts],
    placeOf(context) {
      const { own: here, overall } = followedIn(known, context)
      const labels = { ...shown(here, overall, settings).labels, ...known.pins }
      return {
        scene: { style: settings.directive ? directive(labels, manner) : '', length: labels.length },
        measure: { analyse, aims: aimsOf(here, overall, known.pins, settings) },
      }
    },
  }
}
