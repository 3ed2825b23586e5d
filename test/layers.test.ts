import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Who may import whom: a file may import what its own row names, and nothing else of ours. */
const ALLOWED: Record<string, readonly string[]> = {
  'adapters/': ['adapters/', 'src/adapter.ts'],
  'src/adapter.ts': [],
  'src/nearest.ts': [],
  'src/persona-text.ts': [],
  'src/log.ts': [],
  'src/progress.ts': [],
  'src/preference/': ['src/preference/', 'src/nearest.ts'],
  'src/llm/': ['src/llm/', 'src/progress.ts'],
  'src/embed/': ['src/embed/', 'src/llm/'],
  'src/config.ts': ['src/llm/host.ts', 'src/embed/choice.ts'],
  'src/prompts.ts': ['src/preference/verbalize.ts'],
  'src/workspace.ts': ['src/preference/', 'src/nearest.ts', 'src/persona-text.ts'],
  'src/schema/': ['src/schema/', 'src/adapter.ts'],
  'src/schema.ts': ['src/schema/', 'src/adapter.ts', 'src/preference/', 'src/workspace.ts'],
  'src/store/': [
    'src/store/',
    'src/schema.ts',
    'src/schema/',
    'src/adapter.ts',
    'src/preference/',
    'src/workspace.ts',
    'src/mailbox.ts',
    'src/llm/budget.ts',
  ],
  'src/mailbox.ts': ['src/store/database.ts', 'src/adapter.ts'],
  'src/tidy.ts': ['src/mailbox.ts'],
  'src/worker.ts': ['src/mailbox.ts', 'src/store/database.ts', 'src/adapter.ts', 'src/log.ts'],
  'src/memory/': [
    'src/memory/',
    'src/store/',
    'src/preference/',
    'src/llm/',
    'src/log.ts',
    'src/prompts.ts',
    'src/embed/embedder.ts',
    'src/schema.ts',
    'src/schema/',
  ],
  'src/persona/': [
    'src/persona/',
    'src/llm/',
    'src/log.ts',
    'src/memory/profile-words.ts',
    'src/persona-text.ts',
    'src/preference/',
    'src/prompts.ts',
    'src/schema.ts',
    'src/section.ts',
    'src/store/',
    'src/workspace.ts',
  ],
  'src/actions': ['src/llm/budget.ts', 'src/actions/', 'src/memory/', 'src/preference/', 'src/store/'],
  'src/mcp/': [
    'src/mcp/',
    'src/actions/',
    'src/config.ts',
    'src/llm/budget.ts',
    'src/log.ts',
    'src/memory/profile-words.ts',
  ],
  'src/choose.ts': ['src/actions/action.ts', 'src/llm/'],
  'src/act.ts': ['src/actions/action.ts', 'src/choose.ts', 'src/llm/', 'src/prompts.ts'],
  'src/deeds.ts': [
    'src/act.ts',
    'src/actions/action.ts',
    'src/adapter.ts',
    'src/memory/',
    'src/preference/',
    'src/store/',
    'src/tidy.ts',
    'src/understand.ts',
  ],
  'src/understand.ts': [
    'src/adapter.ts',
    'src/memory/',
    'src/notice.ts',
    'src/parts.ts',
    'src/preference/',
    'src/store/',
    'src/workspace.ts',
  ],
  'src/section.ts': [],
  'src/signals.ts': ['src/memory/profile-words.ts', 'src/preference/', 'src/schema.ts'],
  'src/reply.ts': [
    'src/section.ts',
    'src/act.ts',
    'src/tidy.ts',
    'src/llm/',
    'src/memory/',
    'src/preference/',
    'src/prompts.ts',
  ],
  'src/record.ts': ['src/adapter.ts', 'src/preference/', 'src/reply.ts', 'src/store/', 'src/workspace.ts'],
  'src/feedback.ts': ['src/adapter.ts', 'src/preference/', 'src/schema.ts', 'src/store/', 'src/workspace.ts'],
  'src/commands': [
    'src/memory/',
    'src/commands',
    'src/adapter.ts',
    'src/nearest.ts',
    'src/persona-text.ts',
    'src/preference/',
    'src/schema.ts',
    'src/schema/',
    'src/store/',
    'src/workspace.ts',
  ],
  'src/parts.ts': ['src/'],
  'src/job.ts': ['src/adapter.ts', 'src/mailbox.ts', 'src/parts.ts', 'src/store/'],
  'src/notice.ts': ['src/preference/', 'src/store/', 'src/workspace.ts'],
  'src/errand.ts': ['src/'],
  'src/answering.ts': ['src/job.ts'],
  'src/amend.ts': ['src/'],
  'src/correct.ts': ['src/'],
  'src/bot.ts': ['src/'],
  'src/main.ts': ['src/', 'adapters/'],
  'src/nightly.ts': [
    'src/llm/',
    'src/log.ts',
    'src/memory/',
    'src/prompts.ts',
    'src/store/',
    'src/workspace.ts',
    'src/persona/',
    'src/preference/',
  ],
  'src/platforms.ts': ['src/adapter.ts', 'src/config.ts', 'src/log.ts', 'adapters/'],
  'src/serve.ts': ['src/', 'adapters/'],
}

const files = ['src', 'adapters'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
)

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

test.each(files)('%s imports only what it may', (file) => {
  const row = Object.keys(ALLOWED).find((prefix) => file.startsWith(prefix))
  expect(row, `${file} has no row`).toBeDefined()
  const forbidden = importsOf(file).filter((target) => !ALLOWED[row ?? '']?.some((prefix) => target.startsWith(prefix)))
  expect(forbidden).toEqual([])
})

test('no file imports itself through others', () => {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    else if (!done.has(file))
      for (const target of files.includes(file) ? importsOf(file) : []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) if (circles.length === 0) visit(file, [])
  expect(circles).toEqual([])
})

test('only main.ts reads the environment', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')))
  expect(readers).toEqual(['src/main.ts'])
})

describe('house rules', () => {
  test.each(files)('%s is one idea of at most 250 lines, told in its first line', (file) => {
    const source = readFileSync(file, 'utf8')
    expect(source.split('\n').length).toBeLessThanOrEqual(251)
    expect(source.startsWith('/**')).toBe(true)
  })
})
