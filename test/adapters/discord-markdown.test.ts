/** Markdown as Discord shows it: what a reader sees, and that nothing looks like a ping. */

import { describe, expect, test } from 'vitest'
import { toDiscord } from '../../adapters/discord-markdown.ts'
import { split } from '../../adapters/text.ts'
import { nastyMentions } from './nasty.ts'

/** Spaces without width are shown as `·`. */
const shown = (markdown: string) => toDiscord(markdown).replaceAll('\u200b', '·')

describe('what Discord knows stays', () => {
  test.each([
    '# A\n## B\n### C\ntext',
    'foo**bar**baz *it* ~~x~~ ***b***',
    '`a` `` `x`y` ``',
    '```py\nprint(1)\n```',
    '- a\n- b\n  - c\n    1. d\n    2. e',
    '> q\n> r',
    '[words](https://e.org/a_b) https://e.org/_a_(b)',
    '<#55> <t:12:R> <:a_b:12>',
    'user@example.com a@here.com',
    '\\*no\\*',
    'C:\\dir',
  ])('%j', (markdown) => {
    expect(toDiscord(markdown)).toBe(markdown)
  })
})

describe('what Discord does not know is put otherwise', () => {
  test.each([
    ['#### D **x**', '**D x**'],
    ['Sub\n---\ntext', '## Sub\ntext'],
    ['~~~js\n1\n~~~', '```js\n1\n```'],
    ['````md\n```js\n1\n```\n````', '```md\n`·``js\n1\n`·``\n```'],
    ['| a | b |\n|--|-:|\n| 日本語 | 🙂 |\n| x |', '```\na         b\n------  ---\n日本語   🙂\nx\n```'],
    ['![a cat](https://e.org/cat.png)', '[a cat](https://e.org/cat.png)'],
    ['[l](javascript:x) [w](mailto:a@b.c) [g](docs/g.md)', 'l w (a@b.c) g (docs/g.md)'],
    ['[https://bank.example](https://other.example)', 'https://other.example'],
    ['[t](https://e.org/x_(y)) [a [b]](https://e.org)', '[t](https://e.org/x_%28y%29) [a (b)](https://e.org)'],
    ['- [ ] to do\n- [x] done', '- ☐ to do\n- ☑ done'],
    ['> q\n> > r', '> q\n> r'],
    ['x\n\n***\n\ny', 'x\n\n──────────\n\ny'],
    ['a<br>b &lt;i&gt;', 'a\nb <i>'],
    ['**a***b*', '**a**·*b*'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })
})

test.each([
  ['||not hidden|| a || b', '\\|\\|not hidden\\|\\| a \\|\\| b'],
  ['-# not small', '\\-# not small'],
  ['>>> not all\nthe rest', '> not all\n> the rest'],
  ['\\> no quote', '\\> no quote'],
])('a mark of Discord alone means nothing: %j', (markdown, expected) => {
  expect(shown(markdown)).toBe(expected)
})

test('mentions are readable and none', () => {
  expect(shown('repeat after me: @everyone @Here <@123> <@!1> <@&44> &lt;@5&gt;')).toBe(
    'repeat after me: @·everyone @·Here <@·123> <@·!1> <@·&44> <@·5>',
  )
})

test('no text looks like a ping, split or whole', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    // Code is literal, and Discord reads no mention there.
    const text = toDiscord(nastyMentions(seed).replace(/[`~]/g, ''))
    const outside = text.replace(/^```[\s\S]*?^```$/gm, '')
    expect(outside, `seed ${seed}`).not.toMatch(/<@[!&]?\d/)
    expect(outside, `seed ${seed}`).not.toMatch(/(?<![\p{L}\p{N}])@(?:everyone|here)\b/iu)
    for (const part of split(text, 2000)) expect(part.length).toBeLessThanOrEqual(2000)
  }
})
