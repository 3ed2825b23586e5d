/** The published test vectors, and the runner that reads them. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseVectors, type Stream, schedule } from '../../scripts/vector-file.ts'
import { runStream } from '../../scripts/vector-run.ts'

const text = readFileSync(new URL('../vectors/pamu.json', import.meta.url), 'utf8')
const { streams, tolerance } = parseVectors(text)

function stream(name: string): Stream {
  return structuredClone(streams.find((known) => known.name === name)!)
}

test('there are ten streams', () => {
  expect(streams.length).toBe(10)
  expect(tolerance).toEqual({ values: 1e-9, scores: 1e-9 })
})

test.each(streams.map((known) => [known.name, known] as const))('the estimator agrees with %s', (_, known) => {
  expect(runStream(known, tolerance)).toBeNull()
})

describe('the runner names the first difference', () => {
  test('in a score', () => {
    const altered = stream('abrupt-and-outlier')
    altered.expected[20]!['C'] = 0.5
    expect(runStream(altered, tolerance)).toMatchObject({ turn: 21, field: 'C', expected: 0.5 })
  })

  test('in a state to be stored', () => {
    const altered = stream('gradual-ramp')
    altered.expected[40]!['state'] = { k: 19 }
    expect(runStream(altered, tolerance)).toMatchObject({ turn: 41, field: 'state.k', expected: 19, got: 20 })
  })

  test('in a label that should not be shown', () => {
    const altered = stream('table5-adaptive')
    altered.expected[0]!['labels'] = { tone: 'humorous' }
    expect(runStream(altered, tolerance)).toMatchObject({ turn: 1, field: 'labels.length', expected: null })
  })

  test('and lets a rounding error pass', () => {
    const altered = stream('abrupt-and-outlier')
    altered.expected[20]!['C'] = Number(altered.expected[20]!['C']) * (1 + 1e-10)
    expect(runStream(altered, tolerance)).toBeNull()
  })
})

describe('reconfigure', () => {
  const windows = (reconfigure: unknown) => {
    const input = [0.1, 0.2, 0.3, 0.4]
    const made = { name: 'made', kind: 'dimension', params: { W: 5 }, input, expected: [{}, {}, {}, {}], reconfigure }
    const file = parseVectors(JSON.stringify({ streams: [made] }))
    return schedule(file.streams[0]!).map(({ window }) => window)
  }

  test.each([
    { at: 2, params: { W: 3 } },
    { index: 2, W: 3 },
    { turn: 3, params: { W: 3 } },
    [{ after: 1, params: { W: 3 } }],
    { 2: { W: 3 } },
    [[2, { W: 3 }]],
    [null, null, { W: 3 }, null],
  ])('reads %j', (reconfigure) => {
    expect(windows(reconfigure)).toEqual([5, 5, 3, 3])
  })

  test('takes several changes', () => {
    expect(
      windows([
        { at: 1, params: { W: 2 } },
        { at: 3, params: { W: 9 } },
      ]),
    ).toEqual([5, 2, 2, 9])
  })

  test('refuses a place that is no input and a parameter that is none', () => {
    expect(() => windows({ at: 7, W: 3 })).toThrow('Expected a `reconfigure` to name one of 4 inputs, got `7`')
    expect(() => windows({ at: 1, params: { V: 3 } })).toThrow('Expected a known parameter, got `V`')
  })
})

test('a broken file is told from a wrong one', () => {
  expect(() => parseVectors('{')).toThrow(/^Expected JSON, got something else/)
  expect(() => parseVectors('{"streams": []}')).toThrow(/^Expected a file of PAMU vectors, got one with `streams`/)
  const uneven = { streams: [{ name: 'odd', kind: 'user', input: [null], expected: [] }] }
  expect(() => parseVectors(JSON.stringify(uneven))).toThrow(
    'Expected as many inputs as expected turns in `odd`, got 1 and 0',
  )
})
