/** Where an answer may stop. */

import { describe, expect, it } from 'vitest'
import { cutBack, isInCode, stops } from '../../src/llm/sentences.ts'

/** The pieces between the stops, the remainder last. */
function pieces(text: string): string[] {
  const ends = stops(text)
  return [0, ...ends].map((start, index) => text.slice(start, ends[index] ?? text.length))
}

describe('stops', () => {
  it.each([
    ['sentences', 'One. Two! Three? Fo', ['One.', ' Two!', ' Three?', ' Fo']],
    [
      'numbers and abbreviations',
      'It is 3.14, e.g. Dr. Who said so. Next',
      ['It is 3.14, e.g. Dr. Who said so.', ' Next'],
    ],
    ['quotes and bold', 'He said "no." **Then. It** ended.', ['He said "no."', ' **Then. It** ended.', '']],
    ['Chinese', '你好。再见', ['你好。', '再见']],
    ['list items', 'Things:\n- red\n- green\n- bl', ['Things:\n- red', '\n- green', '\n- bl']],
    ['numbered items', '1. First\n2. Second thing. More\n3', ['1. First', '\n2. Second thing.', ' More', '\n3']],
    ['an item that announces more', '- Fruit:\n  - apple\n', ['- Fruit:\n  - apple', '\n']],
    ['paragraphs', 'No full stop here\n\nNext', ['No full stop here', '\n\nNext']],
    ['headings', '# Title. Of it\nText', ['# Title. Of it\nText']],
    ['fences', 'Do. See:\n```js\na. B.\n\n- x\n```\nSo', ['Do.', ' See:\n```js\na. B.\n\n- x\n```', '\nSo']],
    ['longer and unclosed fences', '````\n```\nA. B\n', ['````\n```\nA. B\n']],
    ['inline code', 'Run `a. B` now. Ok', ['Run `a. B` now.', ' Ok']],
    ['tables', '| A. B | c |\n|--|--|\n| x. Y | z |\n', ['| A. B | c |\n|--|--|\n| x. Y | z |\n']],
  ])('finds %s', (_what, text, expected) => {
    expect(pieces(text)).toEqual(expected)
  })
})

describe('cutBack', () => {
  it.each([
    ['to the last sentence', 'One. Two and', 'One.'],
    ['not at all behind a sentence', 'One. Two.', 'One. Two.'],
    ['not at all without a sentence', 'one and two', 'one and two'],
    ['to whole lines of code, and closes the block', 'See:\n```js\nlet a = 1\nlet b', 'See:\n```js\nlet a = 1\n```'],
  ])('cuts %s', (_what, text, expected) => {
    expect(cutBack(text)).toBe(expected)
  })
})

describe('isInCode', () => {
  it.each([
    ['a `b', true],
    ['a `b`', false],
    ['```\na', true],
    ['```\na\n```\n', false],
    ['~~~\n```\n', true],
  ])('%j: %s', (text, expected) => {
    expect(isInCode(text)).toBe(expected)
  })
})
