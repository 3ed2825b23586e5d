import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPrompts } from '../src/prompts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attune-prompts-'))
  cpSync('prompts', folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Loads the prompts with a change to one of them alone. */
function withChanged(name: string, change: (text: string) => string) {
  cpSync('prompts', folder, { recursive: true })
  const file = join(folder, `${name}.md`)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return loadPrompts(folder)
}

const without = (line: string) => (text: string) =>
  text
    .split('\n')
    .filter((known) => !known.startsWith(line))
    .join('\n')

describe('a prompt', () => {
  test('without one of its placeholders is refused by name', () => {
    expect(() => withChanged('reply', (text) => text.replace('{{style}}', ''))).toThrow(
      'Expected prompts/reply.md to contain {{style}}, got a text without it',
    )
    expect(() => withChanged('earlier', () => '{{earlier}}')).toThrow(
      'Expected prompts/earlier.md to contain {{question}}, got a text without it',
    )
  })

  test('with an unknown placeholder is refused with the known ones', () => {
    expect(() => withChanged('reply', (text) => `${text} {{nmae}}`)).toThrow(
      'Expected prompts/reply.md to contain only {{persona}}, {{name}}, {{profile}}, {{style}}, got {{nmae}}',
    )
    expect(() => withChanged('persona', (text) => `${text} {{name}}`)).toThrow(
      'Expected prompts/persona.md to contain no placeholders, got {{name}}',
    )
    expect(() => withChanged('reply', (text) => text.replace('{{style}}', '{{style}} {{ style }}'))).toThrow(
      'got {{ style }}',
    )
  })

  test('that is not there is refused', () => {
    rmSync(join(folder, 'earlier.md'))
    expect(() => loadPrompts(folder)).toThrow(/ENOENT.*earlier\.md/)
  })

  test('is filled in one pass: a value that looks like a placeholder or a pattern stays as it is', () => {
    const prompts = withChanged('reply', () => '{{persona}}|{{name}}|{{name}}|{{profile}}|{{style}}')
    expect(prompts.render('reply', { persona: '{{name}}', name: '{{style}}$&$1', profile: '', style: '$`' })).toBe(
      '{{name}}|{{style}}$&$1|{{style}}$&$1||$`',
    )
  })

  test('has no blanks at its ends, whatever its values are', () => {
    expect(
      withChanged('reply', (text) => `\n${text}\n\n`).render('reply', {
        persona: '',
        name: 'Ana',
        profile: '',
        style: '',
      }),
    ).toBe(loadPrompts().render('reply', { persona: '', name: 'Ana', profile: '', style: '' }))
    expect(loadPrompts().render('earlier', { earlier: 'x', question: 'Why? \n' })).toBe(
      '<earlier>\nx\n</earlier>\n\nWhy?',
    )
  })
})

describe('the table of words', () => {
  test('without a row is refused with the label that has none', () => {
    expect(() => withChanged('style', without('| tone | blunt |'))).toThrow(
      'Expected prompts/style.md to have a sentence and a change for `tone blunt`, got none',
    )
  })

  test('with an empty sentence or an empty change is refused as well', () => {
    const emptied = [
      '| tone | blunt | | be more direct |',
      '| tone | blunt | Be direct. | |',
      '| tone | blunt | Be direct. |',
    ]
    for (const row of emptied) {
      expect(() => withChanged('style', (text) => `${without('| tone | blunt |')(text)}\n${row}`)).toThrow(
        'Expected prompts/style.md to have a sentence and a change for `tone blunt`, got none',
      )
    }
  })

  test('with an unknown label or dimension is refused with both words', () => {
    expect(() => withChanged('style', (text) => `${text}| tone | brief | Be. | be |\n`)).toThrow(
      'Expected each row of prompts/style.md to name a dimension and its label, got `tone brief`',
    )
    expect(() => withChanged('style', (text) => `${text}| mood | sad | Be. | be |\n`)).toThrow('got `mood sad`')
    expect(() => withChanged('style', (text) => `${text}| constructor | name | Be. | be |\n`)).toThrow(
      'got `constructor name`',
    )
  })

  test('may be laid out as an editor does it, and have other line ends', () => {
    const laidOut = (text: string) => text.replace('|---|---|---|---|', '| :--- | --- | --- | --- |')
    expect(withChanged('style', (text) => laidOut(text).replaceAll('\n', '\r\n')).manner).toEqual(loadPrompts().manner)
  })
})

describe('the version', () => {
  test('is the same for the same texts', () => {
    expect(loadPrompts(folder).version).toBe(loadPrompts().version)
    expect(loadPrompts().version).toMatch(/^[0-9a-f]{12}$/)
  })

  test.each(['persona', 'reply', 'earlier', 'style'])('changes with %s.md', (name) => {
    const { version } = loadPrompts(folder)
    expect(withChanged(name, (text) => text.replace(/[aeiou](?=[a-z]+ [a-z]+)|<earlier>/, 'X')).version).not.toBe(
      version,
    )
  })
})
