/**
 * The tables of what is known of people. Every key begins with the workspace, so that the same schema can be spread
 * over several databases.
 */

import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Json, Rating } from './adapter.ts'
import type { Evidence } from './preference/analyser.ts'
import type { Followed } from './preference/contexts.ts'
import type { Partly } from './preference/dimensions.ts'
import type { Learned, Restored } from './preference/learn.ts'
import type { Change, Shown } from './preference/person.ts'
import { identity, personId, time, workspaceId } from './schema/columns.ts'
import type { WorkspaceTuning } from './workspace.ts'

/** Vectors are kept and sent as whole numbers, in ten-thousandths: they are shorter, and read in a third of the time. */
export const MEANING_SCALE = 10_000
/** As many numbers as the embedder gives; which one it was is stored beside it. */
const halfVector = customType<{ data: readonly number[]; driverData: string }>({
  dataType: () => 'halfvec',
  toDriver: (numbers) => JSON.stringify(numbers),
  fromDriver: (text) => JSON.parse(text),
})
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const none = sql`'{}'::jsonb`

/** One row per Slack team, Discord guild or terminal workspace; holds only what differs from the defaults. */
export const workspaces = pgTable('workspaces', {
  workspaceId: text('workspace_id').primaryKey(),
  tuning: jsonb('tuning').$type<WorkspaceTuning>().notNull().default(none),
  /** When the bot was taken out of it; null: it is in. */
  leftAt: time('left_at'),
})

export const people = pgTable(
  'people',
  {
    workspaceId: workspaceId(),
    personId: personId(),
    name: text('name').notNull(),
    /** Labels that the person chose; they stand in for the estimate. */
    pins: jsonb('pins').$type<Partly<string>>().notNull().default(none),
    /** How often the person began anew; a turn that was under way then teaches nothing. */
    resets: integer('resets').notNull().default(0),
    /** Turns up to this one no longer count in what is shown of the past. */
    resetAfter: bigint('reset_after', { mode: 'number' }).notNull().default(0),
    /** Answered, but nothing is learned or stored. */
    isPaused: boolean('is_paused').notNull().default(false),
    /** The platform's, such as `Europe/Berlin`; null: the workspace's. */
    timezone: text('timezone'),
    /** Turns up to this one have been looked through for the profile. */
    summarisedUpTo: bigint('summarised_up_to', { mode: 'number' }).notNull().default(0),
    /** Whether their persona may be rewritten at night; not after they wrote it themselves. */
    isPersonaAuto: boolean('is_persona_auto').notNull().default(true),
    /** When the newest signal was given that the last attempt to improve their persona knew, in milliseconds since 1970. */
    attemptedUpTo: bigint('attempted_up_to', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.personId] })],
)

/** What is known of a person in one context, and in `*`, over all contexts. */
export const estimates = pgTable(
  'estimates',
  {
    workspaceId: workspaceId(),
    personId: personId(),
    context: text('context').notNull(),
    followed: jsonb('followed').$type<Followed>().notNull(),
    /** Dimensions in which an undo keeps detection away, and for how many turns yet. */
    held: jsonb('held').$type<Partly<number>>().notNull().default(none),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.personId, t.context] })],
)

/** The record of a turn: what was asked, what was answered, and why it was answered that way. */
export const turns = pgTable(
  'turns',
  {
    workspaceId: workspaceId(),
    turnId: identity('turn_id'),
    personId: personId(),
    conversation: text('conversation').notNull(),
    context: text('context').notNull(),
    messageIds: text('message_ids').array().notNull(),
    question: text('question').notNull(),
    /** How many characters of the question each message is; between them is a line break. Empty: there is one message. */
    lengths: integer('lengths').array().notNull().default(sql`'{}'`),
    reply: text('reply').notNull(),
    /** What the bot added to the model's words: a change that it noticed. */
    notice: text('notice').notNull().default(''),
    postIds: text('post_ids').array().notNull(),
    askedAt: time('asked_at').notNull(),
    answeredAt: time('answered_at').notNull(),
    directive: text('directive').notNull(),
    /** Labels and values that were shown to the model, after this turn's observation. */
    shown: jsonb('shown').$type<Partly<Shown>>().notNull(),
    changes: jsonb('changes').$type<readonly Change[]>().notNull(),
    recalled: jsonb('recalled').$type<readonly { at: string; text: string }[]>().notNull(),
    actions: jsonb('actions').$type<readonly Json[]>().notNull(),
    /** Null when no model answered. */
    model: text('model'),
    promptVersion: text('prompt_version').notNull(),
    ownMs: doublePrecision('own_ms').notNull(),
    modelMs: doublePrecision('model_ms').notNull(),
    /** Who said it, where it was not the person: in conversations brought from elsewhere. */
    speaker: text('speaker'),
    /** When what it tells of happened, where its words name a time. */
    happenedFrom: time('happened_from'),
    happenedTo: time('happened_to'),
    /** The middle of two vectors of length 1: of the question alone, and of it between its neighbours. Null until it is made. */
    meaning: halfVector('meaning'),
    /** The embedder that made it; those of different ones are not compared. */
    embedder: text('embedder'),
    /** What recall scans, narrow enough for its index: `src/memory/trace.ts` reads it. */
    trace: bytes('trace').generatedAlwaysAs(sql`attune_trace(turn_id, asked_at, conversation, question)`),
    isDirect: boolean('is_direct').generatedAlwaysAs(sql`context = 'direct'`),
    talk: integer('talk').generatedAlwaysAs(sql`hashtext(conversation)`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.turnId] }),
    index('turns_conversation').on(t.workspaceId, t.conversation, t.personId, t.turnId),
    index('turns_backlog').on(t.turnId).where(sql`meaning IS NULL`),
    index('turns_messages').using('gin', t.messageIds),
    index('turns_posts').using('gin', t.postIds),
  ],
)

