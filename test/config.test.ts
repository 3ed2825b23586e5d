import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, VARIABLES } from '../src/config.ts'

const DEFAULTS = {
  DATA_DIR: './data',
  DATABASE_URL: null,
  OLLAMA_HOST: new URL('http://127.0.0.1:11434'),
  OLLAMA_MODEL: 'qwen3:4b-instruct',
  OLLAMA_CONTEXT: 4096,
  EMBEDDER: { kind: 'minilm' },
  MODELS_DIR: null,
  MCP_SERVERS: null,
  SLACK_BOT_TOKEN: null,
  SLACK_APP_TOKEN: null,
  SLACK_API_URL: null,
  DISCORD_TOKEN: null,
  DISCORD_API_URL: null,
  DISCORD_SHARDS: null,
  DISCORD_SHARD_COUNT: null,
  CONCURRENCY: 4,
  LOG_LEVEL: null,
}

/** The sentences about what is wrong; none when nothing is. */
function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

describe('an environment', () => {
  test('that says nothing gives the defaults', () => {
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  test('of empty and blank variables says nothing', () => {
    for (const blank of ['', '  ', '\t\n']) {
      expect(readConfig(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, blank])))).toEqual(DEFAULTS)
    }
  })

  test('is read without the blanks around its values, and without what is not ours', () => {
    expect(readConfig({ CONCURRENCY: ' 8 ', PATH: '/bin', OLLAMA_MODELS: '*' })).toEqual({
      ...DEFAULTS,
      CONCURRENCY: 8,
    })
  })

  test('with several faults is refused with a sentence for each, in the order of the settings', () => {
    const env = {
      LOG_LEVEL: 'loud',
      CONCURRENCY: '0',
      OLLAMA_CONTEXT: '12k',
      OLLAMA_MODEL: 'two words',
      OLLAMA_HOST: 'ftp://host',
      DATABASE_URL: 'mysql://host/name',
      DATA_DIR: '/tmp/data',
    }
    expect(faultsOf(env)).toEqual([
      'Expected `DATABASE_URL` to be a Postgres address such as `postgres://user:password@host:5432/name`, got `mysql://host/name`',
      'Expected `OLLAMA_HOST` to be an address such as `http://127.0.0.1:11434` or `host:port`, got `ftp://host`',
      'Expected `OLLAMA_MODEL` to be the name of a model, such as `qwen3:4b-instruct`, got `two words`',
      'Expected `OLLAMA_CONTEXT` to be a whole number from 1024 to 131072, got `12k`',
      'Expected `CONCURRENCY` to be a whole number from 1 to 64, got `0`',
      'Expected `LOG_LEVEL` to be one of `fatal`, `error`, `warn`, `info`, `debug` or `silent`, got `loud`',
    ])
  })
})

const RIGHT: readonly (readonly [keyof typeof DEFAULTS, string, unknown])[] = [
  ['DATA_DIR', '/var/lib/with blank', '/var/lib/with blank'],
  ['DATABASE_URL', 'postgres://u:p@db:5432/attune', 'postgres://u:p@db:5432/attune'],
  ['DATABASE_URL', 'postgresql://db/attune?sslmode=require', 'postgresql://db/attune?sslmode=require'],
  ['OLLAMA_HOST', 'http://ollama:11434/', new URL('http://ollama:11434')],
  ['OLLAMA_HOST', 'gpu.local:8080', new URL('http://gpu.local:8080')],
  ['OLLAMA_MODEL', 'hf.co/Some-One/model_GGUF:Q4_K_M', 'hf.co/Some-One/model_GGUF:Q4_K_M'],
  ['OLLAMA_CONTEXT', '1024', 1024],
  ['OLLAMA_CONTEXT', '131072', 131_072],
  ['EMBEDDER', 'none', { kind: 'none' }],
  ['EMBEDDER', 'ollama:all-minilm', { kind: 'ollama', model: 'all-minilm' }],
  ['MODELS_DIR', '../models', '../models'],
  ['SLACK_BOT_TOKEN', 'xoxb-1-2-abc', 'xoxb-1-2-abc'],
  ['SLACK_APP_TOKEN', 'xapp-1-A1-2-abc', 'xapp-1-A1-2-abc'],
  ['SLACK_API_URL', 'http://127.0.0.1:8080/api/', 'http://127.0.0.1:8080/api/'],
  ['DISCORD_TOKEN', 'MTA.Gx-_1.abc', 'MTA.Gx-_1.abc'],
  ['DISCORD_API_URL', 'http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api'],
  ['DISCORD_SHARDS', '0, 2,2', [0, 2]],
  ['DISCORD_SHARD_COUNT', '4', 4],
  ['CONCURRENCY', '1', 1],
  ['CONCURRENCY', '64', 64],
  ['LOG_LEVEL', 'fatal', 'fatal'],
  ['LOG_LEVEL', 'error', 'error'],
  ['LOG_LEVEL', 'warn', 'warn'],
  ['LOG_LEVEL', 'info', 'info'],
  ['LOG_LEVEL', 'debug', 'debug'],
  ['LOG_LEVEL', 'silent', 'silent'],
]

