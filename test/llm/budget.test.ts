/** What of a conversation goes into the prompt. */

import { describe, expect, it } from 'vitest'
import { estimateTokens, fitPrompt } from '../../src/llm/budget.ts'

const system = 'You are kind.'
const turn = (n: number, words = 20) => ({
  user: `q${n} ${'word '.repeat(words)}`,
  assistant: `a${n} ${'word '.repeat(words)}`,
})
const ROOMY = { system, question: 'And now?', contextTokens: 4096, answerTokens: 500 }

describe('estimateTokens', () => {
  // Counts of qwen2.5-coder:0.5b and smollm2:135m at a real server.
  it.each([
    [
      'chat',
      "hey, can u help me w/ my homework?? i don't get how photosynthesis works lol... it's due tmrw at 9:30am!! ".repeat(
        4,
      ),
      137,
      141,
    ],
    [
      'code',
      'for (let i = 0; i < items.length; i++) {\n  const item = items[i]\n  if (item.value !== null && item.value > 10) {\n    total += item.value * 1.25\n  }\n}\n'.repeat(
        4,
      ),
      216,
      252,
    ],
    ['digits', '3.14159265358979 2026-11-30 12:34:56 1,000,000 42 '.repeat(6), 300, 300],
    [
      'German',
      'Die Geschwindigkeitsbegrenzung auf der Autobahn wurde aufgehoben, weil überprüft wurde, dass größere Schäden unwahrscheinlich sind. '.repeat(
        4,
      ),
      153,
      229,
    ],
    ['Chinese', '昨天晚上我们在河边散步，讨论了一本关于旅行的新书，天气非常好。'.repeat(6), 102, 324],
    ['emoji', '😀🎉👍🏽🚀❤️👨‍👩‍👧‍👦🇩🇪🔥'.repeat(8), 160, 368],
    [
      'addresses',
      'https://example.com/a/b/c?utm_source=newsletter&id=9f8e7d6c5b4a39281706f5e4d3c2b1a0 '.repeat(5),
      236,
      271,
    ],
  ])('counts %s as between what a large vocabulary makes of it and twice that', (_what, text, large, small) => {
    const estimate = estimateTokens(text)
    expect(estimate).toBeGreaterThanOrEqual(0.96 * large)
    expect(estimate).toBeLessThanOrEqual(2 * large)
    expect(estimate).toBeGreaterThanOrEqual(0.55 * small)
  })

  it('counts nothing as nothing', () => {
    expect(estimateTokens('')).toBe(0)
  })
})

describe('fitPrompt', () => {
  it('sends system prompt, history and question in order when all fit', () => {
    const messages = fitPrompt({ ...ROOMY, history: [turn(1), turn(2)] })
    expect(messages.map(({ role, content }) => `${role} ${content.slice(0, 2)}`)).toEqual([
      'system Yo',
      'user q1',
      'assistant a1',
      'user q2',
      'assistant a2',
      'user An',
    ])
  })

  it('drops whole turns, the oldest first', () => {
    const history = Array.from({ length: 40 }, (_, n) => turn(n, 40))
    const messages = fitPrompt({ ...ROOMY, contextTokens: 1024, history })
    const kept = messages.slice(1, -1)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept).toEqual(
      history.slice(-kept.length / 2).flatMap(({ user, assistant }) => [
        { role: 'user', content: user },
        { role: 'assistant', content: assistant },
      ]),
    )
  })

  it('leaves no gap: a long turn ends the history even if an older one would fit', () => {
    const messages = fitPrompt({ ...ROOMY, contextTokens: 1024, history: [turn(1, 5), turn(2, 2000), turn(3, 5)] })
    expect(messages.map(({ content }) => content.slice(0, 2))).toEqual(['Yo', 'q3', 'a3', 'An'])
  })

  it.each([1024, 2048, 4096])('keeps prompt and answer within %d tokens', (contextTokens) => {
    const messages = fitPrompt({ ...ROOMY, contextTokens, history: Array.from({ length: 200 }, (_, n) => turn(n)) })
    const total = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
    expect(total + 500).toBeLessThan(contextTokens)
    expect(total + 500).toBeGreaterThan(contextTokens * 0.7)
  })

  it('leaves out blank replies and a blank system prompt', () => {
    const messages = fitPrompt({
      ...ROOMY,
      system: ' ',
      history: [
        { user: 'One?', assistant: '' },
        { user: 'Two?', assistant: ' \n' },
      ],
    })
    expect(messages).toEqual([
      { role: 'user', content: 'One?' },
      { role: 'user', content: 'Two?' },
      { role: 'user', content: 'And now?' },
    ])
  })

  it('never cuts the question', () => {
    const question = 'word '.repeat(2000).trim()
    expect(fitPrompt({ ...ROOMY, question, history: [turn(1)] }).at(-1)).toEqual({ role: 'user', content: question })
  })

  it.each([
    [
      'words',
      'word '.repeat(50_000),
      'Your message has about 50,000 words; I can read about 2,500 at once. Please send a shorter part of it.',
    ],
    [
      'characters',
      '字'.repeat(12_345),
      'Your message has about 13,000 characters; I can read about 3,500 at once. Please send a shorter part of it.',
    ],
  ])('says in %s how much of a message it can read', (_unit, question, sentence) => {
    expect(() => fitPrompt({ ...ROOMY, history: [], question })).toThrow(
      expect.objectContaining({ name: 'LlmError', kind: 'too-long', message: sentence }),
    )
  })

  it('says so when the instructions alone take all the room', () => {
    expect(() => fitPrompt({ ...ROOMY, system: 'word '.repeat(5000), history: [] })).toThrow(
      'The instructions leave no room for a message: raise OLLAMA_CONTEXT.',
    )
  })
})