/** The log from which every estimate can be told again: what was read from a turn or a rating, and what was undone. */
export const observations = pgTable(
  'observations',
  {
    workspaceId: workspaceId(),
    observationId: identity('observation_id'),
    personId: personId(),
    context: text('context').notNull(),
    kind: text('kind').$type<'turn' | 'rating' | 'undo'>().notNull(),
    turnId: bigint('turn_id', { mode: 'number' }).notNull(),
    evidence: jsonb('evidence').$type<Partly<Evidence>>().notNull(),
    /** What was known before; null where nothing was read. */
    before: jsonb('before').$type<Learned>(),
    /** Only of an undo: what it put back. */
    restored: jsonb('restored').$type<Restored>(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.observationId] }),
    index('observations_person').on(t.workspaceId, t.personId, t.observationId),
    uniqueIndex('observations_turn').on(t.workspaceId, t.turnId, t.kind),
  ],
)

/** What is known about a person, a short line each, with the turns that it rests on. */
export const profileLines = pgTable(
  'profile_lines',
  {
    workspaceId: workspaceId(),
    lineId: identity('line_id'),
    personId: personId(),
    text: text('text').notNull(),
    turnIds: bigint('turn_ids', { mode: 'number' }).array().notNull(),
    learnedAt: time('learned_at').notNull(),
    /** When it stopped being true; null: it is. */
    validUntil: time('valid_until'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.lineId] }),
    index('profile_lines_person').on(t.workspaceId, t.personId, t.lineId),
  ],
)

export const ratings = pgTable(
  'ratings',
  {
    workspaceId: workspaceId(),
    turnId: bigint('turn_id', { mode: 'number' }).notNull(),
    personId: personId(),
    rating: text('rating').$type<Rating['rating']>().notNull(),
    ratedAt: time('rated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.turnId, t.personId] })],
)

/** What the next message said of a reply without a rating. */
export type SignalKind = 'correction' | 'asked-again' | 'thanks'

/** At most one of a kind to a turn: the one whose reply it judges. */
export const signals = pgTable(
  'signals',
  {
    workspaceId: workspaceId(),
    signalId: identity('signal_id'),
    personId: personId(),
    turnId: bigint('turn_id', { mode: 'number' }).notNull(),
    kind: text('kind').$type<SignalKind>().notNull(),
    /** The turn that said so. */
    saidIn: bigint('said_in', { mode: 'number' }).notNull(),
    saidAt: time('said_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.signalId] }),
    uniqueIndex('signals_turn').on(t.workspaceId, t.turnId, t.kind),
    index('signals_person').on(t.workspaceId, t.personId, t.signalId),
  ],
)

/** Why there is a version: rewritten at night, written by the person, made current again by them, or by the watch. */
export type PersonaReason = 'improved' | 'edited' | 'used' | 'undone' | 'returned'

/** Versions of a person's own prompt, from 1; the highest is in force, and 0 is what the workspace starts people from. */
export const personas = pgTable(
  'personas',
  {
    workspaceId: workspaceId(),
    personId: personId(),
    version: integer('version').notNull(),
    text: text('text').notNull(),
    reason: text('reason').$type<PersonaReason>().notNull(),
    /** The version whose text it took, where it took one. */
    of: integer('of'),
    /** The turns that it rests on. */
    turnIds: bigint('turn_ids', { mode: 'number' }).array().notNull(),
    /** Mean gain on the turns held out, from -1 to 1; null where nothing was compared. */
    score: doublePrecision('score'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.personId, t.version] })],
)
