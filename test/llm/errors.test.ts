/** Sentences for failures that a local test server can't produce. */

import { describe, expect, it } from 'vitest'
import { toLlmError } from '../../src/llm/errors.ts'

const asked = { host: new URL('http://localhost:11434'), model: 'qwen3', inContainer: false }
const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
const status = (code: number, text: string) => Object.assign(new Error(text), { status_code: code })

describe('toLlmError', () => {
  it.each([
    ['ECONNREFUSED', 'down', false],
    ['ENOTFOUND', 'down', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'down', false],
    ['ECONNRESET', 'cut', true],
    ['UND_ERR_SOCKET', 'cut', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'silent', false],
    ['UND_ERR_BODY_TIMEOUT', 'silent', false],
  ])('%s is `%s`', (code, kind, again) => {
    expect(toLlmError(failed(code), asked)).toMatchObject({ kind, again })
  })

  it('says how to start the server', () => {
    expect(toLlmError(failed('ECONNREFUSED'), asked).message).toBe(
      "I can't reach Ollama at http://localhost:11434: start it with `ollama serve`, or set OLLAMA_HOST.",
    )
    expect(toLlmError(failed('ENOTFOUND'), { ...asked, host: new URL('http://olama:1') }).message).toBe(
      "I can't reach Ollama at http://olama:1 (ENOTFOUND): start it with `ollama serve`, or set OLLAMA_HOST.",
    )
  })

  it('says inside a container that localhost is the container', () => {
    expect(toLlmError(failed('ECONNREFUSED'), { ...asked, inContainer: true }).message).toBe(
      "I can't reach Ollama at http://localhost:11434: start it with `ollama serve`, or set OLLAMA_HOST. Inside a container this address is the container itself: the host is http://host.docker.internal:11434, a compose service http://ollama:11434.",
    )
    const elsewhere = { ...asked, host: new URL('http://ollama:11434'), inContainer: true }
    expect(toLlmError(failed('ECONNREFUSED'), elsewhere).message).toContain('`ollama serve`')
  })

  it.each([
    [status(404, "model 'qwen3' not found"), 'missing', false],
    [status(404, '404 page not found'), 'refused', false],
    [status(400, 'the prompt exceeds the context length'), 'too-long', false],
    [status(503, 'server busy, please try again'), 'refused', true],
    [status(500, 'CUDA error: out of memory'), 'memory', false],
    [new TypeError('terminated'), 'cut', true],
  ])('%s is `%s`', (error, kind, again) => {
    expect(toLlmError(error, asked)).toMatchObject({ kind, again })
  })

  it('clips what a server says', () => {
    expect(toLlmError(status(500, 'x'.repeat(5000)), asked).message.length).toBeLessThan(300)
  })
})
