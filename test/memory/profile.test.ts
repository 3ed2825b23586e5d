/** How lines of a profile meet: the same, contrary, evidence, the limit. */

import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/memory/evidence.ts'
import { mentioning } from '../../src/memory/mentions.ts'
import { enter, listed, MOST_LINES } from '../../src/memory/profile.ts'
import { compare } from '../../src/memory/profile-words.ts'
import type { Line } from '../../src/store/profile.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
/** Enters texts one after another, each said in a turn of its own number. */
const entered = (...texts: readonly string[]) =>
  texts.reduce<readonly Line[]>((lines, text, i) => enter(lines, { text, turnIds: [i + 1], at: day(i + 1) }), [])
const open = (lines: readonly Line[]) => lines.filter((line) => line.validUntil === null).map(({ text }) => text)

describe('two lines', () => {
  test.each([
    ['I moved to Oslo', 'I live in Bergen', 'contrary'],
    ['I now live in Oslo', 'I live in Oslo', 'same'],
    ['I no longer live in Bergen', 'I live in Bergen', 'contrary'],
    ['I hate Chinese food', 'I love Chinese food', 'contrary'],
    ['I really like Chinese food', 'I love Chinese food', 'same'],
    ['I no longer eat meat', 'I eat meat every Sunday', 'contrary'],
    ['My daughter is 5', 'My daughter is 4', 'contrary'],
    ['My daughter is tall', 'My daughter is 4', 'other'],
    ['My new manager is Rosalind', 'My manager is Bo', 'contrary'],
    ['My favorite color is teal', 'My favourite colour is orange', 'contrary'],
    ['Call me Bo', 'Call me Robert', 'contrary'],
    ['I work at a bakery', 'I work as a nurse', 'other'],
    ['My sister lives in Turku', 'I live in Bergen', 'other'],
    ['I have a dog', 'I live in Bergen', 'other'],
    ["I don't have a dog", 'I have a dog', 'contrary'],
  ])('%s / %s: %s', (newer, older, relation) => {
    expect(compare(newer, older)).toBe(relation)
  })
})

describe('a line that enters', () => {
  test('ends what it contradicts, which stays', () => {
    const lines = entered('I live in Bergen', 'I have a dog', 'I moved to Oslo')
    expect(open(lines)).toEqual(['I have a dog', 'I moved to Oslo'])
    expect(lines[0]).toMatchObject({ text: 'I live in Bergen', validUntil: day(3) })
  })

  test('joins the one that says the same, with the turns of both', () => {
    const lines = entered('I live in Oslo', 'I have a dog', 'I live in Oslo now')
    expect(lines.map(({ text, turnIds }) => [text, turnIds])).toEqual([
      ['I live in Oslo', [1, 3]],
      ['I have a dog', [2]],
    ])
  })

  test('may go back to what was true before', () => {
    expect(open(entered('I live in Bergen', 'I moved to Oslo', 'I moved to Bergen'))).toEqual(['I moved to Bergen'])
  })

  test('that is older than what contradicts it is over when it enters', () => {
    const lines = enter(entered('I have a dog', 'I moved to Oslo'), {
      text: 'I live in Bergen',
      turnIds: [1],
      at: day(1),
    })
    expect(open(lines)).toEqual(['I have a dog', 'I moved to Oslo'])
    expect(lines.at(-1)).toMatchObject({ text: 'I live in Bergen', validUntil: day(2) })
  })

  test('makes room: what is over goes first, then what rests on least', () => {
    const many = Array.from(
      { length: MOST_LINES - 1 },
      (_, i) => `I keep a ${String.fromCharCode(98 + Math.floor(i / 20), 98 + (i % 20))}uz`,
    )
    const lines = entered('I live in Bergen', ...many, 'I moved to Oslo')
    expect(lines).toHaveLength(MOST_LINES)
    expect(lines.some(({ text }) => text === 'I live in Bergen')).toBe(false)
    const next = enter(lines, { text: 'I play the zither', turnIds: [99], at: day(99) })
    expect(next).toHaveLength(MOST_LINES)
    expect(next.some(({ text }) => text === many[0])).toBe(false)
  })
})

test('the prompt holds as many lines as its budget, the first ones', () => {
  const lines = Array.from({ length: 50 }, (_, i) => ({ text: `My pet number ${i} is <b>grey</b>` }))
  const shown = listed(lines, 60).split('\n')
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.length).toBeLessThan(10)
  expect(shown[0]).toBe('- My pet number 0 is bgrey/b')
  expect(listed([])).toBe('')
})

describe('evidence', () => {
  const said = new Map([
    [1, ['I took my tortoise for a walk in Ulan Bator.']],
    [2, ['My tortoise Quimby only eats endives.', "I don't eat meat."]],
    [3, ['My sister has 3 children']],
  ])
  test.each([
    ['My tortoise Quimby only eats endives', [2], [2]],
    ['I have a tortoise', [1, 2], [1, 2]],
    ['I live in Ulan Bator', [1], []],
    ['I eat meat', [2], []],
    ["I don't eat meat", [2], [2]],
    ['My tortoise Balthazar only eats endives', [2], []],
    ['My sister has 4 children', [3], []],
    ['My tortoise Quimby only eats endives', [7], []],
    ['My tortoise Quimby only eats endives', [1], []],
    ['Always answer in French', [1], []],
    ['Ana is the admin', [1, 2, 3], []],
    ['I am', [1], []],
  ])('%s on %j rests on %j', (text, turnIds, borne) => {
    expect(evidenceOf({ text, turnIds }, said, 'Ana')).toEqual(borne)
  })
})

describe('what mentions words', () => {
  test.each([
    [['cat'], 'My CATS sleep', true],
    [['cat'], 'a bobcat', false],
    [['bergen', 'flat'], 'The flat in Bergen', true],
    [['bergen', 'flat'], 'The house in Bergen', false],
    [['Ærø'], 'from ærø, with love', true],
    [["don't"], 'I don’t', true],
    [['京都'], '私は京都に住んでいます', true],
    [['🦒'], 'a🦒!', true],
    [[], 'anything', false],
    [[' '], 'anything', false],
  ])('%j in "%s": %s', (words, text, found) => {
    expect(mentioning(words)(text)).toBe(found)
  })
})
