/** Table 5 of the paper through both profiles. */

import { expect, test } from 'vitest'
import { dimensions } from '../../src/preference/dimensions.ts'
import { directiveLine } from '../../src/preference/labels.ts'
import { type PersonStep, stepPerson } from '../../src/preference/person.ts'
import { PROFILES, type Settings } from '../../src/preference/settings.ts'
import { schemes, turns } from './table-five.ts'

/** Turn, dimension, fused, Delta, C, s, event, label. */
const PAPER = `
1 tone 0.920/0.040/0.040 0.0000 0.000 0.0800 - humorous
1 length 0.1800 0.0000 0.000 0.0800 - brief
1 emotion 0.850/0.075/0.075 0.0000 0.000 0.0800 - joy
1 density 0.2000 0.0000 0.000 0.0800 - sparse
1 formality 0.1500 0.0000 0.000 0.0800 - casual
2 tone 0.923/0.038/0.038 0.0040 0.036 0.0800 - humorous
2 length 0.1740 0.0080 0.071 0.0800 - brief
2 emotion 0.853/0.074/0.074 0.0040 0.036 0.0800 - joy
2 density 0.2060 0.0080 0.071 0.0800 - sparse
2 formality 0.1560 0.0080 0.071 0.0800 - casual
3 tone 0.753/0.186/0.061 0.1796 2.332 0.0568 shift humorous
3 length 0.2343 0.0581 0.749 0.0574 - brief
3 emotion 0.700/0.209/0.090 0.1609 2.090 0.0568 shift joy
3 density 0.2801 0.0865 1.114 0.0574 - sparse
3 formality 0.2257 0.0819 1.054 0.0574 - casual
4 tone 0.638/0.157/0.205 0.2529 3.562 0.0568 shift humorous
4 length 0.3153 0.1193 1.005 0.1100 - brief
4 emotion 0.592/0.175/0.233 0.2311 3.255 0.0568 shift joy
4 density 0.3643 0.1464 1.233 0.1100 - moderate
4 formality 0.3232 0.1537 1.294 0.1100 - casual
5 tone 0.552/0.135/0.313 0.2762 4.175 0.0568 shift humorous
5 length 0.3686 0.1389 1.089 0.1324 - moderate
5 emotion 0.518/0.279/0.204 0.2496 3.773 0.0568 shift joy
5 density 0.4290 0.1700 1.396 0.1252 - moderate
5 formality 0.3983 0.1833 1.308 0.1479 - neutral
`

function walk(settings: Settings): PersonStep[] {
  const steps: PersonStep[] = []
  for (const turn of turns) steps.push(stepPerson(steps.at(-1)?.states ?? {}, turn, settings, schemes))
  return steps
}

test('the default profile jumps in all five dimensions at turn 3 and in none before', () => {
  const steps = walk(PROFILES.adaptive)
  expect(steps.map(({ jumps }) => jumps)).toEqual([
    [],
    [],
    ['tone', 'length', 'emotion', 'density', 'formality'],
    ['tone', 'emotion', 'formality'],
    [],
  ])
  expect(steps.map(({ eager }) => eager)).toEqual([false, false, true, true, false])
  expect(steps[2]!.outcomes.length.J).toBeCloseTo(3.1, 2)
  expect(steps[3]!.outcomes.formality.J).toBeCloseTo(3.16, 2)
})

test('the default profile confirms all five at turn 4 and drops the lone emotion at turn 5', () => {
  const steps = walk(PROFILES.adaptive)
  const confirmed = steps[3]!.events.filter(({ kind }) => kind === 'confirmed')
  expect(confirmed.map(({ dimension }) => dimension)).toEqual([...dimensions])
  expect(steps[4]!.events).toEqual([
    { dimension: 'tone', kind: 'confirmed' },
    { dimension: 'emotion', kind: 'rejected' },
    { dimension: 'formality', kind: 'confirmed' },
  ])
})

test('the default profile tells the model neutral at turn 3 and serious, dense and formal at turn 4', () => {
  const lines = walk(PROFILES.adaptive).map(({ labels }) => directiveLine(labels))
  const first =
    'Respond in style: [Tone: humorous], [Emotion: joy], [Density: sparse], [Length: brief], [Formality: casual]\n'
  expect(lines).toEqual([
    first,
    first,
    'Respond in style: [Tone: neutral], [Emotion: neutral], [Density: moderate], [Length: moderate], [Formality: neutral]\n',
    'Respond in style: [Tone: serious], [Emotion: focused], [Density: dense], [Length: moderate], [Formality: formal]\n',
    'Respond in style: [Tone: serious], [Emotion: neutral], [Density: dense], [Length: moderate], [Formality: formal]\n',
  ])
})

test('the paper profile gives the printed equations, figure by figure', () => {
  const rows = walk(PROFILES.paper).flatMap((step, i) =>
    (['tone', 'length', 'emotion', 'density', 'formality'] as const).map((dimension) => {
      const { fused, delta, C, s, shift, jump, confirmed } = step.outcomes[dimension]
      expect([jump, confirmed]).toEqual([false, false])
      const vector = fused!.map((value) => value.toFixed(fused!.length === 1 ? 4 : 3)).join('/')
      const figures = [vector, delta!.toFixed(4), C!.toFixed(3), s.toFixed(4)]
      return [i + 1, dimension, ...figures, shift ? 'shift' : '-', step.labels[dimension]].join(' ')
    }),
  )
  expect(rows).toEqual(PAPER.trim().split('\n'))
})
