/** Slack's text: whom a post notifies, and the limits on what may be posted (rules S10 and S14). */

import { Refused } from './refused.ts'
import { type Data, type Post, textsOf } from './world.ts'

export interface Pings {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  /** `here`, `channel`, `everyone`. */
  readonly broadcasts: readonly string[]
}

/** Text longer than this is cut off. */
const TEXT = 40_000
/** `chat.update` refuses longer text. */
const UPDATED_TEXT = 4_000
const MARKDOWN = 12_000
/** All blocks of a message together; measured, not documented (bolt-js #2509). */
const ALL_BLOCKS = 13_200
const BLOCKS = 50

/** Who is notified. Slack unescapes `&lt;` only after it has looked for `<@U…>`, so an escaped mention is text. */
export function pingsOf(post: Pick<Post, 'text' | 'blocks'>): Pings {
  const tokens = [post.text, ...post.blocks.flatMap(parsedTextsOf)].flatMap((text) =>
    [...text.matchAll(/<([@!][^<>]+)>/g)].map(([, token = '']) => token.split('|')[0] ?? ''),
  )
  const of = (pattern: RegExp) => [...new Set(tokens.flatMap((token) => pattern.exec(token)?.[1] ?? []))]
  return {
    users: of(/^@([UW][A-Z0-9_]+)$/),
    groups: of(/^!subteam\^(\w+)$/),
    broadcasts: of(/^!(here|channel|everyone)$/),
  }
}

/** Texts in which Slack looks for mentions; `plain_text` it shows as it is. Rich text carries them as elements. */
function parsedTextsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(parsedTextsOf)
  if (typeof value !== 'object' || value === null) return []
  const node = new Map(Object.entries(value))
  const type = node.get('type')
  if (type === 'plain_text') return []
  if (type === 'user') return [`<@${node.get('user_id')}>`]
  if (type === 'broadcast') return [`<!${node.get('range')}>`]
  if (type === 'mrkdwn' || type === 'markdown') return [String(node.get('text'))]
  return [...node.values()].flatMap(parsedTextsOf)
}

/** The other way round of what a client must send: entities to characters, once. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

export interface Contents {
  readonly text: string
  readonly blocks: readonly Data[]
  readonly attachments: readonly Data[]
}

/**
 * Checks the words of `chat.postMessage`, `chat.postEphemeral` or `chat.update`.
 * @throws {Refused} `no_text`, `msg_too_long`, `markdown_text_conflict`, `invalid_blocks`, `msg_blocks_too_long`.
 */
export function contentsOf(args: Data, isUpdate = false): Contents {
  const text = typeof args['text'] === 'string' ? args['text'] : ''
  const markdown = typeof args['markdown_text'] === 'string' ? args['markdown_text'] : undefined
  const blocks = listOf(args['blocks'], 'invalid_blocks_format')
  const attachments = listOf(args['attachments'], 'invalid_attachments')
  if (markdown !== undefined && (text !== '' || blocks.length > 0)) throw new Refused('markdown_text_conflict')
  if (blocks.length + attachments.length === 0 && (markdown ?? text).trim() === '') throw new Refused('no_text')
  if (markdown !== undefined && markdown.length > MARKDOWN) throw new Refused('msg_too_long')
  if (isUpdate && text.length > UPDATED_TEXT) throw new Refused('msg_too_long')
  checkBlocks(blocks)
  // Markdown is kept as the block Slack makes of it.
  if (markdown !== undefined) return { text: markdown, blocks: [{ type: 'markdown', text: markdown }], attachments }
  return { text: text.slice(0, TEXT), blocks, attachments }
}

/** @throws {Refused} When it is given and not a list of objects. */
export function listOf(value: unknown, error: string): readonly Data[] {
  if (value === undefined || value === '') return []
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'object' || one === null)) throw new Refused(error)
  return value
}

/** Greatest lengths of the texts of each kind of block. */
const LENGTHS: Record<string, number> = { section: 3000, header: 150, context: 3000, markdown: MARKDOWN }

/** @throws {Refused} `invalid_blocks` with Slack's pointer at the fault, or `msg_blocks_too_long`. */
export function checkBlocks(blocks: readonly Data[], most = BLOCKS): void {
  if (blocks.length > most) throw invalid(`no more than ${most} items allowed`, '/blocks')
  for (const [index, block] of blocks.entries()) {
    const pointer = `/blocks/${index}`
    if (typeof block['type'] !== 'string') throw invalid('missing required field: type', pointer)
    if (['section', 'header', 'markdown'].includes(block['type'])) {
      const longest = LENGTHS[block['type']] ?? 0
      const texts = textsOf({ text: block['text'] })
      if (block['type'] !== 'section' && texts.join('') === '') throw invalid('must be more than 0 characters', pointer)
      if (texts.some((text) => text.length > longest))
        throw block['type'] === 'markdown'
          ? new Refused('msg_blocks_too_long')
          : invalid(`must be less than ${longest + 1} characters`, `${pointer}/text/text`)
    }
    if (block['type'] === 'actions' || block['type'] === 'context_actions') checkElements(block['elements'], pointer)
  }
  const all = blocks.flatMap((block) => textsOf(block)).reduce((sum, text) => sum + text.length, 0)
  if (all > ALL_BLOCKS) throw new Refused('msg_blocks_too_long')
}

function checkElements(elements: unknown, pointer: string): void {
  const list = listOf(elements, 'invalid_blocks')
  if (list.length === 0 || list.length > 25) throw invalid('must have from 1 to 25 elements', `${pointer}/elements`)
  const ids = list.flatMap(({ action_id: id }) => (typeof id === 'string' ? [id] : []))
  if (new Set(ids).size < ids.length) throw invalid('`action_id` already exists', `${pointer}/elements`)
  if (ids.some((id) => id.length > 255)) throw invalid('must be less than 256 characters', `${pointer}/elements`)
  for (const element of list) {
    if (element['type'] !== 'button') continue
    if (textsOf({ text: element['text'] }).some((text) => text.length > 75))
      throw invalid('must be less than 76 characters', `${pointer}/elements/text`)
    if (String(element['value'] ?? '').length > 2000)
      throw invalid('must be less than 2001 characters', `${pointer}/elements/value`)
  }
}

function invalid(what: string, pointer: string): Refused {
  return new Refused('invalid_blocks', {
    errors: [`${what} [json-pointer:${pointer}]`],
    response_metadata: { messages: [`[ERROR] ${what} [json-pointer:${pointer}]`] },
  })
}