test.each(RIGHT)('%s may be %s', (name, given, expected) => {
  expect(readConfig({ [name]: given })).toEqual({ ...DEFAULTS, [name]: expected })
})

const WRONG: readonly (readonly [keyof typeof DEFAULTS, string])[] = [
  ['DATABASE_URL', 'attune'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_URL', 'postgres://host/a name'],
  ['DATABASE_URL', 'postgres://host:many/name'],
  ['OLLAMA_HOST', 'http://'],
  ['OLLAMA_HOST', 'host:port'],
  ['OLLAMA_HOST', 'http://host:0'],
  ['OLLAMA_MODEL', 'a;b'],
  ['OLLAMA_MODEL', 'x'.repeat(201)],
  ['OLLAMA_CONTEXT', '1023'],
  ['OLLAMA_CONTEXT', '131073'],
  ['OLLAMA_CONTEXT', '4096.5'],
  ['OLLAMA_CONTEXT', '-4096'],
  ['OLLAMA_CONTEXT', '4e3'],
  ['OLLAMA_CONTEXT', '0x1000'],
  ['EMBEDDER', 'bert'],
  ['EMBEDDER', 'ollama:'],
  ['SLACK_API_URL', 'slack.com/api'],
  ['DISCORD_SHARDS', '0-3'],
  ['DISCORD_SHARD_COUNT', '0'],
  ['CONCURRENCY', '65'],
  ['CONCURRENCY', '1234567890123'],
  ['LOG_LEVEL', 'INFO'],
  ['LOG_LEVEL', 'trace'],
]

test.each(WRONG)('%s may not be %s', (name, given) => {
  const got = given.slice(0, 80)
  expect(faultsOf({ [name]: given })).toEqual([
    `Expected \`${name}\` to be ${VARIABLES[name].expected}, got \`${got}\``,
  ])
})

test.each([['SLACK_BOT_TOKEN'], ['SLACK_APP_TOKEN'], ['DISCORD_TOKEN']] as const)(
  'a wrong `%s` is not repeated',
  (name) => {
    expect(faultsOf({ [name]: 'xoxp-hunter2' })).toEqual([
      `Expected \`${name}\` to be ${VARIABLES[name].expected}, got \`…\``,
    ])
  },
)

describe('a password', () => {
  const ADDRESSES = [
    'mysql://user:hunter2@host/name',
    'postgres://user:hunter2@host/a name',
    'postgres://user:hun/hunter2@host/name',
    'postgres://user:p@hunter2@host:many/name',
    'POSTGRES://user:hunter2@host/name',
    'user:hunter2@host',
    'postgres://user:line\nhunter2@host/name',
  ]

  test.each(ADDRESSES)('is not repeated from %j', (address) => {
    const [fault = ''] = faultsOf({ DATABASE_URL: address })
    expect(fault).toMatch(/, got `([a-z]+:\/\/)?…@host[^`]*`$/i)
    expect(fault).not.toContain('hunter2')
  })

  test('is not repeated from the address of the model server either', () => {
    expect(faultsOf({ OLLAMA_HOST: 'http://user:hunter2@host' })).toEqual([
      'Expected `OLLAMA_HOST` to be an address such as `http://127.0.0.1:11434` or `host:port`, got `http://…@host`',
    ])
  })
})
