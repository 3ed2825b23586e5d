/** The command line of the terminal, as data. */

import { isName, isWorkspace, NAME_RULE, shown, WORKSPACE_RULE } from './names.ts'
import { plain } from './plain.ts'

export interface Arguments {
  /** The name of the person at the terminal. */
  readonly as: string
  readonly workspace: string
  /** One JSON line for every reply, objects as input. */
  readonly json: boolean
  readonly help: boolean
}

export const usage = `Usage: npm start -- [--as NAME] [--workspace NAME] [--json]

  --as NAME         who is speaking (me)
  --workspace NAME  whose settings count (home)
  --json            a line is text or {"text", "as", "channel", "workspace", "at", "admin", "id"}, a reply a JSON line
  --help            this`

/**
 * Both `--as ana` and `--as=ana` are understood; the last one counts.
 * @param argv without the node binary and the script
 * @throws Error "Expected …, got …" for a flag or a name that isn't one
 */
export function parseArguments(argv: readonly string[]): Arguments {
  const found = { as: 'me', workspace: 'home', json: false, help: false }
  const rest = [...argv]
  for (let flag = rest.shift(); flag !== undefined; flag = rest.shift()) {
    const [name = '', value] = split(flag)
    if (name === '--as') found.as = checked(name, value ?? rest.shift(), isName, NAME_RULE)
    else if (name === '--workspace') found.workspace = checked(name, value ?? rest.shift(), isWorkspace, WORKSPACE_RULE)
    else if (flag === '--json') found.json = true
    else if (flag === '--help' || flag === '-h') found.help = true
    else throw new Error(`Expected --as, --workspace, --json or --help, got \`${shown(plain(flag))}\`\n\n${usage}`)
  }
  return found
}

function split(flag: string): [string, string?] {
  const equals = flag.indexOf('=')
  return equals < 0 ? [flag] : [flag.slice(0, equals), flag.slice(equals + 1)]
}

function checked(
  flag: string,
  value: string | undefined,
  isRight: (value: unknown) => value is string,
  rule: string,
): string {
  if (isRight(value)) return value
  throw new Error(
    `Expected \`${flag}\` to be ${rule}, got ${value === undefined ? 'nothing' : `\`${shown(plain(value))}\``}`,
  )
}
