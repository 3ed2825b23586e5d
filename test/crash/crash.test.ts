import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Step } from '../../src/parts.ts'
import { rowsOf } from '../../src/store/database.ts'
import { newDatabase } from '../database.ts'

let place: Awaited<ReturnType<typeof newDatabase>>
let folder: string
beforeAll(async () => {
  place = await newDatabase()
  folder = await mkdtemp(join(tmpdir(), 'attune-crash-'))
  await (await place.open('attune:first')).close()
})
afterAll(async () => {
  await place.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Where the process dies: every step, early and late. */
const STEPS: readonly Step[] = [
  'accepted',
  'claimed',
  'analysed',
  'recalled',
  'streaming',
  'answered',
  'posted',
  'stored',
]
const KILLS = 30

test(`${KILLS} kills at every step lose nothing and answer nothing twice`, async () => {
  const output = join(folder, 'output')
  const environment = { ...process.env, ...place.env }
  for (let round = 0; round < KILLS; round++) {
    const step = STEPS[round % STEPS.length] ?? 'stored'
    const count = 1 + (Math.floor(round / STEPS.length) % 3)
    expect(await run([step, String(count), output, String(round)], environment), `${step} ${count}`).toBe(true)
  }
  expect(await run(['none', '0', output, String(KILLS)], environment)).toBe(false)

  const database = await place.open('attune:check')
  const answered = await rowsOf(
    database.queries,
    sql`SELECT id, count(*)::int AS times FROM turns, unnest(message_ids) AS id GROUP BY id ORDER BY id`,
  )
  const questions = ['ana', 'ben', 'cleo'].flatMap((name) =>
    Array.from({ length: KILLS + 1 }, (_, index) => index)
      .filter((index) => index % 5 !== 2)
      .map((index) => `crash:W:${name}:${index}`),
  )
  expect(answered).toEqual(questions.toSorted().map((id) => ({ id, times: 1 })))
  expect(await rowsOf(database.queries, sql`SELECT 1 FROM jobs WHERE state <> 'done'`)).toEqual([])
  expect(
    await rowsOf(database.queries, sql`SELECT 1 FROM lanes WHERE holder IS NOT NULL OR due_at < 'infinity'`),
  ).toEqual([])
  const learned = await rowsOf(
    database.queries,
    sql`SELECT (followed->'accepted'->>'length')::int AS lengths FROM estimates WHERE context = 'direct'`,
  )
  // One request for short replies a round of five, whether it was answered alone or together with others.
  for (const { lengths } of learned) expect(lengths).toBeGreaterThan(0)
  expect(learned).toHaveLength(3)
  await database.close()

  const printed = readFileSync(output, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).key)
  expect(new Set(printed).size).toBe(printed.length)
}, 600_000)

/** Whether the process was killed; anything but that or a clean end is an error. */
function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/crash/child.ts', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true)
      else if (code === 0) resolve(false)
      else
        reject(new Error(`Expected the process to be killed or to end well, got exit code ${code}, signal ${signal}`))
    })
  })
}
