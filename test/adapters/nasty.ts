/** Texts that are hard on whoever reads Markdown, the same for the same seed. */

const PIECES = [
  ...['\n', '\n\n', '\r\n', ' ', '   ', '\t', '. ', '! ', '。', 'word', 'a longer sentence of some words. '],
  ...['```', '```py\n', '\n```\n', '~~~\n', '\n~~~\n', '````md\n', '\n````\n', '> ```\n', '> code\n', '- ```ts\n'],
  ...['`', '``', '**bold**', '*', '_', '[text of a link](https://example.org/a?b=c)', '<https://example.org|a b>'],
  ...[
    '🦊',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    'é',
    'e\u0301',
    '한국어',
    '日本語の文章です',
    '\u200b',
    '\u200f',
    '\ud83e',
    '\0',
    '&amp;',
  ],
  ...['x'.repeat(70), '🦊'.repeat(60), '- item\n', '1. one\n', '| a | b |\n', '`'.repeat(12), '\n'.repeat(8)],
]

const MENTIONS = [
  ...['<', '>', '|', '<!', '<@', '<#', '&lt;', '&#60;', '\\<', '@', '@here', '@channel', '@everyone', 'U123', '(', ')'],
  ...['<!channel>', '<!here|here>', '<!everyone>', '<@U123>', '<#C123|general>', '<!subteam^S1>', '<!date^1^{date}|x>'],
  ...['[a](', '](<!channel>)', '](https://x.y|<!here>)', '[<!channel>](https://x.y)', '![<@U1>](<https://x.y>)', ']: '],
  ...[
    'mailto:a@b.c',
    '<mailto:a@b.c|<@U1>>',
    '[x](mailto:<!here>)',
    'javascript:',
    '[x](javascript:alert(1))',
    '\\',
    '<br>',
  ],
  ...[
    '<https://e.org|<!channel>>',
    '<docs|https://e.org>',
    '\n[r]: <https://e.org/<!here>>\n',
    '[r]',
    '<div>',
    '<!-- ',
    ' -->',
  ],
  ...['|-|-|\n', '# ', '***', '~~', '> ', '    ', '@\u200bhere', '<@!42>', '<@&43>', '<#44>', '</tune:1>', '||', '-# '],
]

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function nasty(seed: number): string {
  return from(PIECES, seed, 120)
}

/** With all that could notify somebody in Slack or Discord, whole and in pieces. */
export function nastyMentions(seed: number): string {
  return from([...PIECES.slice(0, 36), ...MENTIONS, ...MENTIONS], seed, 40)
}

function from(pieces: readonly string[], seed: number, most: number): string {
  const random = randomOf(seed)
  const count = 3 + Math.floor(random() * most)
  return Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)]).join('')
}
