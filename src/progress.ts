/** Shows how far something long is, such as a download: a bar on a terminal, a line now and then elsewhere. */

import type { Writable } from 'node:stream'
import { progress } from '@clack/prompts'

export interface Progress {
  readonly update: (status: string, completed: number, total: number) => void
  readonly stop: (message: string) => void
  readonly fail: (message: string) => void
}

/** What is needed of `process.stderr`. */
type Output = Writable & { readonly isTTY?: boolean }

/**
 * @param output where to draw, not stdout: that belongs to the conversation
 * @param input the bar reads keys while it is drawn, so piped input would be lost: then lines are written
 * @param measure how the whole is told; bytes when left out
 */
export function showProgress(
  output: Output,
  label: string,
  input: { readonly isTTY?: boolean } = process.stdin,
  measure: (total: number) => string = size,
): Progress {
  return output.isTTY && input.isTTY ? bar(output, label, measure) : lines(output, label, measure)
}

function bar(output: Output, label: string, measure: (total: number) => string): Progress {
  const drawn = progress({ max: 100, output })
  let shown = 0
  drawn.start(label)
  return {
    stop: drawn.stop,
    fail: drawn.error,
    update(status, completed, total) {
      if (total === 0) return drawn.message(`${label}: ${status}`)
      const percent = percentOf(completed, total)
      drawn.advance(percent - shown, `${label}: ${percent} % of ${measure(total)}`)
      shown = percent
    },
  }
}

/** A line for each new status and each further 10 %. */
function lines(output: Output, label: string, measure: (total: number) => string): Progress {
  const write = (text: string) => {
    output.write(`${text}\n`)
  }
  let status = ''
  let tens = 0
  write(label)
  return {
    stop: write,
    fail: write,
    update(next, completed, total) {
      if (total === 0) {
        if (next !== status) write(`${label}: ${next}`)
        status = next
        return
      }
      const reached = Math.floor(percentOf(completed, total) / 10)
      if (reached > tens) write(`${label}: ${reached * 10} % of ${measure(total)}`)
      tens = Math.max(tens, reached)
    },
  }
}

function percentOf(completed: number, total: number): number {
  return Math.min(100, Math.floor((completed / total) * 100))
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
