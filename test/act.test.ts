/** A model that acts before it answers, through the whole walk. */

import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { ChatAnswer, ChatMessage, ChatOptions, Llm } from '../src/llm/chat.ts'
import { LlmError } from '../src/llm/errors.ts'
import type { Parts } from '../src/parts.ts'
import { rowsOf } from '../src/store/database.ts'
import { eraseBefore } from '../src/store/forget.ts'
import { loadLines } from '../src/store/profile.ts'
import { openWalk, useWalks, type Walk } from './walk.ts'

const { db } = useWalks()

type Said =
  | string
  | { readonly text?: string; readonly calls: readonly (readonly [name: string, given: unknown])[] }
  | Error
type Asked = { readonly messages: readonly ChatMessage[]; readonly options: ChatOptions }

/** A bot whose model says these things in turn, and what it was asked. */
async function acting(
  said: readonly Said[],
  work: (walk: Walk, asked: Asked[]) => Promise<void>,
  takesTools: Llm['takesTools'] = async () => true,
  onStep: Parts['onStep'] = () => {},
) {
  const asked: Asked[] = []
  const rest = [...said]
  const llm: Llm = {
    model: 'acting',
    contextTokens: 4096,
    takesTools,
    async chat(messages, options): Promise<ChatAnswer> {
      asked.push({ messages, options })
      const next = rest.shift() ?? 'Noted.'
      if (next instanceof Error) throw next
      const { text = '', calls = [] } = typeof next === 'string' ? { text: next } : next
      if (text !== '') options.onText?.(text)
      const toolCalls = calls.map(([name, given]) => ({ name, arguments: given }))
      return { text, ms: 1, promptTokens: 1, tokens: 1, retried: false, ...(toolCalls.length > 0 && { toolCalls }) }
    },
  }
  const walk = openWalk(db().database, () => '', { llm, onStep })
  try {
    await work(walk, asked)
  } finally {
    await walk.stop()
  }
}

const call = (name: string, given: unknown = {}) => ({ calls: [[name, given] as const] })
const offeredIn = (asked: Asked | undefined) => asked?.options.tools?.map(({ name }) => name) ?? []
const linesOf = async (walk: Walk, as = 'ana') => {
  const lines = await loadLines(db().database.queries, {
    workspace: walk.workspace,
    author: { id: `${walk.workspace}:${as}` },
  })
  return lines.map(({ text }) => text)
}

