/**
 * Measures recall for a person with many turns among many others': npm run bench:recall
 * One person's 6,000 turns lie scattered among `--rows` (100,000 embedded; 1,000,000 on the Postgres of DATABASE_URL), all with
 * vectors. With MODELS_DIR the time to embed the question is counted as well.
 */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { normalised } from '../src/embed/embedder.ts'
import { openEmbedder } from '../src/embed/open.ts'
import { type Embedded, scanning } from '../src/memory/candidates.ts'
import { recalledFrom, scanFor } from '../src/memory/episodes.ts'
import { middleOf } from '../src/store/backlog.ts'
import { type Database, type Queries, rowsOf } from '../src/store/database.ts'
import { createCrowd, SEED } from './own/crowd.ts'
import { embeddedPlace, type Place, serverPlace } from './own/places.ts'
import { quantile, rounded, type Target, targetLine } from './own/report.ts'
import { chance } from './pamu/random.ts'

const PERSON_TURNS = 6000
const SAMPLES = 1000
const DIMENSIONS = 384
const QUESTIONS = 200
const WARM_UP = 20
/** Most milliseconds at the database, and with the embedding of the question, in 95 questions of 100. */
const AT_DATABASE = { Postgres: 10, PGlite: 30 } as const
const IN_ALL = { Postgres: 25, PGlite: 45 } as const
const EMBEDDER = 'bench:384'
const WHO = { workspace: 'bench:recall', context: 'direct', author: { id: 'bench:one', name: 'One', isAdmin: false } }
const PERSON = { ...WHO, conversation: 'bench:recall:one' }

const { values: flags } = parseArgs({ options: { rows: { type: 'string' } } })
if (existsSync('.env')) process.loadEnvFile('.env')
const { writer } = createCrowd(SEED)
const by = chance(SEED)
const vector = () => normalised(Array.from({ length: DIMENSIONS }, () => by.uniform() - 0.5))
const texts = Array.from({ length: SAMPLES }, () => writer.message())
const vectors = texts.map(vector)

const modelsDir = process.env['MODELS_DIR']
const embedder = modelsDir === undefined ? null : await openReal(modelsDir)
const server = process.env['DATABASE_URL']
const targets: Target[] = []
await measure(server ? await serverPlace(server) : await embeddedPlace())
for (const target of targets) console.log(targetLine(target))
if (embedder === null) console.log('skipped the embedding of the question: MODELS_DIR is not set')
await embedder?.close()
process.exit(0)

async function measure(place: Place): Promise<void> {
  const rows = Number(flags.rows ?? (place.name === 'Postgres' ? 1_000_000 : 100_000))
  try {
    const database = await place.open('attune:bench')
    const started = performance.now()
    await fill(database, rows)
    const rate = (1000 * rows) / (performance.now() - started)
    console.log(
      `${place.name}: ${rows} turns, ${PERSON_TURNS} of them one person's; ${rounded(rate)} stored a second\n`,
    )
    await timeQuestions(place, database.queries, rows)
    await database.close()
  } finally {
    await place.remove()
  }
}

/** The person's turns at equal distances among those of a thousand others. */
async function fill({ queries }: Database, rows: number): Promise<void> {
  const every = Math.floor(rows / PERSON_TURNS)
  const said = JSON.stringify(
    texts.map((text, i) => ({ text, meaning: JSON.stringify(middleOf(vectors[i]!, vectors[i]!)) })),
  )
  await queries.execute(sql`CREATE TABLE samples AS SELECT row_number() OVER () - 1 AS n, text, meaning::halfvec AS meaning
    FROM jsonb_to_recordset(${said}::jsonb) AS sample(text text, meaning text)`)
  for (let from = 0; from < rows; from += 50_000) {
    await queries.execute(sql`
      INSERT INTO turns (workspace_id, person_id, conversation, context, message_ids, question, reply, post_ids, asked_at,
        answered_at, directive, shown, changes, recalled, actions, prompt_version, own_ms, model_ms, meaning, embedder)
      SELECT ${WHO.workspace}, who, ${`${WHO.workspace}:`} || split_part(who, ':', 2), 'direct', ARRAY['m' || i], text, text, ARRAY['p' || i],
        at, at, text, '{}', '[]', '[]', '[]', 'bench', 5, 900, meaning, ${EMBEDDER}
      FROM (SELECT i, CASE WHEN i % ${every} = 0 THEN ${WHO.author.id} ELSE 'bench:other' || i % 997 END AS who,
        now() - (${rows} - i) * interval '30 seconds' AS at
        FROM generate_series(${from}::int, ${Math.min(rows, from + 50_000) - 1}::int) AS i) AS turn
      JOIN samples ON samples.n = (i::bigint * 7919) % ${SAMPLES} ORDER BY i`)
  }
  await queries.execute(sql`VACUUM ANALYZE turns`)
}

async function timeQuestions(place: Place, queries: Queries, rows: number): Promise<void> {
  const atDatabase: number[] = []
  const inAll: number[] = []
  for (let i = 0; i < WARM_UP + QUESTIONS; i++) {
    const question = writer.message()
    const started = performance.now()
    if (embedder !== null) await embedder.embed([question], 'question')
    const asked: Embedded = { embedder: EMBEDDER, numbers: vectors[(i * 31) % SAMPLES]! }
    const embedded = performance.now()
    const scanned = await scanFor(queries, PERSON, question, asked)
    const afterScan = performance.now()
    await recalledFrom(queries, PERSON, question, scanned, { limit: 4, without: [], now: new Date() })
    if (i < WARM_UP) continue
    atDatabase.push(afterScan - embedded)
    inAll.push(performance.now() - started)
  }
  console.log(`ms (p50 / p95)  scan ${both(atDatabase)}, in all ${both(inAll)}`)
  const last: Embedded = { embedder: EMBEDDER, numbers: vectors[0]! }
  const plan = await rowsOf(queries, sql`EXPLAIN (ANALYZE, BUFFERS) ${scanning(PERSON, texts[0]!, last)}`)
  for (const line of plan) console.log(`  ${line['QUERY PLAN']}`)
  targets.push(
    {
      what: `${place.name}, ${rows} turns: the scan of 6000 of them, p95`,
      value: quantile(atDatabase, 0.95),
      unit: 'ms',
      bound: AT_DATABASE[place.name],
    },
    {
      what: `${place.name}, ${rows} turns: recall in all, p95`,
      value: quantile(inAll, 0.95),
      unit: 'ms',
      bound: IN_ALL[place.name],
    },
  )
}

function both(values: readonly number[]): string {
  return `${rounded(quantile(values, 0.5))} / ${rounded(quantile(values, 0.95))}`
}

async function openReal(folder: string) {
  return openEmbedder(
    { kind: 'minilm' },
    {
      modelsDir: folder,
      cacheDir: folder,
      ollamaHost: new URL('http://127.0.0.1:11434'),
      onProgress: () => {},
      signal: new AbortController().signal,
    },
  )
}
