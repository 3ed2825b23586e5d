/** Somebody who writes to the bot and gives it commands, over a real database. */

import { eq } from 'drizzle-orm'
import { runCommand } from '../../src/commands.ts'
import type { Evidence } from '../../src/preference/analyser.ts'
import { DIMENSIONS, type Dimension, dimensions, type Partly } from '../../src/preference/dimensions.ts'
import { labelIndex } from '../../src/preference/labels.ts'
import { type Learned, learn } from '../../src/preference/learn.ts'
import { observations, turns } from '../../src/schema.ts'
import type { Database, Queries } from '../../src/store/database.ts'
import { addObservation } from '../../src/store/observations.ts'
import { holdPerson, loadKnown, loadLearned, saveLearned } from '../../src/store/people.ts'
import { settingsOf } from '../../src/workspace.ts'

/** A Friday. */
export const NOW = new Date('2025-11-14T12:00:00Z')

/** Version 0 of everybody, where the workspace has no other. */
export const PERSONA = 'You are a test.\n\n## When to use which action\n\n- Calculations: calculate.'

export interface Who {
  readonly workspace: string
  readonly person?: string
  readonly context?: string
  readonly conversation?: string
  readonly isAdmin?: boolean
}

export type Said = Partial<typeof turns.$inferInsert> & { readonly evidence?: Partly<Evidence> }

/** What was read of a scale, or of a category by its label. */
export function read(values: { readonly [D in Dimension]?: number | string }): Partly<Evidence> {
  return Object.fromEntries(
    dimensions.flatMap((dimension) => {
      const given = values[dimension]
      if (given === undefined) return []
      const labels: readonly string[] = DIMENSIONS[dimension].labels
      const value = typeof given === 'number' ? [given] : labels.map((label) => (label === given ? 1 : 0))
      const label = labels[labelIndex(value, DIMENSIONS[dimension], null, 0)]
      return [[dimension, { value, label, evidence: 'words', because: 'a key word' }]]
    }),
  )
}

export function createSpeaker(database: Database, who: Who) {
  const { workspace, person = 'test:ann', context = 'direct', conversation = context, isAdmin = false } = who
  const place = { workspace, context, conversation, author: { id: person, name: 'Ann', isAdmin } }
  const said = (text: string, now: Date) => ({
    ...place,
    id: `test:${text}`,
    text,
    sentAt: now,
    destination: {},
  })
  const transaction = <T>(work: (queries: Queries) => Promise<T>) => database.queries.transaction(work)
  return {
    place,
    command: (text: string, now = NOW) =>
      transaction((queries) => runCommand({ queries, message: said(text, now), now, persona: PERSONA })),
    known: () => loadKnown(database.queries, place, 0),
    learned: (): Promise<Learned> => loadLearned(database.queries, place),
    /** The log of what was learned in the workspace, oldest first. */
    log: () =>
      database.queries
        .select()
        .from(observations)
        .where(eq(observations.workspaceId, workspace))
        .orderBy(observations.observationId),
    /** What was noticed in each turn of the workspace, oldest first. */
    async changes() {
      const { changes, turnId, workspaceId } = turns
      const rows = await database.queries
        .select({ changes })
        .from(turns)
        .where(eq(workspaceId, workspace))
        .orderBy(turnId)
      return rows.map((row) => row.changes)
    },
    /** A turn, as the bot stores it; returns its id. */
    say: ({ evidence = {}, ...turn }: Said = {}) =>
      transaction(async (queries) => {
        await holdPerson(queries, place)
        const before = await loadLearned(queries, place)
        const { tuning } = await loadKnown(queries, place, 0)
        const lesson = learn(before, evidence, settingsOf(tuning), 'turn')
        await saveLearned(queries, place, lesson.learned)
        const turnId = await insertTurn(queries, place, { shown: lesson.shown, changes: lesson.events, ...turn })
        const taught = Object.keys(evidence).length > 0
        await addObservation(queries, place, turnId, {
          kind: 'turn',
          evidence,
          restored: null,
          before: taught ? before : null,
        })
        return turnId
      }),
  }
}

export type Speaker = ReturnType<typeof createSpeaker>

/** Says as much with each of these values of one dimension. */
export async function sayEach(speaker: Speaker, dimension: Dimension, values: readonly (number | string)[], at = NOW) {
  for (const value of values) await speaker.say({ evidence: read({ [dimension]: value }), askedAt: at })
}

export function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * 86_400_000)
}

/** Casual for a while, then formal: a jump and its confirmation. */
export async function becomeFormal(speaker: Speaker, at = NOW) {
  await sayEach(speaker, 'formality', [0.1, 0.12, 0.1, 0.11], daysAgo(20))
  await sayEach(speaker, 'formality', [0.9, 0.9], at)
}

/** The lines of the code block of a reply. */
export function tableOf(reply: string): readonly string[] {
  return reply.split('```')[1]?.split('\n').slice(1, -1) ?? []
}

export function rowOf(reply: string, name: string): string {
  return tableOf(reply).find((line) => line.startsWith(name)) ?? ''
}

async function insertTurn(queries: Queries, place: Speaker['place'], turn: Partial<typeof turns.$inferInsert>) {
  const [row] = await queries
    .insert(turns)
    .values({
      messageIds: [],
      question: 'How do I sort a list?',
      reply: 'With `sort`.',
      postIds: [],
      askedAt: NOW,
      answeredAt: NOW,
      directive: '',
      shown: {},
      changes: [],
      recalled: [],
      actions: [],
      model: 'small:1b',
      promptVersion: 'test',
      ownMs: 1,
      modelMs: 1,
      ...turn,
      workspaceId: place.workspace,
      personId: place.author.id,
      conversation: place.conversation,
      context: place.context,
    })
    .returning({ turnId: turns.turnId })
  return row!.turnId
}
