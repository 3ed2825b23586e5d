/** Markdown in Slack's markup: what a reader sees, and that nobody can be notified by it. */

import { describe, expect, test } from 'vitest'
import { toMrkdwn } from '../../adapters/mrkdwn.ts'
import { split } from '../../adapters/text.ts'
import { nastyMentions } from './nasty.ts'

/** Spaces without width are shown as `·`. */
const shown = (markdown: string) => toMrkdwn(markdown).replaceAll('\u200b', '·')

describe('words', () => {
  test.each([
    ['**bold** and *italic*, __bold__ and _italic_', '*bold* and _italic_, *bold* and _italic_'],
    ['~~gone~~ ***both***', '~gone~ _*both*_'],
    ['foo**bar**baz', 'foo·*bar*·baz'],
    ['日本**太字**です `コード`です', '日本·*太字*·です `コード`·です'],
    ['**a***b*', '*a*·_b_'],
    ['"**Hi**", (*x*). **Note:** y', '"*Hi*", (_x_). *Note:* y'],
    ['**over\ntwo lines**', '*over*\n*two lines*'],
    ['**a **b** c**', '*a b c*'],
    ['\\*not bold\\* 2 * 3 * 4 snake_case_name', '*·not bold* 2 * 3 * 4 snake_case_name'],
    ['¯\\_(ツ)_/¯', '¯_·(ツ)_/¯'],
    ['a & b < c > d &amp; &lt;x&gt; &amp;lt;', 'a &amp; b &lt; c &gt; d &amp; &lt;x&gt; &amp;lt;'],
    ['one  \ntwo\\\nthree<br>four', 'one\ntwo\nthree\nfour'],
    ['<div>*hi*</div>', '&lt;div&gt;*·hi*&lt;/div&gt;'],
    ['Press <kbd>x</kbd>.', 'Press &lt;kbd&gt;x&lt;/kbd&gt;.'],
    ['Contact me at user@example.com', 'Contact me at user@example.com'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })
})

describe('blocks', () => {
  test.each([
    ['# Title\nText\n\nSub\n---\nEnd', '*Title*\nText\n\n*Sub*\nEnd'],
    ['### **Important**: This is a description', '*Important: This is a description*'],
    [
      '- a\n- b\n  - c\n    1. d\n    2. e\n\n3. x\n4. y',
      '• a\n• b\n    ◦ c\n        1. d\n        2. e\n\n3. x\n4. y',
    ],
    ['- [ ] to do\n- [x] done', '• ☐ to do\n• ☑ done'],
    ['> q\n> **r**\n> > s\n\nafter', '> q\n> *r*\n> s\n\nafter'],
    ['\\> no quote', '·&gt; no quote'],
    ['1. a\n\n   more\n2. b', '1. a\n\n    more\n2. b'],
    ['above\n\n---\n\nbelow', 'above\n\n──────────\n\nbelow'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })
})

describe('code', () => {
  test.each([
    ['a `<!channel> **x** & @here` b', 'a `&lt;!channel&gt; **x** &amp; @here` b'],
    ['`` a`b ``', '`aˋb`'],
    ['```py\na = **1** < 2\n```', '```\na = **1** &lt; 2\n```'],
    ['````md\n```js\n1\n```\n````', '```\n`·``js\n1\n`·``\n```'],
    ['~~~\nx\n~~~', '```\nx\n```'],
    ['- x\n  ```js\n  code\n  ```\n  more', '• x\n```\ncode\n```\n    more'],
    ['\\`\\`\\`\nx', '`·`·`\nx'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })
})

describe('links', () => {
  test.each([
    ['[a|b>](https://e.org/?a=1&b=2 "t")', '<https://e.org/?a=1&amp;b=2|a¦b&gt;>'],
    ['[**bold**](https://e.org)', '*<https://e.org|bold>*'],
    ['[**bold** words](https://e.org)', '<https://e.org|bold words>'],
    ['[x](<https://e.org/a b|c>)', '<https://e.org/a%20b%7Cc|x>'],
    ['[a][r]\n\n[r]: https://e.org', '<https://e.org|a>'],
    ['see https://e.org/_a_?x=1.', 'see <https://e.org/_a_?x=1>.'],
    ['[write](mailto:a@b.c)', '<mailto:a@b.c|write>'],
    ['[click](javascript:alert(1))', 'click'],
    ['[guide](docs/guide.md)', 'guide (docs/guide.md)'],
    ['[https://bank.example](https://other.example)', '<https://other.example>'],
    [
      '![a cat](https://e.org/cat.png) ![](https://e.org/b.png)',
      '<https://e.org/cat.png|a cat> <https://e.org/b.png|image>',
    ],
    ['<docs|https://example.com> <https://e.org|two words>', '<https://example.com|docs> <https://e.org|two words>'],
    ['*<https://x.y/pull/123*>', '*<https://x.y/pull/123>*'],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })
})

test('a table is a block of code whose columns line up as they are shown, rows that lack cells too', () => {
  expect(shown('| a | **b** |\n|--|-:|\n| 日本語 | 🙂 |\n| x |')).toBe(
    '```\na         b\n------  ---\n日本語   🙂\nx\n```',
  )
})

test('what would show nothing is shown as it was written', () => {
  expect(toMrkdwn('[r]: https://e.org')).toBe('[r]: https://e.org')
  expect(shown('~~~\n~~~')).toBe('~·~·~\n~·~·~')
  expect(toMrkdwn('  \n')).toBe('')
})

/** Each `<` has to begin a link to http, https or mailto that ends and holds no other bracket. */
function mentionsIn(mrkdwn: string): string[] {
  const rest = mrkdwn.replace(/<(?:https?:\/\/|mailto:)[^<>|\s]+(?:\|[^<>|\n]*)?>/g, '')
  return rest.match(/<.{0,20}/gs) ?? []
}

test.each([
  '<!channel>',
  '<!here|here>',
  '<@U123>',
  '<#C1|general>',
  '<!subteam^S1>',
  '&lt;!channel&gt;',
  '\\<!channel>',
])('%s is text', (mention) => {
  for (const markdown of [mention, `# ${mention}`, `[x](${mention})`, `[${mention}](https://e.org)`, `> - ${mention}`])
    expect(mentionsIn(toMrkdwn(markdown)), markdown).toEqual([])
})

test('no text can notify anybody, split or whole', () => {
  for (let seed = 1; seed <= 5000; seed += 1) {
    const mrkdwn = toMrkdwn(nastyMentions(seed))
    expect(mentionsIn(mrkdwn), `seed ${seed}`).toEqual([])
    expect(mrkdwn.replace(/`[^`]*`/g, ''), `seed ${seed}`).not.toMatch(/<[!@#]/)
    for (const part of split(mrkdwn, 1000)) expect(mentionsIn(part), `seed ${seed}`).toEqual([])
  }
})

test('a bare @here, @channel or @everyone is readable and harmless; an address is not changed', () => {
  expect(shown('@here @channel, @Everyone! a@here.com @hereby')).toBe(
    '@·here @·channel, @·Everyone! a@here.com @hereby',
  )
})

test.each([
  ['quotes', '> '.repeat(5000)],
  ['lists', '- '.repeat(5000)],
  ['underlines', '_a_b '.repeat(4000)],
  ['stars', '**a'.repeat(6000)],
  ['brackets', '['.repeat(20_000)],
])('many %s end the translation neither by an error nor by waiting', (_, markdown) => {
  const started = process.cpuUsage()
  expect(toMrkdwn(`${markdown}x`)).toContain('x')
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5)
})
