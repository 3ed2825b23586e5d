/** What is put to the model, as files in prompts/: `{{placeholders}}` filled here, checked at the start. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Manner, readManner } from './preference/verbalize.ts'

/** The placeholders that each prompt must have, and no others. */
const PLACEHOLDERS = {
  persona: [],
  reply: ['persona', 'name', 'profile', 'style'],
  profile: ['name', 'lines'],
  earlier: ['earlier', 'question'],
  choose: ['actions', 'question'],
  acted: ['question', 'results'],
  summarise: ['name', 'said'],
  gradient: ['persona', 'question', 'reply', 'judged', 'simulated'],
  update: ['persona', 'advice'],
} as const

type Name = keyof typeof PLACEHOLDERS
type Values<N extends Name> = Readonly<Record<(typeof PLACEHOLDERS)[N][number], string>>

export interface Prompts {
  render<N extends Name>(name: N, values: Values<N>): string
  /** The sentences for each label. */
  readonly manner: Manner
  /** Changes with any of the files. */
  readonly version: string
}

const FOLDER = fileURLToPath(new URL('../prompts', import.meta.url))

/** Reads all prompts. Throws an Error naming the file when a placeholder or a row is missing or unknown. */
export function loadPrompts(folder: string = FOLDER): Prompts {
  const read = (name: string) => readFileSync(`${folder}/${name}.md`, 'utf8').trim()
  const names = Object.keys(PLACEHOLDERS) as Name[]
  const texts = new Map<Name, string>(names.map((name) => [name, checked(name, read(name))]))
  const style = read('style')
  const hash = createHash('sha256').update([...texts.values(), style].join('\0'))
  return {
    manner: readManner(style),
    version: hash.digest('hex').slice(0, 12),
    render: (name, values) => fill(texts.get(name) ?? '', values),
  }
}

function checked(name: Name, text: string): string {
  const wanted: readonly string[] = PLACEHOLDERS[name]
  const found = [...text.matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1] ?? '')
  for (const placeholder of wanted) {
    if (!found.includes(placeholder)) {
      throw new Error(`Expected prompts/${name}.md to contain {{${placeholder}}}, got a text without it`)
    }
  }
  for (const placeholder of found) {
    if (!wanted.includes(placeholder)) {
      throw new Error(`Expected prompts/${name}.md to contain ${listed(wanted)}, got {{${placeholder}}}`)
    }
  }
  return text
}

function listed(placeholders: readonly string[]): string {
  return placeholders.length === 0 ? 'no placeholders' : `only ${placeholders.map((name) => `{{${name}}}`).join(', ')}`
}

/** In one pass, so that a value that looks like a placeholder stays as it is. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(.*?)\}\}/g, (_, name: string) => values[name] ?? '').trim()
}
