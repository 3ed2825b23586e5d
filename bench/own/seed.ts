/** Fills a database with stored turns as the bot itself would have left them: many rows a statement, nothing skipped. */

import { sql } from 'drizzle-orm'
import { type Followed, UNKNOWN } from '../../src/preference/contexts.ts'
import { type Learned, type Lesson, learn } from '../../src/preference/learn.ts'
import { PROFILES } from '../../src/preference/settings.ts'
import { directive, type Manner } from '../../src/preference/verbalize.ts'
import { type Database, type Queries, rowsOf } from '../../src/store/database.ts'
import { OVERALL } from '../../src/store/people.ts'
import { createCrowd, SEED, type Utterance, WORKSPACE } from './crowd.ts'

/** Rows a statement. */
const BATCH = 500
const FIRST_DAY = Date.UTC(2025, 0, 1)
/** Time between two messages of the whole crowd. */
const EVERY_MS = 5 * 60_000

export interface Seeder {
  /** Adds turns until so many are stored, and has the database gather its statistics. */
  growTo(turns: number): Promise<void>
}

interface Known {
  readonly name: string
  overall: Followed
  /** What is known in each context, and what is held there. */
  readonly contexts: Map<string, Pick<Learned, 'own' | 'held'>>
}

/** What one batch writes. */
interface Rows {
  readonly turns: object[]
  readonly observations: object[]
  readonly jobs: object[]
}

export function createSeeder({ queries }: Database, manner: Manner): Seeder {
  const crowd = createCrowd(SEED)
  const known = new Map<string, Known>()
  let said = 0

  function speak(rows: Rows): void {
    const utterance = crowd.next()
    const at = new Date(FIRST_DAY + said * EVERY_MS)
    const messageId = `${WORKSPACE}:seed:${said++}`
    const before = learnedBefore(known, utterance)
    const lesson = learn(before, utterance.evidence, PROFILES.adaptive, 'turn')
    remember(known, utterance, lesson)
    rows.turns.push(turnRow(utterance, lesson, { at, messageId, reply: crowd.writer.reply(), manner }))
    rows.observations.push(observationRow(utterance, before))
    rows.jobs.push({ message: messageId, conversation: utterance.conversation, at: at.toISOString() })
  }

  return {
    async growTo(turns) {
      let stored = Number((await rowsOf(queries, sql`SELECT count(*) AS count FROM turns`))[0]?.['count'])
      while (stored < turns) {
        const rows: Rows = { turns: [], observations: [], jobs: [] }
        const count = Math.min(BATCH, turns - stored)
        for (let i = 0; i < count; i++) speak(rows)
        await insert(queries, rows)
        stored += count
      }
      await saveEstimates(queries, known)
      await queries.execute(sql`VACUUM ANALYZE`)
    },
  }
}

function learnedBefore(known: Map<string, Known>, { person, context }: Utterance): Learned {
  const all = known.get(person)
  const here = all?.contexts.get(context)
  return { own: here?.own ?? UNKNOWN, overall: all?.overall ?? UNKNOWN, held: here?.held ?? {} }
}

function remember(known: Map<string, Known>, { person, name, context }: Utterance, { learned }: Lesson): void {
  const all = known.get(person) ?? { name, overall: UNKNOWN, contexts: new Map() }
  all.overall = learned.overall
  all.contexts.set(context, { own: learned.own, held: learned.held })
  known.set(person, all)
}

function turnRow(
  { person, conversation, context, text }: Utterance,
  lesson: Lesson,
  { at, messageId, reply, manner }: { at: Date; messageId: string; reply: string; manner: Manner },
): object {
  return {
    workspace_id: WORKSPACE,
    person_id: person,
    conversation,
    context,
    message_ids: [messageId],
    question: text,
    reply,
    notice: '',
    post_ids: [`post:${messageId}`],
    asked_at: at,
    answered_at: at,
    directive: directive(lesson.labels, manner),
    shown: lesson.shown,
    changes: lesson.events,
    recalled: [],
    actions: [],
    model: 'seed',
    prompt_version: 'seed',
    own_ms: 5,
    model_ms: 900,
  }
}

function observationRow({ person, context, evidence }: Utterance, before: Learned): object {
  const taught = Object.keys(evidence).length > 0
  return { person_id: person, context, evidence, before: taught ? before : null }
}

const TURN = sql.raw(`workspace_id, person_id, conversation, context, message_ids, question, reply, notice, post_ids,
  asked_at, answered_at, directive, shown, changes, recalled, actions, model, prompt_version, own_ms, model_ms`)

/** Turns, what was read from each, and their finished jobs; observations follow the order of the turns. */
async function insert(queries: Queries, { turns, observations, jobs }: Rows): Promise<void> {
  const ids = await rowsOf(
    queries,
    sql`INSERT INTO turns (${TURN}) SELECT ${TURN} FROM jsonb_populate_recordset(NULL::turns, ${JSON.stringify(turns)}::jsonb)
      RETURNING turn_id`,
  )
  const lines = observations.map((line, i) => ({ ...line, turn_id: ids[i]?.['turn_id'] }))
  await queries.execute(sql`
    INSERT INTO observations (workspace_id, person_id, context, kind, turn_id, evidence, before)
    SELECT ${WORKSPACE}, person_id, context, 'turn', turn_id, evidence, NULLIF(before, 'null')
    FROM jsonb_populate_recordset(NULL::observations, ${JSON.stringify(lines)}::jsonb)`)
  await queries.execute(sql`
    INSERT INTO jobs (workspace_id, conversation, message_id, state, accepted_at)
    SELECT ${WORKSPACE}, conversation, message, 'done', at
    FROM jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) AS job(message text, conversation text, at timestamptz)`)
}

/** People, their estimates and their lanes as they stand after the last turn. */
async function saveEstimates(queries: Queries, known: ReadonlyMap<string, Known>): Promise<void> {
  const people = [...known].map(([person_id, { name }]) => ({ person_id, name }))
  const rows = [...known].flatMap(([person_id, { overall, contexts }]) => [
    ...[...contexts].map(([context, { own, held }]) => ({ person_id, context, followed: own, held })),
    { person_id, context: OVERALL, followed: overall, held: {} },
  ])
  await queries.execute(sql`
    INSERT INTO people (workspace_id, person_id, name)
    SELECT ${WORKSPACE}, person_id, name FROM jsonb_populate_recordset(NULL::people, ${JSON.stringify(people)}::jsonb)
    ON CONFLICT DO NOTHING`)
  await queries.execute(sql`
    INSERT INTO estimates (workspace_id, person_id, context, followed, held)
    SELECT ${WORKSPACE}, person_id, context, followed, held
    FROM jsonb_populate_recordset(NULL::estimates, ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT (workspace_id, person_id, context) DO UPDATE SET followed = excluded.followed, held = excluded.held`)
  await queries.execute(sql`
    INSERT INTO lanes (workspace_id, conversation, platform, due_at)
    SELECT DISTINCT workspace_id, conversation, 'terminal', 'infinity'::timestamptz FROM turns ON CONFLICT DO NOTHING`)
}
