/** A conversation as the episodes of one person: every turn of both speakers, with its vectors and the time it tells of. */

import { sql } from 'drizzle-orm'
import { eventTime } from '../../src/memory/dates.ts'
import { turns } from '../../src/schema.ts'
import { middleOf } from '../../src/store/backlog.ts'
import type { Queries } from '../../src/store/database.ts'
import type { Place } from '../../src/store/people.ts'
import type { Conversation, Said } from './data.ts'
import { EMBEDDER, type Embed } from './embed.ts'

const WORKSPACE = 'bench:locomo'
const BATCH = 200
const TIMEZONE = 'UTC'

export interface Stored {
  readonly place: Place
  /** The turn's id in the file, by its number in the database. */
  readonly ids: ReadonlyMap<number, string>
}

export async function storeConversation(queries: Queries, conversation: Conversation, embed: Embed): Promise<Stored> {
  const { said } = conversation
  const own = await embed(said.map(({ text }) => text))
  const around = await embed(said.map((_, i) => surroundingsOf(said, i)))
  const place: Place = {
    workspace: WORKSPACE,
    context: 'direct',
    conversation: `${WORKSPACE}:${conversation.id}`,
    author: { id: `${WORKSPACE}:${conversation.id}`, name: conversation.speakers[0], isAdmin: false },
  }
  const ids = new Map<number, string>()
  for (let start = 0; start < said.length; start += BATCH) {
    const batch = said.slice(start, start + BATCH)
    const rows = await queries
      .insert(turns)
      .values(batch.map((one, i) => rowOf(place, one, own[start + i]!, around[start + i]!)))
      .returning({ turnId: turns.turnId })
    rows.forEach(({ turnId }, i) => void ids.set(turnId, batch[i]!.id))
  }
  await queries.execute(sql`ANALYZE turns`)
  return { place, ids }
}

/** The turn between the one before and the one after it in its session. */
export function surroundingsOf(said: readonly Said[], index: number): string {
  const session = sessionOf(said[index]!.id)
  return said
    .slice(Math.max(0, index - 1), index + 2)
    .filter(({ id }) => sessionOf(id) === session)
    .map(({ text }) => text)
    .join('\n')
}

export function sessionOf(id: string): string {
  return id.split(':')[0]!
}

function rowOf(place: Place, said: Said, embedding: readonly number[], surroundings: readonly number[]) {
  const happened = eventTime(said.text, said.at, TIMEZONE)
  return {
    workspaceId: place.workspace,
    personId: place.author.id,
    conversation: place.conversation,
    context: place.context,
    messageIds: [said.id],
    question: said.text,
    reply: '',
    postIds: [],
    askedAt: said.at,
    answeredAt: said.at,
    directive: '',
    shown: {},
    changes: [],
    recalled: [],
    actions: [],
    model: null,
    promptVersion: 'bench',
    ownMs: 0,
    modelMs: 0,
    speaker: said.speaker,
    happenedFrom: happened?.from ?? null,
    happenedTo: happened?.to ?? null,
    meaning: middleOf(embedding, surroundings),
    embedder: EMBEDDER,
  }
}
