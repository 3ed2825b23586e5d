/** Where the words of a value begin and end, and when a known word is kept. */

import { describe, expect, test } from 'vitest'
import { DIMENSIONS } from '../../src/preference/dimensions.ts'
import { labelIndex } from '../../src/preference/labels.ts'

const { density, tone } = DIMENSIONS

describe('the word for a value', () => {
  test('the bounds belong to the upper word, a rounding error below included', () => {
    const words = [0, 0.3299, 0.33 - 1e-10, 0.33, 0.6599, 0.66 - 1e-10, 0.66, 1].map((x) =>
      labelIndex([x], density, null, 0),
    )
    expect(words).toEqual([0, 0, 1, 1, 1, 2, 2, 2])
  })

  test('a known word stays until the value leaves it by the hysteresis', () => {
    const kept = (x: number, previous: number) => labelIndex([x], density, previous, 0.03)
    expect([
      kept(0.35, 0),
      kept(0.361, 0),
      kept(0.3, 1),
      kept(0.299, 1),
      kept(0.688, 1),
      kept(0.69, 1),
      kept(0.63, 2),
    ]).toEqual([0, 1, 1, 0, 1, 2, 2])
    expect(kept(0.9, 0)).toBe(2)
  })

  test('of equal categories the first wins, a known one stays until another is clearly more', () => {
    expect(labelIndex([0.2, 0.4, 0.4, 0, 0], tone, null, 0.03)).toBe(1)
    expect(labelIndex([0.2, 0.4 - 1e-10, 0.4, 0, 0], tone, null, 0.03)).toBe(1)
    expect(labelIndex([0.2, 0.41, 0.39, 0, 0], tone, 2, 0.03)).toBe(2)
    expect(labelIndex([0.2, 0.42, 0.38, 0, 0], tone, 2, 0.03)).toBe(1)
    expect(labelIndex([0.2, 0.4 + 0.03 + 5e-10, 0.4, 0, 0], tone, 2, 0.03)).toBe(2)
  })
})
