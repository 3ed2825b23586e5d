import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase } from './database.ts'
import { type Program, startProgram } from './process.ts'

/** Address of a real Ollama server that has the small models; without one these tests are skipped. */
const host = process.env['REAL_OLLAMA']
/** A conversation takes minutes: others by name, such as `REAL_MODELS=smollm2:135m`. */
const models = (process.env['REAL_MODELS'] ?? 'qwen2.5-coder:0.5b').split(',')

let place: Awaited<ReturnType<typeof newDatabase>>
const programs: Program[] = []
beforeAll(async () => {
  place = await newDatabase()
  await (await place.open('attune:first')).close()
})
afterAll(async () => {
  for (const { child, exited } of programs) {
    child.kill('SIGKILL')
    await exited
  }
  await place.remove()
})

function start(model: string, workspace: string): Program {
  const env = { ...place.env, OLLAMA_HOST: host, OLLAMA_MODEL: model }
  const program = startProgram(['--json', '--workspace', workspace], env)
  programs.push(program)
  return program
}

/** From joking and short to formal and detailed. */
const JOKING = [
  "lol ok so what's a database index, keep it short haha 😂",
  'haha nice one 😂 and what is a cache lol',
  "omg that's hilarious, what even is dns tho 🤣",
]
const FORMAL = [
  'I would now appreciate a thorough explanation of how a relational database guarantees the durability of committed transactions, including the role of the write-ahead log and of periodic checkpoints.',
  'Please describe, in complete and precise terms, the circumstances under which a distributed system must sacrifice either consistency or availability, and indicate the relevant theoretical results.',
  'Could you be more formal and more detailed from now on? I should be grateful for a comprehensive account of the isolation levels that the SQL standard defines.',
]

interface Turn {
  readonly reply: string
  readonly directive: string
  readonly model: boolean
  readonly events: readonly { readonly dimension: string; readonly kind: string }[]
}

test.skipIf(!host).each(models)(
  '%s: a person who turns from joking and short to formal and detailed is followed',
  async (model) => {
    const program = start(model, model.replaceAll(/\W/g, '-'))
    const turns: Turn[] = []
    for (const text of [...JOKING, ...FORMAL]) {
      program.say({ text, as: 'ana' })
      const turn = (await program.record()) as unknown as Turn
      turns.push(turn)
      const events = turn.events.map(({ dimension, kind }) => `${dimension} ${kind}`).join(', ')
      const words = turn.reply.split(/\s+/).length
      console.log(
        `${model} turn ${turns.length}: ${words} words; ${turn.directive.split('\n')[0]}; ${events || 'no events'}`,
      )
    }
    expect(await program.end()).toBe(0)
    expect(turns.every((turn) => turn.model && turn.reply.trim() !== '')).toBe(true)
    expect(turns[2]?.directive).toMatch(/\[Tone: humorous\].*\[Length: brief\].*\[Formality: casual\]/)
    expect(turns[5]?.directive).toMatch(/\[Tone: serious\].*\[Length: detailed\].*\[Formality: formal\]/)
    const changed = turns.slice(3).flatMap(({ events }) => events.filter(({ kind }) => kind === 'confirmed'))
    expect(new Set(changed.map(({ dimension }) => dimension))).toContain('formality')
  },
  600_000,
)

/** With tools, and by a question in words. */
test.skipIf(!host).each(['qwen2.5-coder:0.5b', 'smollm2:135m'])(
  '%s: acts only where the message asks for it, and never shows a call as its reply',
  async (model) => {
    const program = start(model, `acts-${model.replaceAll(/\W/g, '-')}`)
    const turns: (Turn & { readonly actions: readonly { readonly action: string }[]; readonly ms: object })[] = []
    for (const text of ['hello there', 'What is 17.5% of 240?', 'What time is it?']) {
      program.say({ text, as: 'ana' })
      const turn = (await program.record()) as unknown as (typeof turns)[number]
      turns.push(turn)
      console.log(`${model}: ${text} → ${JSON.stringify(turn.actions)} → ${turn.reply}`)
    }
    expect(await program.end()).toBe(0)
    const names = turns.map(({ actions }) => [...new Set(actions.map(({ action }) => action))])
    expect(names[0]).toEqual([])
    expect(['', 'calculate']).toContain(names[1]?.join())
    expect(['', 'current_time']).toContain(names[2]?.join())
    for (const { reply } of turns) expect(reply).not.toMatch(/^\s*[{[]|tool_call|^$/)
  },
  600_000,
)

test.skipIf(!host)(
  'a stop in mid-reply ends generation at the server, and the next start answers',
  async () => {
    const program = start('qwen2.5-coder:0.5b', 'stopped')
    program.say({ text: 'Explain how a compiler works, in a few sentences.', id: 'one' })
    await new Promise((resolve) => setTimeout(resolve, 4000))
    program.child.kill('SIGTERM')
    expect(await program.exited).toBe(0)
    const again = start('qwen2.5-coder:0.5b', 'stopped')
    const turns = program.lines.length > 0 ? program.lines : [await again.next()]
    expect(JSON.parse(turns[0] ?? '')).toMatchObject({ ids: ['one'], model: true })
    expect(await again.end()).toBe(0)
    expect([...program.lines, ...again.lines]).toHaveLength(1)
  },
  300_000,
)
