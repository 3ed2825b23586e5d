/** Addresses of Ollama as people write them. */

import { describe, expect, it } from 'vitest'
import { isLoopback, parseHost, showHost } from '../../src/llm/host.ts'

describe('parseHost', () => {
  it.each([
    ['localhost', 'http://localhost:11434'],
    ['ollama', 'http://ollama:11434'],
    ['192.168.1.5', 'http://192.168.1.5:11434'],
    ['localhost:8080', 'http://localhost:8080'],
    ['host:80', 'http://host'],
    [':1234', 'http://127.0.0.1:1234'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['HTTP://Host:11434//', 'http://host:11434'],
    ['http://host', 'http://host'],
    ['https://models.example.com', 'https://models.example.com'],
    ['https://example.com/ollama/', 'https://example.com/ollama'],
    ['example.com/ollama', 'http://example.com:11434/ollama'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['http://0.0.0.0:11435', 'http://127.0.0.1:11435'],
    ['[::]:11434', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    [' "http://a:1" ', 'http://a:1'],
  ])('reads %s', (text, expected) => {
    expect(showHost(parseHost(text))).toBe(expected)
  })

  it.each([
    '',
    '  ',
    'ftp://host',
    'http://',
    'host:port',
    'host:0',
    'host:99999',
    'a b',
    'http://host?x=1',
    'http://host#x',
  ])('refuses `%s`', (text) => {
    expect(() => parseHost(text)).toThrow(
      new RangeError(
        `Expected \`OLLAMA_HOST\` to be an address such as \`http://127.0.0.1:11434\` or \`host:port\`, got \`${text}\``,
      ),
    )
  })

  it('does not repeat a password', () => {
    expect(() => parseHost('http://ann:secret@host')).toThrow('got `http://…@host`')
  })
})

describe('isLoopback', () => {
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['::1', true],
    ['ollama', false],
  ])('%s: %s', (text, expected) => {
    expect(isLoopback(parseHost(text))).toBe(expected)
  })
})
