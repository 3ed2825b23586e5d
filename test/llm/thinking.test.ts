/** The thinking filter gives the same visible text wherever a stream is cut. */

import { describe, expect, it } from 'vitest'
import { createThinkingFilter } from '../../src/llm/thinking.ts'

function visible(chunks: readonly string[]): string {
  const filter = createThinkingFilter()
  for (const chunk of chunks) filter.push(chunk)
  return filter.end()
}

const TABLE: readonly (readonly [why: string, raw: string, expected: string])[] = [
  ['a thought before the answer', '<think>hm</think>Hi', 'Hi'],
  ['blank lines behind a thought', '<think>\nhm\n</think>\n\n  \nHi\n\nyou', 'Hi\n\nyou'],
  ['an empty thought', '<think>\n\n</think>\n\nHi', 'Hi'],
  ['upper case', '<THINK>hm</Think>Hi', 'Hi'],
  ['thinking', '<thinking>hm</thinking>Hi', 'Hi'],
  ['thought', '<thought>hm</thought>Hi', 'Hi'],
  ['white space in the tag', '<think >hm</think\n>Hi', 'Hi'],
  ['text before and after', 'So <think>hm</think>it is', 'So it is'],
  ['two thoughts', '<think>a</think>One <think>b</think>two', 'One two'],
  ['an unclosed thought', 'Hi <think>and on and on', 'Hi'],
  ['only a thought', '<think>hm</think>', ''],
  ['a thought the template opened', 'hm, so\n</think>\n\nHi', 'Hi'],
  ['an opening tag inside a thought', '<think>a <think> b</think>Hi', 'Hi'],
  ['comparison', 'if a < b and b > c, a <b', 'if a < b and b > c, a <b'],
  ['other tags', '<b>bold</b> <thin> <thinker> </thin', '<b>bold</b> <thin> <thinker> </thin'],
  ['repeated angle brackets', '<<think>hm</think>>', '<>'],
  ['a tag that never ends', 'Hi <thi', 'Hi <thi'],
  ['a tag in inline code', 'Use `<think>` to think. Done.', 'Use `<think>` to think. Done.'],
  ['a tag in a fence', '```xml\n<think>x</think>\n```\nDone', '```xml\n<think>x</think>\n```\nDone'],
  ['indented code at the start', '\n    code', '    code'],
  ['a space at the start', ' Hi', 'Hi'],
  ['characters outside the basic plane', '<think>🤔</think>👋🏽 你好', '👋🏽 你好'],
]

describe('createThinkingFilter', () => {
  it.each(TABLE)('handles %s', (_why, raw, expected) => {
    expect(visible([raw])).toBe(expected)
  })

  it.each(TABLE)('handles %s cut at any two places and into single characters', (_why, raw, expected) => {
    for (let a = 0; a <= raw.length; a++) {
      for (let b = a; b <= raw.length; b++)
        expect(visible([raw.slice(0, a), raw.slice(a, b), raw.slice(b)])).toBe(expected)
    }
    expect(visible([...raw])).toBe(expected)
  })

  it('shows text as it comes, and never a piece of a tag', () => {
    const filter = createThinkingFilter()
    const seen = ['<thi', 'nk>a</th', 'ink>H', 'i', ' <', '3'].map((chunk) => filter.push(chunk))
    expect(seen).toEqual(['', '', 'H', 'Hi', 'Hi ', 'Hi <3'])
  })
})
