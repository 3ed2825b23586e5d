/**
 * Measures the estimator on simulated users and holds it against its targets: npm run bench:pamu
 * How the users are made is told in pamu/users.ts and pamu/people.ts; the seed is fixed.
 */

import { clean } from '../src/preference/clean.ts'
import { DIMENSIONS } from '../src/preference/dimensions.ts'
import { type PersonStep, type Schemes, stepPerson } from '../src/preference/person.ts'
import { PRESETS, PROFILES, type Preset, resolve, type Settings } from '../src/preference/settings.ts'
import { type Estimator, measure, type Quality } from './pamu/measure.ts'
import { measureContexts, measurePeople, people, timeStep } from './pamu/people.ts'
import { type Scenario, scenarios, type User, users } from './pamu/users.ts'

const SEED = 20251009
const USERS = 240

const ADAPTIVE = 'adaptive'
const EQUAL = 'paper (equal fusion)'

const presets = (Object.keys(PRESETS) as Preset[]).filter((preset) => preset !== 'no-prompt')

const ESTIMATORS: readonly Estimator[] = [
  { name: ADAPTIVE, settings: PROFILES.adaptive },
  { name: 'adaptive, beta .95', settings: resolve({ beta: 0.95 }) },
  { name: 'adaptive, dynamic lambda', settings: resolve({ lambda: 'dynamic' }) },
  ...presets.map((preset) => ({ name: `adaptive, ${preset}`, settings: resolve({ preset }) })),
  { name: EQUAL, settings: PROFILES.paper },
  { name: 'paper, no-sw', settings: resolve({ profile: 'paper', preset: 'no-sw' }) },
  { name: 'paper, no-ema', settings: resolve({ profile: 'paper', preset: 'no-ema' }) },
  { name: 'oracle', settings: PROFILES.adaptive, oracle: true },
]

type Results = ReadonlyMap<Scenario, Quality>

interface Target {
  readonly what: string
  readonly value: number
  readonly bound: number
  readonly atLeast?: boolean
}

const crowd = new Map<Scenario, User[]>(scenarios.map((scenario) => [scenario, users(scenario, USERS, SEED)]))

function run(estimator: Estimator): Results {
  return new Map([...crowd].map(([scenario, group]) => [scenario, measure(estimator, group)]))
}

function overall(results: Results, part: (quality: Quality) => number): number {
  const parts = [...results.values()].map(part)
  return parts.reduce((sum, value) => sum + value, 0) / parts.length
}

function printScales(): Results {
  const header = ['MAE', 'label', 'settle', 'false/1k', 'relabel', ...scenarios.map((name) => name.slice(0, 9))]
  console.log(`${scenarios.length} scenarios, ${USERS} users each, one scale; MAE per scenario on the right`)
  console.log(`${''.padEnd(26)}${header.map((title) => title.padStart(10)).join('')}`)
  const all = new Map<string, Results>()
  for (const estimator of ESTIMATORS) {
    const results = run(estimator)
    all.set(estimator.name, results)
    const figures = [
      overall(results, ({ error }) => error).toFixed(4),
      overall(results, ({ accuracy }) => accuracy).toFixed(3),
      results.get('abrupt')!.settle.toFixed(1),
      results.get('stationary')!.events.toFixed(2),
      overall(results, ({ relabelled }) => relabelled).toFixed(1),
      ...[...results.values()].map(({ error }) => error.toFixed(4)),
    ]
    console.log(`${estimator.name.padEnd(26)}${figures.map((figure) => figure.padStart(10)).join('')}`)
  }
  const [adaptive, equal] = [all.get(ADAPTIVE)!, all.get(EQUAL)!]
  const gain = 1 - overall(adaptive, ({ error }) => error) / overall(equal, ({ error }) => error)
  console.log(`\nThe default's error is ${(100 * gain).toFixed(1)} % below that of equal fusion`)
  return adaptive
}

