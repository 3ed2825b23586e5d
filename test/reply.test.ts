import { describe, expect, test } from 'vitest'
import type { ChatMessage, ChatOptions, Llm } from '../src/llm/chat.ts'
import { LlmError, type LlmErrorKind } from '../src/llm/errors.ts'
import type { Episode } from '../src/memory/episodes.ts'
import { loadPrompts } from '../src/prompts.ts'
import { type Question, reply } from '../src/reply.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const prompts = loadPrompts()

function episode(turnId: number, at: string, text: string): Episode {
  return { turnId, at: new Date(at), text }
}

const OSLO = episode(1, '2025-11-12T10:00:00Z', 'my sister\nlives in "Oslo"')
const CAT = episode(2, '2026-01-03T10:00:00Z', 'her cat is called Bo')

const QUESTION: Question = {
  text: 'Where does my sister live?',
  name: 'Ana',
  now: NOW,
  profile: [],
  history: [],
  recalled: [],
  found: () => Promise.resolve([]),
  directive: 'Answer in one or two short sentences.',
  persona: null,
  length: 'brief',
  acting: null,
}

/** A model that keeps what it is asked. */
function createModel(say: (options: ChatOptions) => string | Promise<string> = () => 'In Oslo.', contextTokens = 4096) {
  const asked: { readonly messages: readonly ChatMessage[]; readonly maxTokens: number }[] = []
  const llm: Llm = {
    model: 'test:1b',
    contextTokens,
    async chat(messages, options) {
      asked.push({ messages, maxTokens: options.maxTokens })
      const text = await say(options)
      options.onText?.(text)
      return { text, ms: 7, promptTokens: 1, tokens: 1, retried: false }
    },
  }
  return { llm, asked }
}

function answer(llm: Llm, question: Partial<Question> = {}, signal = new AbortController().signal) {
  const streamed: string[] = []
  const result = reply(llm, prompts, { ...QUESTION, ...question }, signal, (text) => streamed.push(text))
  return result.then((given) => ({ ...given, streamed }))
}

function failing(kind: LlmErrorKind): Llm {
  return createModel(() => {
    throw new LlmError(kind, `The sentence about ${kind}.`)
  }).llm
}

describe('what is put to the model', () => {
  test('ends its system prompt with the directive, names the person and leaves no placeholder', async () => {
    const { llm, asked } = createModel()
    expect(await answer(llm)).toEqual({
      text: 'In Oslo.',
      model: 'test:1b',
      ms: 7,
      done: [],
      streamed: ['In Oslo.'],
    })
    const [system, ...rest] = asked[0]?.messages ?? []
    expect(system?.role).toBe('system')
    expect(system?.content.startsWith(prompts.render('persona', {}).split('\n')[0] ?? '?')).toBe(true)
    expect(system?.content).not.toContain('When to use which action')
    expect(system?.content).toContain('You are talking with Ana.')
    expect(system?.content.endsWith(`\n\n${QUESTION.directive}`)).toBe(true)
    expect(system?.content).not.toContain('{{')
    expect(rest).toEqual([{ role: 'user', content: QUESTION.text }])
  })

  test('has what was said earlier in one block before the question, oldest first, after the history', async () => {
    const { llm, asked } = createModel()
    await answer(llm, { recalled: [CAT, OSLO], history: [{ user: 'Hi.', assistant: 'Hello, Ana.' }] })
    expect(asked[0]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello, Ana.' },
      {
        role: 'user',
        content: `<earlier>\n12 Nov 2025: "my sister lives in 'Oslo'"\n3 Jan: "her cat is called Bo"\n</earlier>\n\n${QUESTION.text}`,
      },
    ])
  })

  test('keeps a name and a question that look like placeholders as they are', async () => {
    const { llm, asked } = createModel()
    await answer(llm, { name: '{{style}}', text: 'What does {{earlier}} mean?', recalled: [CAT] })
    expect(asked[0]?.messages[0]?.content).toContain('You are talking with {{style}}.')
    expect(asked[0]?.messages[1]?.content.endsWith('What does {{earlier}} mean?')).toBe(true)
  })

  test('may be answered in as many tokens as the length wants', async () => {
    const { llm, asked } = createModel()
    for (const length of ['brief', 'detailed', undefined]) await answer(llm, { length })
    expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([120, 1000, 600])
  })
})

describe('without a model', () => {
  test('what was said on it is quoted with its date, at most three of them', async () => {
    const found = [OSLO, CAT, CAT, episode(3, '2026-02-01T00:00:00Z', 'a fourth')]
    const given = await answer(failing('down'), { found: () => Promise.resolve(found) })
    expect(given.text).toBe(
      'I have no language model right now. On that you told me on 12 Nov 2025: “my sister lives in "Oslo"”' +
        '\nAnd on 3 Jan: “her cat is called Bo”\nAnd on 3 Jan: “her cat is called Bo”',
    )
    expect(given).toMatchObject({ model: null, streamed: [] })
    expect(given.failure?.kind).toBe('down')
  })

  test.each<LlmErrorKind>(['down', 'missing', 'memory', 'cut', 'silent', 'refused'])(
    'that is %s, and nothing found, the message is kept',
    async (kind) => {
      expect((await answer(failing(kind))).text).toBe(
        'I have no language model right now. I find nothing on that in what you told me, either. I keep your message; please ask again later.',
      )
    },
  )

  test('that has no word to say is told apart from none', async () => {
    expect((await answer(failing('empty'))).text).toMatch(/^My language model had no answer to that\. I find nothing/)
  })
})

describe('a message', () => {
  test('that the model cannot read at once is answered with how long it may be', async () => {
    const { llm, asked } = createModel(undefined, 1024)
    const given = await answer(llm, { text: 'word '.repeat(5000) })
    expect(given.text).toMatch(
      /^Your message has about 5,000 words; I can read about \d+ at once\. Please send a shorter part of it\.$/,
    )
    expect(given).toMatchObject({ model: null, failure: { kind: 'too-long' } })
    expect(asked).toEqual([])
    expect((await answer(failing('too-long'))).text).toBe('The sentence about too-long.')
  })

  test.each(['', '  \n\t'])('of nothing (%j) is said to be empty, and the model is not asked', async (text) => {
    const { llm, asked } = createModel()
    expect(await answer(llm, { text })).toEqual({
      text: 'I got an empty message: there is nothing in it that I can read.',
      model: null,
      ms: 0,
      done: [],
      streamed: [],
    })
    expect(asked).toEqual([])
  })
})

describe('a failure', () => {
  test('of the caller, who aborts, is passed on with its reason', async () => {
    const stop = new AbortController()
    const { llm } = createModel(({ signal }) => {
      stop.abort(new Error('stopping'))
      signal.throwIfAborted()
      return 'too late'
    })
    await expect(answer(llm, {}, stop.signal)).rejects.toThrow('stopping')
  })

  test('that is none of the model is not taken for one', async () => {
    const { llm } = createModel(() => {
      throw new RangeError('a bug')
    })
    await expect(answer(llm)).rejects.toThrow(RangeError)
    await expect(answer(failing('down'), { found: () => Promise.reject(new Error('no database')) })).rejects.toThrow(
      'no database',
    )
  })
})
