/** The estimate of a person as numbers from 0 to 1, and the words for how it moved. */

import {
  DIMENSIONS,
  type Dimension,
  dimensions,
  type Partly,
  type Scheme,
  type Vector,
} from '../preference/dimensions.ts'
import { labelIndex } from '../preference/labels.ts'
import { confirmedChanges } from '../preference/learn.ts'
import type { Shown } from '../preference/person.ts'

/** Where on its scale a value is; of a category, the weight of the label. */
export function amount(dimension: Dimension, value: Vector, label: string): number {
  const scheme: Scheme = DIMENSIONS[dimension]
  return value[scheme.kind === 'scale' ? 0 : scheme.labels.indexOf(label)] ?? 0
}

/** The label of a value by itself, whatever was pinned or held on to. */
export function labelOf(dimension: Dimension, value: Vector): string {
  const scheme: Scheme = DIMENSIONS[dimension]
  return scheme.labels[labelIndex(value, scheme, null, 0)]!
}

/** A turn's change: what was shown of the person before it and after it. */
export interface Moved {
  readonly askedAt: Date
  readonly changes: Parameters<typeof confirmedChanges>[0]
  readonly shown: Partly<Shown>
  readonly shownBefore: Partly<Shown>
}

/** Of each dimension its newest change, in words; by turn, in the order given, which is newest first. */
export function movements(turns: readonly Moved[]): readonly { readonly askedAt: Date; readonly words: string }[] {
  const told = new Set<Dimension>()
  return turns.flatMap((turn) => {
    const changed = confirmedChanges(turn.changes)
    const news = dimensions.filter((dimension) => changed.includes(dimension) && !told.has(dimension))
    for (const dimension of news) told.add(dimension)
    const words = news.map((d) => movement(d, turn.shownBefore[d]?.value, turn.shown[d]?.value))
    return news.length === 0 ? [] : [{ askedAt: turn.askedAt, words: words.join(', ') }]
  })
}

function movement(dimension: Dimension, before: Vector | undefined, after: Vector | undefined): string {
  if (after === undefined) return `another ${dimension}`
  const { kind, labels }: Scheme = DIMENSIONS[dimension]
  const label = labelOf(dimension, after)
  if (kind === 'scale') {
    if (before === undefined) return `${dimension} ${label}`
    return `more ${after[0]! > before[0]! ? labels.at(-1) : labels[0]}`
  }
  const fell = before !== undefined && amount(dimension, after, label) < amount(dimension, before, label)
  return `${fell ? 'less' : 'more'} ${label} in ${dimension}`
}
