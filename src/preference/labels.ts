/** The word for a value, held on to while the value only trembles (Eq. 10 and 11), and the paper's line of words. */

import type { Dimension, Partly, Scheme, Vector } from './dimensions.ts'

/** Where a scale's words meet (Eq. 11); each bound belongs to the upper word. */
const BOUNDS = [0.33, 0.66] as const

/** A fused value may come out a rounding error below the bound that it stands on. */
const ROUNDING = 1e-9

/**
 * The index of the label. `previous` stays while the value is within `hysteresis` of it; null forgets it.
 * Of categories that tie, the first wins.
 */
export function labelIndex(value: Vector, scheme: Scheme, previous: number | null, hysteresis: number): number {
  return scheme.kind === 'scale' ? scaleIndex(value[0]!, previous, hysteresis) : topIndex(value, previous, hysteresis)
}

function scaleIndex(value: number, previous: number | null, hysteresis: number): number {
  if (previous !== null) {
    const low = BOUNDS[previous - 1] ?? Number.NEGATIVE_INFINITY
    const high = BOUNDS[previous] ?? Number.POSITIVE_INFINITY
    if (value >= low - hysteresis - ROUNDING && value < high + hysteresis - ROUNDING) return previous
  }
  return BOUNDS.filter((bound) => value >= bound - ROUNDING).length
}

function topIndex(value: Vector, previous: number | null, hysteresis: number): number {
  const most = Math.max(...value)
  const top = value.findIndex((weight) => weight >= most - ROUNDING)
  const held = previous === null ? undefined : value[previous]
  return previous !== null && held !== undefined && value[top]! <= held + hysteresis + ROUNDING ? previous : top
}

/** Algorithm 1, lines 21-24, which is not the order in which dimensions are stepped. */
const ORDER = [
  ['tone', 'Tone'],
  ['emotion', 'Emotion'],
  ['density', 'Density'],
  ['length', 'Length'],
  ['formality', 'Formality'],
] as const satisfies readonly (readonly [Dimension, string])[]

/** The line of Algorithm 1 with its line break; dimensions without a label are left out, none at all gives ''. */
export function directiveLine(labels: Partly<string>): string {
  const known = ORDER.flatMap(([dimension, title]) => {
    const label = labels[dimension]
    return label === undefined ? [] : [`[${title}: ${label}]`]
  })
  return known.length === 0 ? '' : `Respond in style: ${known.join(', ')}\n`
}
