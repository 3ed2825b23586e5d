/** What the bot adds to a reply of its own accord: that it changed its manner, or that a pin stands in the way. */

import type { Reading } from './preference/analyser.ts'
import { shown } from './preference/contexts.ts'
import { type Dimension, dimensions, type Partly } from './preference/dimensions.ts'
import { confirmedChanges, type Lesson } from './preference/learn.ts'
import type { Settings } from './preference/settings.ts'
import { changeNotice, type Manner } from './preference/verbalize.ts'
import type { Known } from './store/people.ts'

interface Grounds {
  readonly known: Known
  readonly settings: Settings
  readonly reading: Reading
  readonly lesson: Lesson
}

/** Lines in Markdown; empty when there is nothing to say. */
export function noticeOf({ known, settings, reading, lesson }: Grounds, manner: Manner): string {
  if (known.tuning.notices === 'off' || !settings.directive) return ''
  const before = shown(known.learned.own, known.learned.overall, settings).labels
  const changed = confirmedChanges(lesson.events).filter(
    (dimension) => known.pins[dimension] === undefined && isOther(before[dimension], lesson.labels[dimension]),
  )
  return [changeNotice(changed, lesson.labels, manner), ...pinned(known.pins, asked(reading))]
    .filter((line) => line !== '')
    .join('\n')
}

/** Labels that the message asks for in so many words. */
export function asked(reading: Reading): Partly<string> {
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const evidence = reading.observed[dimension]
      return evidence?.evidence === 'explicit' ? [[dimension, evidence.label]] : []
    }),
  )
}

/** A label that was never shown before is no change. */
function isOther(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before !== after
}

function pinned(pins: Partly<string>, wanted: Partly<string>): string[] {
  const inTheWay = (dimension: Dimension) =>
    pins[dimension] !== undefined && wanted[dimension] !== undefined && pins[dimension] !== wanted[dimension]
  return dimensions
    .filter(inTheWay)
    .map(
      (dimension) => `_${dimension} is pinned to ${pins[dimension]}._ \`/persona unset ${dimension}\` lets go of it.`,
    )
}
