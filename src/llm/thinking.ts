/** Takes a model's thinking (`<think>…</think>`) out of its answer while it streams, wherever the chunks are cut. */

import { isInCode } from './sentences.ts'

const NAMES = ['think', 'thinking', 'thought']
const TAG = new RegExp(`^<(/?)(?:${NAMES.join('|')})\\s*>$`, 'i')

export interface ThinkingFilter {
  /** Takes the next chunk, gives the whole visible text so far. */
  push(chunk: string): string
  /** The whole visible text, now that no chunk follows. */
  end(): string
}

/**
 * A thought without an end runs to the end of the answer. If the first tag is one that closes, the model's template has
 * opened the thought itself, so all before it was thinking. A tag inside code is part of the answer, as is any other `<`.
 */
export function createThinkingFilter(): ThinkingFilter {
  let visible = ''
  let held = '' // from a `<` on, while it may become a tag
  let thinking = false
  let tags = 0

  const show = (text: string) => {
    if (!thinking) visible += text
  }

  const release = () => {
    const text = held
    held = ''
    const tag = TAG.exec(text)
    if (tag === null || (!thinking && isInCode(visible))) return show(text)
    const closes = tag[1] === '/'
    if (closes && tags === 0) visible = ''
    thinking = !closes
    tags += 1
  }

  const take = (char: string) => {
    if (held === '' && char !== '<') return show(char)
    if (char === '<') release()
    held += char
    if (!mayBecomeTag(held)) release()
  }

  return {
    push(chunk) {
      for (const char of chunk) take(char)
      return withoutBlankStart(visible)
    },
    end() {
      release()
      return withoutBlankStart(visible).trimEnd()
    },
  }
}

function mayBecomeTag(text: string): boolean {
  const [, letters, space] = /^<\/?([a-z]*)(\s*)$/i.exec(text) ?? []
  if (letters === undefined) return false
  return NAMES.some((name) => (space === '' ? name.startsWith(letters.toLowerCase()) : name === letters.toLowerCase()))
}

/** Four spaces of indentation stay: they are code. */
function withoutBlankStart(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').replace(/^ {1,3}(?=\S)/, '')
}