/** The paper's conversation: when all five jump, and the labels at turn 4. */
function tableFive(): Target[] {
  const schemes: Schemes = {
    ...DIMENSIONS,
    tone: { kind: 'category', labels: ['humorous', 'neutral', 'serious'] },
    emotion: { kind: 'category', labels: ['joy', 'neutral', 'focused'] },
  }
  const rows = [
    ['humorous', 0.92, 0.18, 'joy', 0.85, 0.2, 0.15],
    ['humorous', 0.93, 0.16, 'joy', 0.86, 0.22, 0.17],
    ['neutral', 0.72, 0.45, 'neutral', 0.7, 0.55, 0.48],
    ['serious', 0.89, 0.71, 'focused', 0.91, 0.78, 0.8],
  ] as const
  const steps: PersonStep[] = []
  for (const [tone, p, length, emotion, q, density, formality] of rows) {
    const observation = {
      tone: clean({ label: tone, prob: p }, schemes.tone)!,
      emotion: clean({ label: emotion, prob: q }, schemes.emotion)!,
      ...{ length: [length], density: [density], formality: [formality] },
    }
    steps.push(stepPerson(steps.at(-1)?.states ?? {}, observation, PROFILES.adaptive, schemes))
  }
  const { tone, density, formality } = steps[3]!.labels
  const reached = [tone === 'serious', density === 'dense', formality === 'formal'].filter(Boolean).length
  return [
    { what: 'Table 5: dimensions that jump at turn 3', value: steps[2]!.jumps.length, bound: 5, atLeast: true },
    { what: 'Table 5: dimensions that jump at turn 2', value: steps[1]!.jumps.length, bound: 0 },
    { what: 'Table 5: serious, dense, formal at turn 4', value: reached, bound: 3, atLeast: true },
  ]
}

function scaleTargets(results: Results): Target[] {
  return [
    { what: 'MAE over the eight scenarios', value: overall(results, ({ error }) => error), bound: 0.053 },
    { what: 'label accuracy', value: overall(results, ({ accuracy }) => accuracy), bound: 0.875, atLeast: true },
    { what: 'turns to settle after an abrupt change', value: results.get('abrupt')!.settle, bound: 4.5 },
    { what: 'false changes per 1000 stationary turns', value: results.get('stationary')!.events, bound: 1 },
  ]
}

function peopleTargets(settings: Settings): Target[] {
  const group = people(USERS, SEED)
  const { allRight, promptChanges, afterChange, afterOwnChange } = measurePeople(settings, group)
  const contexts = measureContexts(settings, USERS, SEED)
  console.log(`MAE in four turns from a change, of the dimensions that changed: ${afterOwnChange.toFixed(4)}`)
  console.log(`Who goes between two contexts: MAE ${contexts.overall.toFixed(3)} with one estimate,`)
  console.log(`${contexts.perContext.toFixed(3)} with one per context\n`)
  return [
    { what: 'five dimensions: all labels right', value: allRight, bound: 0.67, atLeast: true },
    { what: 'five dimensions: prompt changes per 100 turns', value: promptChanges, bound: 11 },
    { what: 'five dimensions: MAE in four turns from a change', value: afterChange, bound: 0.11 },
    { what: 'contexts: MAE with one estimate per context', value: contexts.perContext, bound: 0.03 },
    {
      what: 'ms per five-dimension step',
      value: timeStep(settings, group.slice(0, 50), () => performance.now()),
      bound: 0.2,
    },
  ]
}

const results = printScales()
const targets = [...scaleTargets(results), ...peopleTargets(PROFILES.adaptive), ...tableFive()]
for (const { what, value, bound, atLeast = false } of targets) {
  const met = atLeast ? value >= bound : value <= bound
  const figure = Number.isInteger(value) ? String(value) : value.toFixed(4)
  console.log(
    `${met ? 'ok    ' : 'MISSED'} ${what.padEnd(50)} ${figure.padStart(8)}  ${atLeast ? '>=' : '<='} ${bound}`,
  )
}
