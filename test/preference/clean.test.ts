/** What is a value, what is out of range and what is missing. */

import { describe, expect, test } from 'vitest'
import { clean } from '../../src/preference/clean.ts'
import { DIMENSIONS, type Scheme, type Vector } from '../../src/preference/dimensions.ts'

const { density } = DIMENSIONS

describe('what can be read of a raw observation', () => {
  const abc: Scheme = { kind: 'category', labels: ['a', 'b', 'c'] }

  test.each([null, undefined, Number.NaN, Infinity, -Infinity, '0.4', true, {}, [0.4]])(
    '%j is no point of a scale',
    (raw) => {
      expect(clean(raw, density)).toBeNull()
    },
  )

  test('a number beyond the scale is its end, and minus zero is zero', () => {
    expect([1.7, -3, 0.4, -0].map((raw) => clean(raw, density))).toStrictEqual([[1], [0], [0.4], [0]])
    expect(clean([-0, 1, 0], abc)).toStrictEqual([0, 1, 0])
  })

  test.each<[unknown, Vector | null]>([
    [
      [1, 1, 2],
      [0.25, 0.25, 0.5],
    ],
    [{ c: 3, a: 1 }, [0.25, 0, 0.75]],
    [{ label: 'b', prob: 0.5 }, [0.25, 0.5, 0.25]],
    [{ label: 'b', prob: 7 }, [0, 1, 0]],
    [{ label: 'b', prob: -7 }, [0.5, 0, 0.5]],
    [{ label: 'x', prob: 0.5 }, null],
    [{ label: 'b' }, null],
    [{ label: 'b', prob: '0.5' }, null],
    [{ a: 1, x: 1 }, null],
    [{ a: 1, b: null }, null],
    [{}, null],
    [[1, 1], null],
    [[1, 1, 1, 1], null],
    [[1, -0.1, 1], null],
    [[1, Number.NaN, 1], null],
    [[1, Infinity, 1], null],
    [[1e308, 1e308, 1e308], null],
    [[1, true, 1], null],
    [[0, 0, 0], null],
    ['b', null],
    [0.5, null],
  ])('%j of three categories is %j', (raw, value) => {
    expect(clean(raw, abc)).toEqual(value)
  })
})
