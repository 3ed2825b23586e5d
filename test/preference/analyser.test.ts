/** The analyser: a table of chat lines, and what must hold for every text. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createAnalyser, loadAnalyser, type Reading, readReply } from '../../src/preference/analyser.ts'
import { DIMENSIONS, type Dimension, dimensions } from '../../src/preference/dimensions.ts'
import { createHeads, Weights } from '../../src/preference/heads.ts'
import { ownWords, READ_AT_MOST } from '../../src/preference/own-words.ts'
import { LINES } from './analyser-lines.ts'

const analyse = loadAnalyser()
const WEIGHTS = readFileSync(new URL('../../models/analyser.json', import.meta.url), 'utf8')

/** Every part that the table may name, so that a line's parts can be looked up and the strong ones counted. */
function partsOf({ observed, once, skipped }: Reading): string[] {
  const parts: string[] = []
  for (const dimension of dimensions) {
    const evidence = observed[dimension]
    if (evidence)
      parts.push(`${evidence.evidence === 'explicit' ? '' : `${evidence.evidence} `}${dimension}=${evidence.label}`)
    if (once[dimension] !== undefined) parts.push(`once ${dimension}=${once[dimension]}`)
    if (skipped[dimension] !== undefined) parts.push(`${dimension}: ${skipped[dimension]}`)
  }
  const reasons = new Set(dimensions.map((dimension) => skipped[dimension]))
  if (Object.keys(observed).length === 0 && reasons.size === 1) parts.push(`all: ${[...reasons][0]}`)
  return parts
}

/** Asked for or accepted: what a line of the table must name in full. */
const STRONG = /^(?:once |accepted )?\w+=/

describe.each(Object.entries(LINES))('%s', (_, lines) => {
  test.each(
    lines.map(([text, expected, reply]) => ({ shown: JSON.stringify(text.slice(0, 60)), text, expected, reply })),
  )('$shown reads as $expected', ({ text, expected, reply }) => {
    const parts = partsOf(analyse(text, reply))
    const named = expected === '' ? [] : expected.split(' | ')
    expect(parts).toEqual(expect.arrayContaining(named))
    expect(parts.filter((part) => STRONG.test(part)).sort()).toEqual(named.filter((part) => STRONG.test(part)).sort())
  })
})

test('the table has at least 150 lines', () => {
  expect(Object.values(LINES).flat().length).toBeGreaterThanOrEqual(150)
})