describe('a model with tools', () => {
  test('costs one call when nothing in the message asks for an action', () =>
    acting(['Hi.'], async (walk, asked) => {
      expect((await walk.ask('hello there')).actions).toEqual([])
      expect(asked).toHaveLength(1)
      expect(asked[0]?.options.tools).toBeUndefined()
    }))

  test('and one when it takes none of those that are offered', () =>
    acting(['42.'], async (walk, asked) => {
      expect(await walk.ask('What is 6 * 7?')).toMatchObject({ reply: '42.', actions: [] })
      expect(asked).toHaveLength(1)
      expect(offeredIn(asked[0])).toEqual(['calculate'])
    }))

  test('takes several steps; what was done is stored, told by /persona why, and text before a call is no reply', () => {
    const first = {
      text: 'Let me see.',
      calls: [
        ['calculate', { expression: '17.5% of 240' }],
        ['current_time', {}],
      ],
    } as const
    return acting([first, call('calculate', { expression: '42+1' }), 'It is 43.'], async (walk, asked) => {
      const record = await walk.ask('What is 17.5% of 240, plus one, and what time is it?')
      const actions = [
        { action: 'calculate', arguments: { expression: '17.5% of 240' }, result: '17.5% of 240 = 42' },
        { action: 'current_time', arguments: {}, result: 'Sunday, 1 March 2026 at 12:00 (UTC)' },
        { action: 'calculate', arguments: { expression: '42+1' }, result: '42+1 = 43' },
      ]
      expect(record).toMatchObject({ reply: 'It is 43.', actions })
      expect(asked[2]?.messages.slice(-5).map(({ role, content }) => [role, content])).toEqual([
        ['assistant', 'Let me see.'],
        ['tool', actions[0]?.result],
        ['tool', actions[1]?.result],
        ['assistant', ''],
        ['tool', '42+1 = 43'],
      ])
      expect((await walk.ask('/persona why')).reply).toContain(
        'What I did:\n- `calculate {"expression":"17.5% of 240"}`: `17.5% of 240 = 42`\n- `current_time {}`: `Sunday, 1 March',
      )
    })
  })

  test('has at most four steps, the last without tools', () =>
    acting([...[1, 2, 3].map((n) => call('calculate', { expression: `${n}` })), 'Noon.'], async (walk, asked) => {
      expect((await walk.ask('What is 1 * 2 * 3?')).reply).toBe('Noon.')
      expect(asked.map((one) => offeredIn(one).length)).toEqual([1, 1, 1, 0])
    }))

  test('that calls the same again is told the results in words', () =>
    acting([call('current_time'), call('current_time'), 'Noon.'], async (walk, asked) => {
      expect(await walk.ask('What time is it?')).toMatchObject({
        reply: 'Noon.',
        actions: [{ action: 'current_time' }],
      })
      expect(asked[2]?.options.tools).toBeUndefined()
      expect(asked[2]?.messages.at(-1)?.content).toContain('current_time: Sunday, 1 March')
    }))

  test('that falls silent after a call is told the result in words', () =>
    acting([call('current_time'), new LlmError('empty', 'Nothing.'), 'Noon.'], async (walk, asked) => {
      expect(await walk.ask('What time is it?')).toMatchObject({
        reply: 'Noon.',
        actions: [{ action: 'current_time' }],
      })
      expect(asked).toHaveLength(3)
    }))

  test.each([new LlmError('empty', 'Nothing.'), '{"calculate": 42}'])(
    'that then has no word of its own (%s) has the result as its reply',
    (nothing) =>
      acting([call('calculate', { expression: '6*7' }), new LlmError('empty', 'Nothing.'), nothing], async (walk) => {
        expect(await walk.ask('What is 6 * 7?')).toMatchObject({ reply: '6*7 = 42', model: true })
      }),
  )

  test('is told in words what was wrong with a call, and nothing else runs', () => {
    const calls = [
      ['calculate', { expression: 'process.exit()' }],
      ['calculate', 'no object'],
      ['shell', { command: 'rm' }],
      ['forget', { fact: 'cat' }],
      ['recall', { query: 'cat', from: '2026-02-31' }],
    ] as const
    return acting(['Kept.', { calls }, 'Sorry.'], async (walk) => {
      await walk.ask('Remember that my cat is called Tom')
      const { actions } = await walk.ask('What is 1 + 1?')
      expect(actions.map((action) => (action as { result: string }).result)).toEqual([
        'Expected `expression` to be an arithmetic expression with a finite value, got `process.exit()`',
        'Expected the arguments of `calculate` to be an object, got `no object`',
        'Expected one of `calculate`, got `shell`',
        'Expected one of `calculate`, got `forget`',
      ])
      expect(await linesOf(walk)).toEqual(['My cat is called Tom'])
    })
  })

  test.each([
    '```json\n{"name": "calculate", "arguments": {"expression": "6*7"}}\n```',
    '{"name": "shout", "arguments": {"text": "6*7"}}',
    '<tool_call>calculate(6*7)</tool_call>',
    '{function calculate}',
  ])('that writes the call %j is asked which action it needs; the words run nothing and are not shown', (words) =>
    acting([words, '{"action": "answer"}', '42.'], async (walk, asked) => {
      expect(await walk.ask('What is 6 * 7?')).toMatchObject({ reply: '42.', actions: [] })
      expect(asked).toHaveLength(3)
    }),
  )

  test('that turns out to take none is asked in words', () => {
    const refusal = new LlmError('no-tools', 'It does not support tools.')
    return acting([refusal, '{"action":"calculate","arguments":{"expression":"6*7"}}', '42.'], async (walk, asked) => {
      expect(await walk.ask('What is 6 * 7?')).toMatchObject({ reply: '42.', actions: [{ result: '6*7 = 42' }] })
      expect(asked[2]?.messages.at(-1)?.content).toContain('calculate: 6*7 = 42')
    })
  })
})

describe('a model without tools', () => {
  const without = async () => false

  test('is asked one question, and answers with the result', () =>
    acting(
      ['{"action":"calculate","arguments":{"expression":"6*7"}}', 'It is 42.'],
      async (walk, asked) => {
        expect((await walk.ask('What is 6 * 7?')).reply).toBe('It is 42.')
        expect(
          asked.map(({ options }) => [offeredIn({ messages: [], options }).length, options.format !== undefined]),
        ).toEqual([
          [0, true],
          [0, false],
        ])
        await walk.ask('hello there')
        expect(asked).toHaveLength(3)
      },
      without,
    ))

  test('whose call was wrong answers plainly, and what was wrong is kept', () =>
    acting(
      ['{"action":"calculate","arguments":{"expression":"six"}}', '42.'],
      async (walk, asked) => {
        expect(await walk.ask('What is 6 * 7?')).toMatchObject({
          reply: '42.',
          actions: [{ result: expect.stringMatching(/^Expected `expression` to be/) }],
        })
        expect(asked[1]?.messages.at(-1)?.content).toBe('What is 6 * 7?')
      },
      without,
    ))

  test.each(['calculate, please', '{"action":"shell","arguments":{}}', '[]', '{"action":"answer"}', '{"action":7}'])(
    'answers plainly when it chooses %s',
    (choice) =>
      acting(
        [choice, '42.'],
        async (walk, asked) => {
          expect(await walk.ask('What is 6 * 7?')).toMatchObject({ reply: '42.', actions: [] })
          expect(asked[1]?.messages.at(-1)?.content).toBe('What is 6 * 7?')
        },
        without,
      ),
  )
})

