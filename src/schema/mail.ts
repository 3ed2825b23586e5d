/**
 * The tables of accepted messages, of what was posted, and of what is done once. They stand alone: nothing else has to
 * exist for a message to be accepted.
 */

import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Json } from '../adapter.ts'
import { identity, time, workspaceId } from './columns.ts'

/** One row per conversation with accepted messages: its lock and its alarm clock. */
export const lanes = pgTable(
  'lanes',
  {
    workspaceId: workspaceId(),
    conversation: text('conversation').notNull(),
    platform: text('platform').notNull(),
    /** The home of the first waiting job. */
    home: text('home'),
    /** When the first waiting job may be taken; infinity: none waits. */
    dueAt: time('due_at').notNull(),
    /** The process that is at work on it. */
    holder: text('holder'),
    /** Counts claims; a process whose claim is no longer the last one changes nothing. */
    epoch: bigint('epoch', { mode: 'number' }).notNull().default(0),
    /** Claims since the last job that was finished: those that ended with the process, too. */
    attempts: integer('attempts').notNull().default(0),
    /** Of these, the ones that failed and were put off. */
    failures: integer('failures').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.conversation] }),
    index('lanes_due').on(t.platform, t.dueAt).where(sql`due_at < 'infinity'`),
  ],
)

/**
 * Accepted messages and ratings, and the ids of edits, removals and removed messages. A finished one keeps its id, so that
 * a second delivery is known, and nothing else.
 */
export const jobs = pgTable(
  'jobs',
  {
    workspaceId: workspaceId(),
    jobId: identity('job_id'),
    conversation: text('conversation').notNull(),
    messageId: text('message_id').notNull(),
    payload: jsonb('payload').$type<Json>(),
    /** The process whose screen the answer belongs on; null: any process of the platform may answer. */
    home: text('home'),
    state: text('state').$type<'ready' | 'done' | 'dead'>().notNull().default('ready'),
    acceptedAt: time('accepted_at').notNull().defaultNow(),
    /** When the words were last changed, as the platform tells; what was changed before that is no longer heard. */
    editedAt: time('edited_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.jobId] }),
    uniqueIndex('jobs_message').on(t.workspaceId, t.messageId),
    index('jobs_waiting').on(t.workspaceId, t.conversation, t.jobId).where(sql`state = 'ready'`),
  ],
)

/** Work that is done once in its slot, by the process that writes it down first. */
export const cronRuns = pgTable(
  'cron_runs',
  {
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    slot: text('slot').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.name, t.slot] })],
)

/** The posts of one reply on its way out, so that another process goes on where this one ended. */
export const posts = pgTable(
  'posts',
  {
    workspaceId: workspaceId(),
    /** The key of the draft: the message that is answered. */
    messageId: text('message_id').notNull(),
    /** From 0. */
    part: integer('part').notNull(),
    /** Null: begun, and not known to be there. */
    postId: text('post_id'),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.messageId, t.part] })],
)

/** What a platform keeps for a workspace that installed the bot: its tokens, encrypted. */
export const installations = pgTable('installations', {
  workspaceId: text('workspace_id').primaryKey(),
  sealed: text('sealed').notNull(),
  installedAt: time('installed_at').notNull(),
})
