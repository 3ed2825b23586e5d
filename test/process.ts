/** The real program as a child process, fed line by line. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Program {
  readonly child: ChildProcessWithoutNullStreams
  /** Lines of standard output so far. */
  readonly lines: string[]
  readonly stderr: () => string
  say(line: string | object): void
  /** The next line of standard output that was not taken yet. */
  next(): Promise<string>
  /** The next line as JSON. */
  record(): Promise<Record<string, unknown>>
  /** Closes standard input; resolves with the exit code or the signal. */
  end(): Promise<number | string>
  exited: Promise<number | string>
}

export function startProgram(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Program {
  const child = spawn(process.execPath, ['src/start.mjs', ...args], {
    env: { ...process.env, LOG_LEVEL: '', EMBEDDER: 'none', ...env },
  })
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  let taken = 0
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (waiting.length > 0) {
      taken++
      waiting.shift()?.(line)
    }
  })
  const exited = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code ?? 'no code'))
  })
  const next = async () => {
    const known = lines[taken]
    if (known !== undefined) {
      taken++
      return known
    }
    const ended = exited.then((how): string => {
      throw new Error(`Expected another line, but the program ended (${how}): ${errors.slice(-2000)}`)
    })
    return Promise.race([new Promise<string>((resolve) => waiting.push(resolve)), ended])
  }
  return {
    child,
    lines,
    stderr: () => errors,
    say: (line) => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    next,
    record: async () => JSON.parse(await next()),
    end() {
      child.stdin.end()
      return exited
    },
    exited,
  }
}