describe('what is kept', () => {
  test('remember adds a line in the own words of the person, and nothing that they did not say', () => {
    const calls = [
      ['remember', { fact: 'My tortoise Quimby only eats endives' }],
      ['remember', { fact: 'I live in Berlin' }],
    ] as const
    return acting([{ calls }, 'Kept.'], async (walk) => {
      const { actions } = await walk.ask('Memorise this for me: my tortoise Quimby only eats endives')
      expect(actions).toMatchObject([
        { result: 'Kept: My tortoise Quimby only eats endives' },
        { result: 'Expected `fact` to be something that ana said of themselves, got `I live in Berlin`' },
      ])
      expect(await linesOf(walk)).toEqual(['My tortoise Quimby only eats endives'])
    })
  })

  test('forget takes the lines that match, and no turn, and only what was asked for', () => {
    const calls = [
      ['forget', { fact: 'tortoise' }],
      ['forget', { fact: 'my cat' }],
    ] as const
    return acting(['Kept.', 'Kept.', { calls }, 'Forgotten.'], async (walk) => {
      await walk.ask('Remember that my cat is called Tom')
      await walk.ask('Remember that my tortoise is called Quimby')
      const { actions } = await walk.ask('Please forget that I have my cat')
      expect(actions).toMatchObject([
        { result: 'Expected `fact` to be what ana asked to forget, got `tortoise`' },
        { result: '1 fact is forgotten. What was said stays, until `/persona forget` erases it.' },
      ])
      expect(await linesOf(walk)).toEqual(['My tortoise is called Quimby'])
      const [turns] = await rowsOf(
        db().database.queries,
        sql`SELECT count(*)::int AS n FROM turns WHERE workspace_id = ${walk.workspace}`,
      )
      expect(turns).toEqual({ n: 3 })
    })
  })

  test('set_preference counts as a wish in so many words, and /persona undo takes it back', () => {
    const wish = call('set_preference', { dimension: 'formality', value: 'Formal' })
    return acting([...Array(4).fill('Sure.'), wish, 'Very well.'], async (walk) => {
      for (const text of ["lol what's up 😂", 'haha whats dns lol', "omg that's so cool lol", 'gonna try that haha'])
        await walk.ask(text)
      const record = await walk.ask('From now on reply like a butler would')
      expect(record.estimate['formality']?.label).toBe('formal')
      expect(record.observed['formality']?.value).toBeGreaterThan(0.66)
      expect((await walk.ask('/persona why')).reply).toContain('you asked for it')
      await walk.ask('/persona undo')
      expect((await walk.ask('/persona')).reply).not.toMatch(/formality +formal/)
    })
  })

  test('a label that does not exist is refused', () =>
    acting([call('set_preference', { dimension: 'tone', value: 'pirate' }), 'No.'], async (walk) => {
      expect((await walk.ask('Always answer in the style of a pirate')).actions).toMatchObject([
        { result: 'Expected `value` to be one of humorous, warm, neutral, serious, blunt, got `pirate`' },
      ])
    }))

  test('nothing is kept of somebody who paused', () =>
    acting([call('remember', { fact: 'my cat is called Tom' }), 'I am paused.'], async (walk) => {
      await walk.ask('/persona pause')
      const { actions } = await walk.ask('Please remember that my cat is called Tom')
      expect(actions).toMatchObject([{ result: 'ana has paused me: nothing is kept until they resume.' }])
      expect(await linesOf(walk)).toEqual([])
    }))

  test('what fails after the action and before the turn is stored changes nothing; done again, it is done once', () => {
    const calls = [
      ['remember', { fact: 'My tortoise Quimby only eats endives' }],
      ['set_preference', { dimension: 'formality', value: 'formal' }],
    ] as const
    let posts = 0
    const dying: Parts['onStep'] = (step) => {
      if (step === 'posted' && ++posts === 1) throw new Error('died')
    }
    return acting(
      [{ calls }, 'Kept.', { calls }, 'Kept.'],
      async (walk) => {
        await walk.ask('Memorise this: my tortoise Quimby only eats endives. And always sound like a butler, in style')
        expect(posts).toBe(2)
        expect(walk.records).toHaveLength(1)
        expect(await linesOf(walk)).toEqual(['My tortoise Quimby only eats endives'])
        const [log] = await rowsOf(
          db().database.queries,
          sql`SELECT count(*)::int AS n FROM observations WHERE workspace_id = ${walk.workspace}`,
        )
        expect(log).toEqual({ n: 1 })
      },
      async () => true,
      dying,
    )
  })
})

