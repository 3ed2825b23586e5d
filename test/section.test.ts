/** What of a persona's section on actions is put to the model, and that a model which obeys it acts by it. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTION_NAMES } from '../src/actions.ts'
import type { ChatAnswer, ChatMessage, Llm } from '../src/llm/chat.ts'
import { loadPrompts } from '../src/prompts.ts'
import { withSection } from '../src/section.ts'
import { openWalk, useWalks } from './walk.ts'

const PERSONA = loadPrompts().render('persona', {})
const section = (offered: readonly string[]) => withSection(PERSONA, offered, ACTION_NAMES)

describe('the section on actions', () => {
  test('is whole but for what is not offered', () => {
    const text = section(['calculate'])
    expect(text).toContain('## When to use which action\n- Calculations: calculate.')
    expect(text).toContain('ask back')
    expect(text).toContain('- Everything else: answer at once')
    expect(text).not.toMatch(/recall|remember/)
  })

  test('without any offered is the line on asking back alone', () => {
    const text = section([])
    expect(text).toMatch(/^You are Attune.*\n\n- A question .*: ask back, in one short question\.$/)
  })

  test('knows a name only as a whole word', () => {
    const persona = 'A.\n\n## When to use which action\n- Calculations: answer.\n- x: shop_calculate\n\n## More\nB.'
    expect(withSection(persona, ['recall'], ['calculate', 'shop_calculate', 'recall'])).toBe(
      'A.\n\n## When to use which action\n- Calculations: answer.\n## More\nB.',
    )
  })
})

const { db } = useWalks()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attune-personas-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function promptsWith(name: string, lines: readonly string[]) {
  const own = join(folder, name)
  cpSync('prompts', own, { recursive: true })
  writeFileSync(join(own, 'persona.md'), `You are Attune.\n\n## When to use which action\n\n${lines.join('\n')}\n`)
  return loadPrompts(own)
}

/** Does what the section in its system prompt says of calculations, and knows nothing else. */
const obedient: Llm = {
  model: 'obedient',
  contextTokens: 4096,
  takesTools: async () => true,
  async chat(messages: readonly ChatMessage[], { tools = [] }): Promise<ChatAnswer> {
    const rule = /^- Calculations: (.+)$/m.exec(messages[0]?.content ?? '')?.[1] ?? ''
    const wanted = tools.find(({ name }) => rule.startsWith(name))
    const isDone = messages.some(({ role }) => role === 'tool')
    const call = wanted && !isDone ? [{ name: wanted.name, arguments: { expression: '17*23' } }] : []
    const text =
      call.length > 0 ? '' : rule.startsWith('ask back') ? 'To how many digits?' : isDone ? '391.' : 'About 400.'
    return { text, ms: 1, promptTokens: 1, tokens: 1, retried: false, ...(call.length > 0 && { toolCalls: call }) }
  },
}

test('two people with two personas are answered by two ways of acting', async () => {
  const replies = async (name: string, rule: string) => {
    const walk = openWalk(db().database, () => '', {
      llm: obedient,
      prompts: promptsWith(name, [`- Calculations: ${rule}`, '- Everything else: answer at once.']),
    })
    const { reply, actions } = await walk.ask('What is 17 * 23?')
    await walk.stop()
    return [reply, actions.length]
  }
  expect(await replies('calculating', 'calculate.')).toEqual(['391.', 1])
  expect(await replies('guessing', 'answer at once, roughly.')).toEqual(['About 400.', 0])
  expect(await replies('asking', 'ask back how exact it has to be.')).toEqual(['To how many digits?', 0])
})
