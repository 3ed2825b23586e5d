/** Replies at the terminal: words wrap, light Markdown is shown, and streaming changes neither. */

import { expect, test } from 'vitest'
import { createMarkdown } from '../../adapters/terminal/markdown.ts'
import type { Paint } from '../../adapters/terminal/paint.ts'
import { createTypeset, unstyled } from '../../adapters/terminal/typeset.ts'

/** Styles that show as letters which no sample holds. */
const LETTERS: Paint = {
  dim: (text) => `‹D${text}›`,
  bold: (text) => `‹B${text}›`,
  italic: (text) => `‹I${text}›`,
  accent: (text) => `‹A${text}›`,
}
const NONE: Paint = { dim: String, bold: String, italic: String, accent: String }
const markdown = createMarkdown(LETTERS)

function set(chunks: readonly string[], columns: number, isStyled: boolean): string {
  const look = {
    columns: () => columns,
    ...(isStyled ? { paint: LETTERS, markdown } : { paint: NONE, markdown: unstyled }),
  }
  const next = createTypeset(look)
  return chunks.map((chunk) => next(chunk, false)).join('') + next('', true)
}

const wrapped = (text: string, columns: number) => set([text], columns, false)
const styled = (text: string) => set([text], 200, true)
/** Without styles: the characters that a person sees. */
const seen = (text: string) => text.replace(/‹[DBIA]|›/g, '')

