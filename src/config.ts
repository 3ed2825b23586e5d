/** The environment, read once and checked whole. */

import { z } from 'zod'
import { CHOICES, parseChoice } from './embed/choice.ts'
import { parseHost } from './llm/host.ts'

/** One setting of the environment: what it means, what it may be, and what it is when left out. */
interface Variable {
  readonly about: string
  readonly expected: string
  readonly fallback: string | null
  readonly parse: z.ZodType<unknown, string>
  /** Never shown, not even a wrong one. */
  readonly isSecret?: boolean
}

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((n) => n >= from && n <= to)

const text = z.string().min(1)

/** What `parse` makes of it, unless it throws. */
const parsedBy = <T>(parse: (value: string) => T) =>
  text.transform((value, context) => {
    try {
      return parse(value)
    } catch {
      context.addIssue({ code: 'custom', message: 'not understood' })
      return z.NEVER
    }
  })

const postgresUrl = text.refine((value) => /^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value))

const httpUrl = text.refine((value) => /^https?:\/\/[^\s@]+$/.test(value) && URL.canParse(value))

/** README's table and .env.example are held against this one by a test. */
export const VARIABLES = {
  DATA_DIR: {
    about: 'Folder of the embedded database',
    expected: 'a folder',
    fallback: './data',
    parse: text,
  },
  DATABASE_URL: {
    about: 'Postgres with pgvector to use instead of the embedded database',
    expected: 'a Postgres address such as `postgres://user:password@host:5432/name`',
    fallback: null,
    parse: postgresUrl,
  },
  OLLAMA_HOST: {
    about: 'Where Ollama listens',
    expected: 'an address such as `http://127.0.0.1:11434` or `host:port`',
    fallback: 'http://127.0.0.1:11434',
    parse: parsedBy(parseHost),
  },
  OLLAMA_MODEL: {
    about: 'The model that answers; pulled when the server lacks it',
    expected: 'the name of a model, such as `qwen3:4b-instruct`',
    fallback: 'qwen3:4b-instruct',
    parse: text.regex(/^[\w.:/-]{1,200}$/),
  },
  OLLAMA_CONTEXT: {
    about: 'Tokens that a prompt and its answer may take together',
    expected: 'a whole number from 1024 to 131072',
    fallback: '4096',
    parse: wholeNumber(1024, 131_072),
  },
  EMBEDDER: {
    about: 'What finds earlier words again by their meaning; with `none` they are found by the words alone',
    expected: CHOICES,
    fallback: 'minilm',
    parse: parsedBy(parseChoice),
  },
  MODELS_DIR: {
    about: 'Where `minilm` is read from; when left out it is downloaded once, into `.cache/models`',
    expected: 'a folder that holds `Xenova/all-MiniLM-L6-v2`',
    fallback: null,
    parse: text,
  },
  MCP_SERVERS: {
    about: 'Servers of tools (MCP) that the model may use; README.md says how they are written',
    expected: 'a file of JSON such as `./mcp.json`',
    fallback: null,
    parse: text,
  },
  SLACK_BOT_TOKEN: {
    about: 'Answers in Slack instead of the terminal, together with `SLACK_APP_TOKEN`',
    expected: 'a bot token that begins with `xoxb-`',
    fallback: null,
    parse: text.regex(/^xoxb-[\w-]+$/),
    isSecret: true,
  },
  SLACK_APP_TOKEN: {
    about: 'Opens the sockets to Slack',
    expected: 'an app-level token that begins with `xapp-`',
    fallback: null,
    parse: text.regex(/^xapp-[\w-]+$/),
    isSecret: true,
  },
  SLACK_API_URL: {
    about: 'Another address of Slack, such as that of a gateway',
    expected: 'an address such as `https://slack.com/api/`',
    fallback: null,
    parse: httpUrl,
  },
  DISCORD_TOKEN: {
    about: 'Answers in Discord instead of the terminal',
    expected: 'the token of a bot, of three parts with dots between them',
    fallback: null,
    parse: text.regex(/^[\w-]+(\.[\w-]+){2}$/),
    isSecret: true,
  },
  DISCORD_API_URL: {
    about: 'Another address of Discord, such as that of a gateway',
    expected: 'an address such as `https://discord.com/api`',
    fallback: null,
    parse: httpUrl,
  },
  DISCORD_SHARDS: {
    about: 'Which shards of Discord this process holds; when left out all of them',
    expected: 'numbers from 0 up with commas between them, such as `0,1`',
    fallback: null,
    parse: text.regex(/^\d{1,5}(\s*,\s*\d{1,5})*$/).transform((list) => [...new Set(list.split(',').map(Number))]),
  },
  DISCORD_SHARD_COUNT: {
    about: 'How many shards there are over all processes; when left out as many as Discord recommends',
    expected: 'a whole number from 1 to 16000',
    fallback: null,
    parse: wholeNumber(1, 16_000),
  },
  CONCURRENCY: {
    about: 'How many conversations are answered at the same time',
    expected: 'a whole number from 1 to 64',
    fallback: '4',
    parse: wholeNumber(1, 64),
  },
  LOG_LEVEL: {
    about: 'How much is logged; when left out `info`, in a chat at a terminal `error`',
    expected: 'one of `fatal`, `error`, `warn`, `info`, `debug` or `silent`',
    fallback: null,
    parse: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
  },
} as const satisfies Record<string, Variable>

type Variables = { readonly [K in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[K]['parse']> }

/** What the environment says; null where a variable is left out that has no fallback. */
export type Config = {
  readonly [K in keyof Variables]: (typeof VARIABLES)[K]['fallback'] extends null ? Variables[K] | null : Variables[K]
}

/** Every wrong setting at once, a line each. */
export class ConfigError extends Error {}

/**
 * Reads the environment. An empty variable counts as unset.
 * @throws ConfigError naming each wrong variable: Expected `NAME` to be …, got `…`
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const entries = Object.entries<Variable>(VARIABLES).map(([name, { expected, fallback, parse, isSecret }]) => {
    const given = env[name]?.trim() || fallback
    if (given === null) return [name, null]
    const result = parse.safeParse(given)
    if (!result.success)
      faults.push(`Expected \`${name}\` to be ${expected}, got \`${isSecret ? '…' : masked(given)}\``)
    return [name, result.data]
  })
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return Object.fromEntries(entries)
}

/** An address may carry a password, even a wrong one. */
function masked(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').slice(0, 80)
}
