/** The servers of tools that a file names, checked whole before any of them is started. Never repeats what may be a secret. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../config.ts'

export type Reached =
  /** A process of its own, spoken with by its standard input and output. */
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  /** Streamable HTTP. */
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

export interface Server {
  readonly name: string
  readonly reached: Reached
  /** Those of its tools that may be called, by the server's names for them. */
  readonly tools: readonly string[]
  /** Of one call. */
  readonly timeoutMs: number
  /** Where they are offered; null: everywhere. */
  readonly workspaces: readonly string[] | null
}

const TIMEOUT_MS = 10_000

/** The message of an issue is what was expected. */
const expected = (error: string) => ({ error })
const texts = (what: string) => z.array(z.string(expected('a text')), expected(what))
const textByName = (what: string) => z.record(z.string(), z.string(expected('a text')), expected(what))

const Entry = z
  .strictObject(
    {
      command: z.string(expected('a program to start')).min(1, expected('a program to start')).optional(),
      args: texts('a list of texts').optional(),
      env: textByName('an object of texts').optional(),
      url: z
        .string(expected('an http or https address'))
        .refine(isHttp, expected('an http or https address'))
        .optional(),
      headers: textByName('an object of texts').optional(),
      tools: z
        .array(z.string(expected('the name of a tool')).regex(/^[\w./-]{1,64}$/, expected('the name of a tool')), {
          error: 'a list of names of tools',
        })
        .default([]),
      timeoutMs: z
        .int(expected('a whole number from 100 to 120000'))
        .min(100, expected('a whole number from 100 to 120000'))
        .max(120_000, expected('a whole number from 100 to 120000'))
        .default(TIMEOUT_MS),
      workspaces: texts('a list of ids of workspaces').optional(),
    },
    expected('an object with `command` or `url`'),
  )
  .superRefine((entry, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const isCommand = entry.command !== undefined
    if (isCommand === (entry.url !== undefined)) refuse([], 'an object with either `command` or `url`')
    else if (isCommand && entry.headers) refuse(['headers'], 'left out beside `command`')
    else if (!isCommand && entry.args) refuse(['args'], 'left out beside `url`')
    else if (!isCommand && entry.env) refuse(['env'], 'left out beside `url`')
  })

const NAME = 'a name of letters, digits and hyphens that begins with a letter'
const File = z.strictObject(
  {
    servers: z.record(
      z.string().regex(/^[a-z][a-z0-9-]{0,30}$/i, expected(NAME)),
      Entry,
      expected('an object of servers by their names'),
    ),
  },
  expected('an object with `servers`'),
)

/** Null: there are none. @throws ConfigError */
export function readServers(path: string | null, taken: readonly string[]): readonly Server[] {
  if (path === null) return []
  return parseServers(textOf(path), taken)
}

/**
 * `{"servers": {"NAME": {"command" or "url", …, "tools": […]}}}`. `taken`: names of actions that no tool may have.
 * @throws ConfigError with a sentence for each fault
 */
export function parseServers(text: string, taken: readonly string[]): readonly Server[] {
  const json = jsonIn(text)
  const parsed = File.safeParse(json)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.flatMap((issue) => sentences(issue, json)).join('\n'))
  const servers = Object.entries(parsed.data.servers).map(([name, entry]) => ({
    name,
    reached: reachedBy(entry),
    tools: [...new Set(entry.tools)],
    timeoutMs: entry.timeoutMs,
    workspaces: entry.workspaces ?? null,
  }))
  const names = servers.flatMap((server) => server.tools.map((tool) => actionName(server.name, tool)))
  const double = names.filter((name, at) => taken.includes(name) || names.indexOf(name) < at)
  if (double.length > 0) {
    throw new ConfigError(
      double.map((name) => `Expected every tool to have a name of its own, got another \`${name}\``).join('\n'),
    )
  }
  return servers
}

/** What a tool is called here: `server_tool`. */
export function actionName(server: string, tool: string): string {
  return `${server}_${tool.replaceAll(/[^\w-]/g, '_')}`
}

function reachedBy({ command, args = [], env = {}, url = '', headers = {} }: z.output<typeof Entry>): Reached {
  return command === undefined ? { url: new URL(url), headers } : { command, args, env }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error'
    throw new ConfigError(`Expected \`MCP_SERVERS\` to be a file that can be read, got \`${path}\` (${code})`)
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text.
    throw new ConfigError('Expected the file of `MCP_SERVERS` to be JSON, got something else')
  }
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function sentences(issue: z.core.$ZodIssue, json: unknown): readonly string[] {
  const where = `\`${['MCP_SERVERS', ...issue.path].join('.')}\``
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? ['servers'] : Object.keys(Entry.shape)
    const list = known.map((key) => `\`${key}\``).join(', ')
    return issue.keys.map((key) => `Expected ${where} to have only ${list}, got \`${key.slice(0, 40)}\``)
  }
  const wanted = issue.code === 'invalid_key' ? NAME : issue.message
  if (issue.code === 'invalid_key') return [`Expected ${where} to have ${wanted}`]
  return [`Expected ${where} to be ${wanted}, got ${shown(issue.path, json)}`]
}

/** Commands, addresses, variables and headers may hold secrets: of them only the kind is told. */
function shown(path: readonly PropertyKey[], json: unknown): string {
  const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[String(key)] : undefined), json)
  const field = String(path[2] ?? '')
  if (value === undefined) return 'nothing'
  if (['tools', 'timeoutMs', 'workspaces'].includes(field) && !isObject(value))
    return `\`${String(value).slice(0, 80)}\``
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