test.each([
  ['a container that can be', 16, 'a container that\ncan be'],
  ['exactly ten', 7, 'exactly\nten'],
  ['abcdefghijkl', 5, 'abcde\nfghij\nkl'],
  ['an abcdefghijkl end', 5, 'an ab\ncdefg\nhijkl\nend'],
  ['one\n\n  two\nthree', 80, 'one\n\n  two\nthree'],
  ['keep  two   spaces', 80, 'keep  two   spaces'],
  ['- one two three', 9, '- one two\n  three'],
  ['10. one two three', 11, '10. one two\n    three'],
  ['  * one two three', 11, '  * one two\n    three'],
  ['  one two three', 9, '  one two\n  three'],
  ['- abcdefghij', 6, '- abcd\n  efgh\n  ij'],
  ['      deep words', 9, 'deep\nwords'],
  ['not-a list item', 10, 'not-a list\nitem'],
  [
    '```ts\na very long line of code\n```\na very long line',
    11,
    '```ts\na very long line of code\n```\na very long\nline',
  ],
  [
    '~~~~\n``` is code\n~~~\nis still code\n~~~~~\nno more code',
    8,
    '~~~~\n``` is code\n~~~\nis still code\n~~~~~\nno more\ncode',
  ],
  ['- x\n  ```\n  in the item\n  ```\n', 6, '- x\n  ```\n  in the item\n  ```\n'],
  ['```one``` is no fence', 11, '```one```\nis no fence'],
  ['我喜欢喝茶。', 6, '我喜欢\n喝茶。'],
  ['我喜欢喝茶。', 10, '我喜欢喝\n茶。'],
  ['日本語 text', 7, '日本語\ntext'],
  ['😀😀 😀 x', 6, '😀😀\n😀 x'],
  ['👩‍👩‍👧👩‍👩‍👧', 2, '👩‍👩‍👧\n👩‍👩‍👧'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301\ne\u0301'],
  ['10\u00a0km far', 6, '10\u00a0km\nfar'],
  ['茶 x', 1, '茶\nx'],
  ['', 80, ''],
])('%j in %i columns', (text, columns, rows) => {
  expect(wrapped(text, columns)).toBe(rows)
})

test.each([
  ['**The settings** of x', '‹BThe› ‹Bsettings› of x'],
  ['**Note**: __init__ stays', '‹BNote›: __init__ stays'],
  ['_one_ *two* (_three_), "*four*"', '‹Ione› ‹Itwo› (‹Ithree›), "‹Ifour›"'],
  ['***both*** **a _b_ c**', '‹B‹Iboth›› ‹Ba› ‹B‹Ib›› ‹Bc›'],
  ['run `npm  test` and ``a ` b``', 'run ‹Anpm›  ‹Atest› and ‹Aa› ‹A`› ‹Ab›'],
  ['`**not bold**` **`--as`**', '‹A**not› ‹Abold**› ‹B‹A--as››'],
  ['# A **head**\n###### deep', '‹BA› ‹B‹Bhead››\n‹Bdeep›'],
  ['see [the **docs**](https://a.b/c_(d)).', 'see the ‹Bdocs› (https://a.b/c_(d)).'],
  ['[https://a.b](https://a.b) ![alt](i.png)', 'https://a.b alt (i.png)'],
  ['```js\nlet **a** = 1\n\n```\n**b**', '‹D```js›\n‹Alet› ‹A**a**› ‹A=› ‹A1›\n\n‹D```›\n‹Bb›'],
  ['这是**粗体**文字', '这是‹B粗›‹B体›文字'],
  ['- **a**: b\n* `c`', '- ‹Ba›: b\n* ‹Ac›'],
])('%j is shown as %j', (text, shown) => {
  expect(styled(text)).toBe(shown)
})

test.each([
  'snake_case_names and _private',
  'a lone * or ` or _ or [ or **',
  '2 * 3 * 4 and 2**3**4',
  '**open, and *open, and `open, and [open',
  'src/*.ts, test/*.ts *.md',
  '[ ] todo [x] done a[0](1 2) [](x)',
  '\\*not italic\\* \\`no code\\`',
  '**** *** ** * ``` `` `',
  '* * *',
  '#no heading\n#\n#######  x',
  '- [ ] x\n| a | b |\n|---|---|\n> c',
])('%j is printed as it is', (text) => {
  expect(styled(text)).toBe(text)
})

const SAMPLE = `# Head _line_

**The settings of \`home\`** and [a link](https://a.b/c) 茶を**飲む**。 snake_case * lone
- first item, which is longer than a row of the terminal
12. _second_ **unclosed
\`\`\`python
def f(x):  # a long comment in the code
    return "**"
\`\`\`
The end abcdefghijklmnopqrstuvwxyz \`code`

test.each([
  [true, 24],
  [false, 24],
  [true, 3],
])('a reply looks the same however it is cut: colour %s, %i columns', (isStyled, columns) => {
  const whole = set([SAMPLE], columns, isStyled)
  for (let size = 1; size < SAMPLE.length; size += 1) {
    const chunks = SAMPLE.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
    expect(set(chunks, columns, isStyled)).toBe(whole)
    expect(set([SAMPLE.slice(0, size), SAMPLE.slice(size)], columns, isStyled)).toBe(whole)
  }
})

/** Every text of as many of these parts at most. */
function* texts(parts: readonly string[], length: number): Generator<string> {
  yield ''
  if (length > 0) for (const rest of texts(parts, length - 1)) for (const part of parts) yield rest + part
}

test('any mix of markers looks the same letter by letter, and without colour nothing but white space changes', () => {
  const bare = (text: string) => text.replace(/\s/g, '')
  for (const text of texts(['*', '**', '`', '_', ' ', 'a', '茶', '[', '](b)', '\n', '# '], 3)) {
    const whole = set([text], 4, true)
    expect(set([...text], 4, true), text).toBe(whole)
    const plainly = set([text], 4, false)
    expect(set([...text], 4, false), text).toBe(plainly)
    expect(bare(plainly)).toBe(bare(text))
    const letters = (shown: string) => bare(shown).replace(/[*`_#[\]()]/g, '')
    expect(letters(seen(whole)), text).toBe(letters(text))
  }
})

test('a marker is held back until its partner is there, the rest of the line is not', () => {
  const next = createTypeset({ columns: () => 80, paint: LETTERS, markdown })
  expect(next('Press **Ent', false)).toBe('Press')
  expect(next('er now', false)).toBe('')
  expect(next('** or ', false)).toBe(' ‹BEnter› ‹Bnow› or')
  expect(next('* this', false)).toBe(' *')
  expect(next('', true)).toBe(' this')
})

test('a new width counts from the next line on', () => {
  let columns = 80
  const next = createTypeset({ columns: () => columns, paint: NONE, markdown: unstyled })
  expect(next('one two\nthree ', false)).toBe('one two\nthree')
  columns = 8
  expect(next('four\nfive six', true)).toBe(' four\nfive six')
  expect(next('\nseven eight', true)).toBe('\nseven\neight')
})
