/** The command line. */

import { expect, test } from 'vitest'
import { parseArguments, usage } from '../../adapters/terminal/arguments.ts'

const plain = { as: 'me', workspace: 'home', json: false, help: false }

test.each([
  [[], plain],
  [['--json'], { ...plain, json: true }],
  [['--help'], { ...plain, help: true }],
  [['-h'], { ...plain, help: true }],
  [['--as', 'Ana María', '--workspace=acme'], { ...plain, as: 'Ana María', workspace: 'acme' }],
  [['--as=a=b', '--as', 'c'], { ...plain, as: 'c' }],
])('%j is understood', (argv, found) => {
  expect(parseArguments(argv)).toEqual(found)
})

const FLAGS = 'Expected --as, --workspace, --json or --help, got'

test.each([
  [['--as'], 'Expected `--as` to be a name of 1 to 80 characters on one line, got nothing'],
  [['--as='], 'Expected `--as` to be a name of 1 to 80 characters on one line, got ``'],
  [
    ['--workspace', 'a:b'],
    'Expected `--workspace` to be a name of 1 to 80 characters on one line without a colon, got `a:b`',
  ],
  [['--jsno'], `${FLAGS} \`--jsno\`\n\n${usage}`],
  [['--json=yes'], `${FLAGS} \`--json=yes\`\n\n${usage}`],
  [['hello'], `${FLAGS} \`hello\`\n\n${usage}`],
  [['x\u001b[2J'.repeat(40)], `${FLAGS} \`${'x'.repeat(40)}\`\n\n${usage}`],
])('%j is answered with what was expected', (argv, message) => {
  expect(() => parseArguments(argv)).toThrow(new Error(message))
})
