/** Bars, sparklines, columns and code blocks. */

import { expect, test } from 'vitest'
import { bar, block, columns, sparkline } from '../../src/commands/chart.ts'

test('a bar has ten cells, whatever the share', () => {
  expect([0, 0.04, 0.05, 0.5, 1, -1, 7].map(bar)).toEqual([
    '░░░░░░░░░░',
    '░░░░░░░░░░',
    '█░░░░░░░░░',
    '█████░░░░░',
    '██████████',
    '░░░░░░░░░░',
    '██████████',
  ])
})

test('a sparkline has eight levels of the whole range', () => {
  expect(sparkline([0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, -0.1, 1.1])).toBe('▁▂▃▄▅▆▇██▁█')
  expect(sparkline([])).toBe('')
})

test('columns begin below each other and lines end without blanks', () => {
  expect(
    columns([
      ['a', 'bb', ''],
      ['λλλ', '', 'c'],
    ]),
  ).toBe('a    bb\nλλλ      c')
})

test('a code block can not be ended from inside', () => {
  expect(block('a\n```\nb')).toBe("```\na\n'''\nb\n```")
})
