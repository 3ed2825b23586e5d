/** Progress is drawn on a terminal and written in lines elsewhere. */

import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { showProgress } from '../src/progress.ts'

function output(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 80 })
  return { stream, written: () => String(stream.read() ?? '') }
}

describe('showProgress', () => {
  it('writes a plain line for a status and for each 10 %', () => {
    const { stream, written } = output(false)
    const shown = showProgress(stream, 'Getting qwen3', { isTTY: true })
    shown.update('pulling manifest', 0, 0)
    for (let done = 0; done <= 2000; done += 1) shown.update('pulling a', done * 1e6, 2000e6)
    shown.update('pulling b', 1e6, 4000e6)
    shown.update('verifying', 0, 0)
    shown.update('verifying', 0, 0)
    shown.stop('Got qwen3')
    expect(written().split('\n')).toEqual([
      'Getting qwen3',
      'Getting qwen3: pulling manifest',
      ...Array.from({ length: 10 }, (_, n) => `Getting qwen3: ${(n + 1) * 10} % of 2.0 GB`),
      'Getting qwen3: verifying',
      'Got qwen3',
      '',
    ])
  })

  it('writes lines when input is piped, which a bar would swallow', () => {
    const { stream, written } = output(true)
    showProgress(stream, 'Getting qwen3', { isTTY: false }).fail('No network')
    expect(written()).toBe('Getting qwen3\nNo network\n')
  })

  it('draws on a terminal and ends with the message', () => {
    const { stream, written } = output(true)
    const shown = showProgress(stream, 'Getting qwen3', { isTTY: true })
    shown.update('pulling a', 50, 100)
    shown.stop('Got qwen3')
    const text = written()
    expect(text).toContain('\u001b[')
    expect(text).toContain('Got qwen3')
  })
})
