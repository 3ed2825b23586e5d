/** The file of servers: what it may say, and a sentence for each fault, without a secret in it. */

import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/config.ts'
import { parseServers, readServers } from '../../src/mcp/configuration.ts'

function faultsOf(file: unknown, taken: readonly string[] = []): readonly string[] {
  try {
    parseServers(typeof file === 'string' ? file : JSON.stringify(file), taken)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}
const withOne = (entry: unknown) => ({ servers: { weather: entry } })

describe('a file of servers', () => {
  test('is read with what it leaves out', () => {
    const file = {
      servers: {
        weather: { command: 'npx', tools: ['forecast', 'forecast'] },
        'Issue-2': { url: 'https://h/mcp', headers: { a: 'b' }, timeoutMs: 500, workspaces: ['slack:T1'] },
      },
    }
    expect(parseServers(JSON.stringify(file), [])).toEqual([
      {
        name: 'weather',
        reached: { command: 'npx', args: [], env: {} },
        tools: ['forecast'],
        timeoutMs: 10_000,
        workspaces: null,
      },
      {
        name: 'Issue-2',
        reached: { url: new URL('https://h/mcp'), headers: { a: 'b' } },
        tools: [],
        timeoutMs: 500,
        workspaces: ['slack:T1'],
      },
    ])
    expect(readServers(null, [])).toEqual([])
  })

  test('with several faults is refused with a sentence for each', () => {
    const file = {
      servers: {
        a: { command: '', tools: ['two words'], timeoutMs: 5 },
        b: { command: 'x', url: 'http://h' },
        c: { command: 'x', headers: { k: 'v' } },
        d: { url: 'ftp://user:hunter2@h' },
        e: { command: 'x', env: { TOKEN: 7 }, cwd: '/', workspaces: 'all' },
        f_f: { command: 'x' },
      },
    }
    expect(faultsOf(file)).toEqual([
      'Expected `MCP_SERVERS.servers.a.command` to be a program to start, got a string',
      'Expected `MCP_SERVERS.servers.a.tools.0` to be the name of a tool, got `two words`',
      'Expected `MCP_SERVERS.servers.a.timeoutMs` to be a whole number from 100 to 120000, got `5`',
      'Expected `MCP_SERVERS.servers.b` to be an object with either `command` or `url`, got an object',
      'Expected `MCP_SERVERS.servers.c.headers` to be left out beside `command`, got an object',
      'Expected `MCP_SERVERS.servers.d.url` to be an http or https address, got a string',
      'Expected `MCP_SERVERS.servers.e.env.TOKEN` to be a text, got a number',
      'Expected `MCP_SERVERS.servers.e.workspaces` to be a list of ids of workspaces, got `all`',
      'Expected `MCP_SERVERS.servers.e` to have only `command`, `args`, `env`, `url`, `headers`, `tools`, `timeoutMs`, `workspaces`, got `cwd`',
      'Expected `MCP_SERVERS.servers.f_f` to have a name of letters, digits and hyphens that begins with a letter',
    ])
  })

  test.each([
    ['{"token": "hunter2"', 'Expected the file of `MCP_SERVERS` to be JSON, got something else'],
    ['[]', 'Expected `MCP_SERVERS` to be an object with `servers`, got a list'],
    ['{}', 'Expected `MCP_SERVERS.servers` to be an object of servers by their names, got nothing'],
    [withOne(7), 'Expected `MCP_SERVERS.servers.weather` to be an object with `command` or `url`, got a number'],
    [
      withOne({}),
      'Expected `MCP_SERVERS.servers.weather` to be an object with either `command` or `url`, got an object',
    ],
  ])('of %j is refused', (file, sentence) => {
    expect(faultsOf(file)).toEqual([sentence])
  })

  test('gives every tool a name of its own', () => {
    const file = {
      servers: { current: { command: 'x', tools: ['time'] }, a: { command: 'x', tools: ['b.c', 'b/c'] } },
    }
    expect(faultsOf(file, ['current_time'])).toEqual([
      'Expected every tool to have a name of its own, got another `current_time`',
      'Expected every tool to have a name of its own, got another `a_b_c`',
    ])
  })

  test('that is not there is told of by its path', () => {
    expect(() => readServers('/no/such.json', [])).toThrow(
      'Expected `MCP_SERVERS` to be a file that can be read, got `/no/such.json` (ENOENT)',
    )
  })
})
