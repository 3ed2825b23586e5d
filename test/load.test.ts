/** The source is compiled once, anew when it has changed, and loaded all the same where nothing can be written. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attune-load-'))
  for (const name of ['src', 'adapters', 'package.json', 'package-lock.json']) {
    cpSync(name, join(folder, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What the program says of itself. */
function help(): string {
  return execFileSync(process.execPath, ['src/start.mjs', '--help'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
}

const programs = () => readdirSync(join(folder, '.cache/program'))

test('once for each state of the source', () => {
  expect(help()).toMatch(/^Usage: npm start/)
  const first = programs()
  expect(first).toHaveLength(1)
  help()
  expect(programs()).toEqual(first)

  const file = join(folder, 'adapters/terminal/arguments.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Usage: npm start', 'How to start: npm start'))
  expect(help()).toMatch(/^How to start: npm start/)
  expect(programs()).toHaveLength(2)
})

test('without a place to write to', () => {
  writeFileSync(join(folder, '.cache'), 'a file')
  expect(help()).toMatch(/^Usage: npm start/)
})

test('a fault in the source is told of', () => {
  writeFileSync(join(folder, 'src/config.ts'), 'export const = 1')
  expect(help).toThrow(/config\.ts/)
})