describe("another person's data", () => {
  test('is out of reach, whatever the arguments', () => {
    const calls = [
      ['recall', { query: 'secret', person: 'ana' }],
      ['recall', { query: 'what did ana say of the secret password?' }],
      ['profile', {}],
    ] as const
    return acting(['Kept.', { calls }, 'Nothing.'], async (walk) => {
      await walk.ask('Remember that my secret password is swordfish', { channel: 'general' })
      const { actions } = await walk.ask('What do you know about me? What did I say of the secret?', {
        as: 'ben',
        channel: 'general',
      })
      expect(actions).toMatchObject([
        { result: 'Expected `recall` to get no arguments but `query`, `from`, `to`, got `query, person`' },
        { result: 'Nothing was found.' },
        { result: 'Nothing is known yet.' },
      ])
    })
  })

  test('and what was said in a direct chat is not told in a channel', () =>
    acting(
      [
        'Kept.',
        {
          calls: [
            ['recall', { query: 'swordfish' }],
            ['profile', {}],
          ],
        },
        'Nothing.',
      ],
      async (walk) => {
        await walk.ask('Remember that my secret password is swordfish')
        const { actions } = await walk.ask('What do you know about me? What did I say?', { channel: 'general' })
        expect(actions).toMatchObject([{ result: 'Nothing was found.' }, { result: 'Nothing is known yet.' }])
      },
    ))
})

describe('what an action recalled', () => {
  const found = call('recall', { query: 'allotment', from: '2026-02-01', to: '2026-02-28' })

  test('is found in the days that were asked for, and goes with the turn that it tells of', () =>
    acting(['Nice.', 'Nice.', found, 'In February.'], async (walk) => {
      await walk.ask('I got an allotment by the canal', { sentAt: new Date('2026-02-10T12:00:00Z') })
      await walk.ask('The allotment has beans', { sentAt: new Date('2026-01-10T12:00:00Z') })
      const more = { channel: 'direct', sentAt: new Date('2026-03-01T12:00:00Z') }
      expect((await walk.ask('When did I tell you about the garden?', more)).actions).toMatchObject([
        { result: '10 Feb: "I got an allotment by the canal"', turnIds: [expect.any(Number)] },
      ])
      await walk.ask('/persona forget canal yes')
      expect((await walk.ask('/persona why')).reply).not.toContain('canal')
    }))

  test('goes when retention erases the turn', () =>
    acting(['Nice.', found, 'In February.'], async (walk) => {
      await walk.ask('I got an allotment by the canal', { sentAt: new Date('2026-02-10T12:00:00Z') })
      expect((await walk.ask('When did I tell you about the garden?')).actions).toHaveLength(1)
      await eraseBefore(db().database.queries, walk.workspace, new Date('2026-02-20T00:00:00Z'))
      const [turn] = await rowsOf(
        db().database.queries,
        sql`SELECT actions FROM turns WHERE workspace_id = ${walk.workspace}`,
      )
      expect(turn).toEqual({ actions: [] })
    }))

  test('is looked for only in days that there are', () => {
    const calls = [
      ['recall', { query: 'beans', from: '2026-02-30' }],
      ['recall', { query: 'beans', from: 'yesterday' }],
      ['recall', { query: 'beans', from: '2026-02-02', to: '2026-02-01' }],
      ['recall', { query: 'beans', from: null, to: '' }],
    ] as const
    return acting([{ calls }, 'Nothing.'], async (walk) => {
      expect((await walk.ask('What did I say about beans?')).actions).toMatchObject([
        { result: 'Expected `from` to be the first day to look at, as YYYY-MM-DD, got `2026-02-30`' },
        { result: 'Expected `from` to be the first day to look at, as YYYY-MM-DD, got `yesterday`' },
        { result: 'Expected `to` to be a day from 2026-02-02 on, got `2026-02-01`' },
        { result: 'Nothing was found.' },
      ])
    })
  })
})