/** Words, marks, emoji, code and broken characters in random order. */
function randomText(random: () => number): string {
  const pieces =
    "please be not too shorter formal thanks lol tl;dr don't \" ' ` ``` > /x \n : ; ? ! ... 😂 \u0000 \ud800 \u202e ß 漢字 مرحبا http://x.y <@U1> { } = 42 once explain in detail".split(
      ' ',
    )
  return Array.from({ length: Math.floor(random() * 40) }, () => pieces[Math.floor(random() * pieces.length)]).join(
    random() < 0.8 ? ' ' : '',
  )
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test('any text is read without a throw, as values from 0 to 1, every dimension observed or skipped', () => {
  const random = seeded(7)
  for (let i = 0; i < 2000; i++) {
    const text = randomText(random)
    const { observed, skipped } = analyse(text, i % 3 === 0 ? randomText(random) : null)
    for (const dimension of dimensions) {
      const evidence = observed[dimension]
      expect(evidence === undefined, `${dimension} of ${JSON.stringify(text)}`).toBe(skipped[dimension] !== undefined)
      if (evidence) checkValue(dimension, evidence.value)
    }
  }
})

function checkValue(dimension: Dimension, value: readonly number[]): void {
  const { kind, labels } = DIMENSIONS[dimension]
  expect(value.length).toBe(kind === 'scale' ? 1 : labels.length)
  for (const number of value) {
    expect(number).toBeGreaterThanOrEqual(0)
    expect(number).toBeLessThanOrEqual(1)
  }
  if (kind !== 'scale') expect(value.reduce((sum, number) => sum + number, 0)).toBeCloseTo(1, 9)
}

test('a message is read as far as a person states a preference, however long it is', () => {
  const start = 'Please tell me how the index works. '
  expect(ownWords(start.repeat(6000)).length).toBeLessThanOrEqual(READ_AT_MOST)
  const filled = start.padEnd(READ_AT_MOST, 'and so on ')
  expect(analyse(`${filled} shorter please`)).toEqual(analyse(filled))
})

test('a reply is read without its code, and one without words says nothing', () => {
  const words = 'The key lies in a table of the server. '.repeat(8)
  expect(readReply(words)).toEqual(readReply(words))
  expect(readReply(words)['length']![0]).toBeCloseTo(Math.log(72 / 8) / Math.log(64), 9)
  expect(readReply(`${words}\n\`\`\`\nconst noun = 1\n\`\`\``)['density']).toEqual(readReply(words)['density'])
  expect(readReply('👍')).toEqual({})
  expect(readReply('')).toEqual({})
})

describe('the weights', () => {
  test('that ship fit their form and stay small', () => {
    expect(() => createAnalyser(Weights.parse(JSON.parse(WEIGHTS)))).not.toThrow()
    expect(Buffer.byteLength(WEIGHTS)).toBeLessThanOrEqual(300_000)
  })

  test('that are cut short are refused with what was expected', () => {
    const weights = Weights.parse(JSON.parse(WEIGHTS))
    const joyful = { ...weights.heads.joyful, weights: weights.heads.joyful.weights.slice(0, 400) }
    expect(() => createHeads({ ...weights, heads: { ...weights.heads, joyful } })).toThrow(
      'Expected `heads.joyful.weights` to be 16384 bytes in base64, got `300`',
    )
  })

  test('of politeness that do not fit what they list are refused', () => {
    const weights = Weights.parse(JSON.parse(WEIGHTS))
    const cut = (polite: Partial<Weights['polite']>) => () =>
      createHeads({ ...weights, polite: { ...weights.polite, ...polite } })
    expect(cut({ listed: 'AAAA' })).toThrow('Expected `polite.listed` to be 8192 bytes in base64, got `3`')
    expect(cut({ weights: 'AAAA' })).toThrow(/^Expected `polite.weights` to be \d+ bytes in base64, got `3`$/)
  })

  test('without a head are refused by name', () => {
    const { heads, ...rest } = Weights.parse(JSON.parse(WEIGHTS))
    const { formal: _, ...others } = heads
    expect(() => Weights.parse({ ...rest, heads: others })).toThrow(/formal/)
  })
})

test('`npm run analyse` answers each line with one JSON line, a broken one with what was expected', () => {
  const input = [
    'shorter please',
    '{"text": "just this once, be formal please"}',
    '{"text": "thanks!", "reply": "Yes, it is free."}',
    '{"text": ',
    '{"words": 1}',
    '',
    'I am glad that it works again',
  ]
  const { stdout, status } = spawnSync('node', ['--import', 'tsx', 'scripts/analyse.ts'], {
    cwd: new URL('../..', import.meta.url),
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  const lines: unknown[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(6)
  expect(lines[0]).toMatchObject({
    text: 'shorter please',
    observed: { length: { value: 0.1, label: 'brief', evidence: 'explicit', because: 'asked for brief replies' } },
    skipped: { tone: 'fewer than 4 words' },
  })
  expect(lines[1]).toMatchObject({ once: { formality: 'formal' }, skipped: { formality: 'asked for this reply only' } })
  expect(lines[2]).toMatchObject({ observed: { length: { label: 'brief', evidence: 'accepted' } } })
  expect(lines[3]).toEqual({
    error: expect.stringMatching(/^Expected a line to be text or JSON, got broken JSON: /),
  })
  expect(lines[4]).toEqual({ error: 'Expected a JSON line to be {"text": string, "reply"?: string}' })
  expect(lines[5]).toMatchObject({ observed: { emotion: { label: 'joyful', evidence: 'words' } } })
})
