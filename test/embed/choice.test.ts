/** What `EMBEDDER` may be. */

import { expect, it } from 'vitest'
import { parseChoice } from '../../src/embed/choice.ts'

it.each([
  ['none', { kind: 'none' }],
  ['minilm', { kind: 'minilm' }],
  ['ollama:all-minilm', { kind: 'ollama', model: 'all-minilm' }],
  ['ollama:hub.example/me/embed:1b', { kind: 'ollama', model: 'hub.example/me/embed:1b' }],
])('reads %s', (text, choice) => {
  expect(parseChoice(text)).toEqual(choice)
})

it.each(['', 'MiniLM', 'ollama', 'ollama:', 'ollama:a b', 'openai:ada'])(
  'refuses `%s` and says what it may be',
  (text) => {
    expect(() => parseChoice(text)).toThrow(
      new RangeError(
        `Expected \`EMBEDDER\` to be one of \`none\`, \`minilm\` or \`ollama:\` and the name of a model, such as \`ollama:all-minilm\`, got \`${text}\``,
      ),
    )
  },
)
