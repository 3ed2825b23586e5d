/** Long texts in parts: nothing lost, nothing blank, no fence left open, no character taken apart. */

import { describe, expect, test } from 'vitest'
import { split, withoutOverrides } from '../../adapters/text.ts'
import { nasty, randomOf } from './nasty.ts'

const LIMITS = [50, 64, 100, 256, 1000, 2000, 4000]

const OPENER = /^[ \t>]*(?:`{3,}|~{3,})[^\n]*\n/
/** With the line break before it where the part needed one. */
const CLOSERS = [/\n[ \t>]*(?:`{3,}|~{3,})$/, /(?<=\n)[ \t>]*(?:`{3,}|~{3,})$/]

/** Whether the parts, each with or without a fence line at its start and end, are the input (blanks between may miss). */
function isLossless(input: string, parts: readonly string[]): boolean {
  const tried = new Set<string>()
  const fits = (n: number, at: number): boolean => {
    const part = parts[n]
    if (part === undefined) return isBlank(input.slice(at))
    if (tried.has(`${n} ${at}`)) return false
    tried.add(`${n} ${at}`)
    const starts = new Set([part, part.replace(OPENER, '')])
    const bodies = new Set([...starts].flatMap((body) => [body, ...CLOSERS.map((closer) => body.replace(closer, ''))]))
    for (const body of bodies) if (input.startsWith(body, at) && fits(n + 1, at + body.length)) return true
    const blank = /^[\s\p{Cc}\p{Cf}]+/u.exec(input.slice(at))?.[0].length ?? 0
    return blank > 0 && fits(n, at + blank)
  }
  return fits(0, 0)
}

const isBlank = (text: string) => !/[^\s\p{Cc}\p{Cf}]/u.test(text)
const cutsPair = (parts: readonly string[]) =>
  parts.slice(1).some((part, n) => /[\ud800-\udbff]$/.test(parts[n] ?? '') && /^[\udc00-\udfff]/.test(part))

describe.each(LIMITS)('parts of %d', (limit) => {
  test('any text comes whole, in parts that fit and show something', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const input = nasty(seed)
      const parts = split(input, limit)
      expect(
        parts.filter((part) => part.length > limit || isBlank(part)),
        `seed ${seed}`,
      ).toEqual([])
      expect(isLossless(input, parts), `seed ${seed}`).toBe(true)
      expect(cutsPair(parts), `seed ${seed}`).toBe(false)
    }
  })

  test('prose without fences is exactly its parts joined', () => {
    const words = ['word', 'a', 'longer', 'sentence.', 'End!\n', '\n\n', 'ü', '日本', '🦊', '- item\n']
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed)
      const input = Array.from({ length: 900 }, () => words[Math.floor(random() * words.length)]).join(' ')
      expect(split(input, limit).join('')).toBe(input)
    }
  })
})

test('a part ends at a paragraph, else a line, a sentence, a word', () => {
  const filled = (end: string) => `${'a'.repeat(40)}${end}${'b'.repeat(30)}`
  expect(split(filled('. A\nb\n\n'), 60)[0]).toMatch(/A\nb\n\n$/)
  expect(split(filled('. A\nb '), 60)[0]).toMatch(/A\n$/)
  expect(split(filled('. A '), 60)[0]).toMatch(/a\. $/)
  expect(split(filled(' A '), 60)[0]).toMatch(/ A $/)
  expect(split(filled(''), 60).map((part) => part.length)).toEqual([60, 10])
})

test('a code block longer than a message is closed and opened again with its language', () => {
  const code = Array.from({ length: 300 }, (_, n) => `line_${n} = compute(${n})`).join('\n')
  const input = `Here is the module:\n\`\`\`py\n${code}\n\`\`\`\nDone.`
  const parts = split(input, 2000)
  for (const part of parts) expect((part.match(/^```/gm) ?? []).length).toBe(2)
  for (const part of parts.slice(1)) expect(part.startsWith('```py\nline_')).toBe(true)
  expect(parts.join('').replaceAll(/\n?```\n?```py\n/g, '\n')).toBe(input)
})

test('a longer fence, and one of tildes, hold shorter ones', () => {
  const code = `\`\`\`js\n${'let x = 1\n'.repeat(20)}\`\`\`\n`
  for (const fence of ['````', '~~~']) {
    const parts = split(`${fence}md\n${code.repeat(3)}${fence}\nEnd.`, 200)
    for (const part of parts.slice(0, -1)) expect(part.endsWith(`\n${fence}`)).toBe(true)
    for (const part of parts.slice(1)) expect(part.startsWith(`${fence}md\n`)).toBe(true)
  }
})

test('a very long language is not repeated', () => {
  const input = `\`\`\`${'x'.repeat(1990)}\n${'some code\n'.repeat(200)}\`\`\``
  const parts = split(input, 2000)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(2000)
  for (const part of parts.slice(1)) expect(part.startsWith('```\n')).toBe(true)
  expect(isLossless(input, parts)).toBe(true)
})

test('a code block that fits into a message of its own is not cut', () => {
  const code = `\`\`\`py\n${'print(1)\n\n'.repeat(8)}\`\`\``
  const parts = split(`${'Words come first. '.repeat(8)}\n${code}\nAnd after.`, 200)
  expect(parts.some((part) => part.includes(code))).toBe(true)
})

test('a fence in a quote is opened again in the quote', () => {
  const parts = split(`> \`\`\`ts\n${'> const a = 1\n'.repeat(20)}> \`\`\`\nAfter it.`, 120)
  for (const part of parts.slice(0, -1)) expect(part).toMatch(/\n> ```\n?$/)
  for (const part of parts.slice(1, -1)) expect(part.startsWith('> ```ts\n> const')).toBe(true)
})

test('a block that nobody closed is closed', () => {
  expect(split('```py\nprint(1)', 100)).toEqual(['```py\nprint(1)\n```'])
})

test('nothing to see makes no part', () => {
  for (const blank of ['', ' ', '   \n', '\n'.repeat(5000), '\u200b\u200f']) expect(split(blank, 100)).toEqual([])
  expect(split(`a${'\n'.repeat(5000)}b`, 100).map((part) => part.trim())).toEqual(['a', 'b'])
})

test('characters stay whole as people see them', () => {
  for (const [character, limit] of [
    ['👩‍👩‍👧‍👦', 100],
    ['🇩🇪', 50],
    ['e\u0301', 51],
    ['🦊', 2001],
    ['한', 51],
  ] as const) {
    const parts = split(character.repeat(3000), limit)
    expect(parts.join('')).toBe(character.repeat(3000))
    for (const part of parts) expect(part.replaceAll(character, '')).toBe('')
  }
})

test('a link, an entity and bold words are cut only where nothing else is', () => {
  const link = '[all of these words](https://example.org/page)'
  const parts = split(
    `Some words before the link ${link} and **some bold words** too &amp; <https://e.org|a b c d e f g>`,
    60,
  )
  for (const whole of [link, '**some bold words**', '&amp;', '<https://e.org|a b c d e f g>'])
    expect(
      parts.some((part) => part.includes(whole)),
      whole,
    ).toBe(true)
})

test.each([0, 49, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %s is refused', (limit) => {
  expect(() => split('text', limit)).toThrow(
    new RangeError(`Expected \`limit\` to be a whole number from 50 up, got \`${limit}\``),
  )
})

test.each([
  ['prose', 'Some words of a sentence. '],
  ['one word', 'x'],
  ['blanks', ' \n'],
  ['spaces', ' '],
  ['stars', '*'],
  ['backticks', '`'],
  ['brackets', '[a<'],
  ['fences', '```py\nx\n```\n'],
  ['quotes', '> - '],
  ['flags', '🇩🇪'],
  ['marks', '\u0301'],
])('200,000 characters of %s take well under a second', (_, piece) => {
  const input = `a${piece.repeat(200_000 / piece.length)}b`
  // Time of the processor, which other work on the machine does not lengthen.
  const started = process.cpuUsage()
  split(input, 2000)
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1e6).toBeLessThan(1)
})

test('marks that reverse a name go, marks that Hebrew and Arabic need stay', () => {
  expect(withoutOverrides('abc\u202egnp.exe\u2066')).toBe('abcgnp.exe')
  expect(withoutOverrides('\u200f\u05e9\u05dc\u05d5\u05dd \u200d\u200c\u200e')).toBe(
    '\u200f\u05e9\u05dc\u05d5\u05dd \u200d\u200c\u200e',
  )
})
