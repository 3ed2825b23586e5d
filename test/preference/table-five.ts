/** The five turns of the paper's Table 5, with the categories it has. */

import { clean } from '../../src/preference/clean.ts'
import { DIMENSIONS, type Dimension, type Partly, type Vector } from '../../src/preference/dimensions.ts'
import type { Schemes } from '../../src/preference/person.ts'

export const schemes: Schemes = {
  ...DIMENSIONS,
  tone: { kind: 'category', labels: ['humorous', 'neutral', 'serious'] },
  emotion: { kind: 'category', labels: ['joy', 'neutral', 'focused'] },
}

export const turns: readonly Partly<Vector>[] = [
  turn(['humorous', 0.92], 0.18, ['joy', 0.85], 0.2, 0.15),
  turn(['humorous', 0.93], 0.16, ['joy', 0.86], 0.22, 0.17),
  turn(['neutral', 0.72], 0.45, ['neutral', 0.7], 0.55, 0.48),
  turn(['serious', 0.89], 0.71, ['focused', 0.91], 0.78, 0.8),
  turn(['serious', 0.95], 0.69, ['neutral', 0.88], 0.82, 0.85),
]

type Top = readonly [label: string, prob: number]

function turn(tone: Top, length: number, emotion: Top, density: number, formality: number): Partly<Vector> {
  const top = (name: Dimension, [label, prob]: Top) => clean({ label, prob }, schemes[name])!
  return {
    tone: top('tone', tone),
    length: [length],
    emotion: top('emotion', emotion),
    density: [density],
    formality: [formality],
  }
}
