import { describe, expect, test } from 'vitest'
import { evidenceIds, sessionTime } from '../../bench/locomo/data.ts'
import { amemF1, bleu1, officialF1, recallAt } from '../../bench/locomo/metrics.ts'

describe('evidence', () => {
  test('is repaired where several ids or blanks stand in one, and counted once', () => {
    expect(evidenceIds(['D8:6; D9:17', 'D', 'D:11:26', 'D30:05', 'D9:17'])).toEqual([
      'D8:6',
      'D9:17',
      'D11:26',
      'D30:5',
    ])
  })

  test('is found by its share among the first k', () => {
    const shown = ['D1:1', 'D1:2', 'D1:3']
    expect(recallAt(2, ['D1:2', 'D1:3'], shown)).toBe(0.5)
    expect(recallAt(3, ['D1:2', 'D1:3'], shown)).toBe(1)
    expect(recallAt(5, ['D9:9'], shown)).toBe(0)
  })

  test('has the time of its session', () => {
    expect(sessionTime('1:56 pm on 8 May, 2023').toISOString()).toBe('2023-05-08T13:56:00.000Z')
    expect(sessionTime('12:09 am on 13 September, 2023').toISOString()).toBe('2023-09-13T00:09:00.000Z')
    expect(() => sessionTime('noon')).toThrow("Expected a session's time to read 1:56 pm on 8 May, 2023, got `noon`")
  })
})

describe('the official F1', () => {
  test.each([
    ['7 May 2023', '7 May 2023', 2, 1],
    ['The adopting of agencies', 'Adoption agencies', 4, 0.8],
    ['An apple, and THE pear!', 'apple pear', 4, 1],
    ['dogs dogs dogs', 'dog', 4, 0.5],
    ['nothing', 'cats', 4, 0],
    ['', 'cats', 4, 0],
    ['pottery, camping', 'pottery, camping, painting, swimming', 1, 0.5],
    ['yes', 'Yes; since she collects books', 3, 1],
    ['yes', 'Yes; since she collects books', 4, 1 / 3],
    ['That is not mentioned.', 'whatever', 5, 1],
    ['She said so', 'whatever', 5, 0],
  ])('of %j against %j in category %i is %d', (predicted, gold, category, expected) => {
    expect(officialF1(predicted, gold, category)).toBeCloseTo(expected, 10)
  })
})

describe('the measures of A-MEM', () => {
  test('F1 is on sets of words as they stand', () => {
    expect(amemF1('dogs, dogs. dogs!', 'dogs')).toBe(1)
    expect(amemF1('dogs', 'dog')).toBe(0)
    expect(amemF1('on 7 May', '7 May 2023')).toBeCloseTo(2 / 3, 10)
    expect(amemF1('', '')).toBe(0)
  })

  test('BLEU-1 clips repeated words, punishes brevity and smooths nothing in common', () => {
    expect(bleu1('7 May 2023', '7 May 2023')).toBe(1)
    expect(bleu1('May May', 'in May')).toBe(0.5)
    expect(bleu1('May', '7 May 2023')).toBeCloseTo(Math.exp(-2), 10)
    expect(bleu1('June or July', 'May')).toBeCloseTo(0.1 / 3, 10)
    expect(bleu1('', 'May')).toBe(0)
  })
})
