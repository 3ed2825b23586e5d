/** A reply as Slack shows it: Markdown translated, split into posts, with buttons to rate it. */

import type { types } from '@slack/bolt'
import type { Reply } from '../../src/adapter.ts'
import { toMrkdwn } from '../mrkdwn.ts'
import { split } from '../text.ts'

/** One post. */
export interface Content {
  readonly text: string
  readonly blocks: readonly types.KnownBlock[]
}

/** The action of the buttons under a reply. */
export const RATE = 'rate'

/** Characters: Slack advises to stay below 4,000 in a post, and allows 3,000 in a section. */
const POST = 3_800
const SECTION = 3_000

/** The posts of a reply; none when it is blank. All blocks of a post together stay far below 12,000 characters. */
export function contentsOf({ text, isRatable = false }: Reply): Content[] {
  const posts = split(toMrkdwn(text), POST)
  return posts.map((text, n) => ({
    text,
    blocks: isRatable && n === posts.length - 1 ? [...split(text, SECTION).map(section), BUTTONS] : [],
  }))
}

/** The beginning of a reply that is still being written; null while there is nothing to see. */
export function previewOf(text: string): Content | null {
  const [first, second] = split(toMrkdwn(text), POST)
  if (first === undefined) return null
  return { text: second === undefined ? first : `${first}\n…`, blocks: [] }
}

export function isSame(a: Content, b: Content): boolean {
  return a.text === b.text && JSON.stringify(a.blocks) === JSON.stringify(b.blocks)
}

function section(text: string): types.KnownBlock {
  return { type: 'section', expand: true, text: { type: 'mrkdwn', text, verbatim: true } }
}

const BUTTONS: types.KnownBlock = {
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: RATE,
      positive_button: { text: { type: 'plain_text', text: 'Good' }, value: 'up', accessibility_label: 'A good reply' },
      negative_button: { text: { type: 'plain_text', text: 'Bad' }, value: 'down', accessibility_label: 'A bad reply' },
    },
  ],
}
