import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIABLES } from '../src/config.ts'
import { DIMENSIONS } from '../src/preference/dimensions.ts'
import { WORKSPACE_TUNABLES } from '../src/workspace.ts'

const readme = readFileSync('README.md', 'utf8')

test('the table of variables is the one that the code checks', () => {
  for (const [name, { about, expected, fallback }] of Object.entries(VARIABLES)) {
    const value = fallback === null ? '' : `\`${fallback}\` `
    expect(readme).toContain(`| \`${name}\` | ${value}| ${expected} | ${about} |`)
  }
  expect([...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(VARIABLES))
})

test('.env.example names every variable with its default', () => {
  const example = readFileSync('.env.example', 'utf8')
  const lines = Object.entries(VARIABLES).map(
    ([name, { about, fallback }]) => `# ${about}\n${name}=${fallback ?? ''}\n`,
  )
  expect(example).toBe(
    `# Copy to .env. Every setting may be left out; an empty one counts as left out.\n\n${lines.join('\n')}`,
  )
})

test('the table of workspace settings is the one behind /tune', () => {
  const rows = WORKSPACE_TUNABLES.map(({ name, aliases, default: usual, range, effect }) => {
    const symbol = aliases[0] === undefined ? '' : ` (${aliases[0]})`
    return `| \`${name}\`${symbol} | ${usual} | ${range} | ${effect} |`
  })
  for (const row of rows) expect(readme).toContain(row)
})

test('the table of dimensions is the one in the code', () => {
  for (const [dimension, { labels }] of Object.entries(DIMENSIONS)) {
    expect(readme).toContain(`| ${dimension} | ${labels.join(', ')} |`)
  }
})

test('every script that it names is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  expect(named.length).toBeGreaterThan(4)
})

test('the tree names every file and folder at the top and in src, and no other', () => {
  const tree = /## The tree\n\n```\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const named: string[] = []
  let folder = ''
  for (const line of tree.split('\n')) {
    const [, indent = '', names = ''] = /^( *)(.+?)(?: {2,}|$)/.exec(line) ?? []
    if (indent === '') folder = names.endsWith('/') ? names : ''
    for (const name of names.split(' ').filter(Boolean)) named.push(indent === '' ? name : `${folder}${name}`)
  }
  const kept = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(file))
  const parts = new Set(
    kept.flatMap((file) => {
      const [top = '', second, third] = file.split('/')
      if (second === undefined) return [top]
      return top === 'src' ? [`${top}/`, `src/${second}${third === undefined ? '' : '/'}`] : [`${top}/`]
    }),
  )
  expect(named.filter((name) => !parts.has(name))).toEqual([])
  expect([...parts].filter((part) => !named.includes(part))).toEqual([])
})
