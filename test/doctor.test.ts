import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockFolder } from '../src/store/folder-lock.ts'
import { type FakeOllama, startOllama } from './fakes/ollama.ts'
import { startSlack } from './fakes/slack.ts'

let folder = ''
let ollama: FakeOllama
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-doctor-'))
  ollama = await startOllama({ models: ['there'] })
})
afterAll(async () => {
  await ollama.close()
  await rm(folder, { recursive: true, force: true })
})

/** What it prints, and how it ends, under these settings. */
function doctor(settings: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> {
  const env = { ...process.env, DATABASE_URL: '', EMBEDDER: 'none', ...settings }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'scripts/doctor.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

describe('the doctor', () => {
  test('says what is well and what the first start will have, and ends with 0', async () => {
    const data = join(folder, 'new', 'data')
    const { code, text } = await doctor({ DATA_DIR: data, OLLAMA_HOST: ollama.host.href, OLLAMA_MODEL: 'there' })
    expect(text.trim().split('\n')).toEqual([
      `ok    Node: ${process.version}`,
      'ok    Settings: each is understood',
      `later Database: ${data} is made at the first start`,
      `ok    Ollama: ${ollama.host.href}`,
      'ok    Model: there',
      'ok    Sentence model: none wanted: recall goes by words alone',
    ])
    expect(code).toBe(0)
    const other = await doctor({ DATA_DIR: data, OLLAMA_HOST: ollama.host.href, OLLAMA_MODEL: 'elsewhere' })
    expect(other.text).toContain('later Model: elsewhere is pulled at the start')
    expect(other.code).toBe(0)
  })

  test('names every wrong setting and looks no further', async () => {
    const { code, text } = await doctor({ CONCURRENCY: 'many', OLLAMA_CONTEXT: '1' })
    expect(text).toContain('WRONG Settings: Expected `CONCURRENCY` to be a whole number from 1 to 64, got `many`')
    expect(text).toContain('WRONG Settings: Expected `OLLAMA_CONTEXT` to be')
    expect(text).not.toContain('Database')
    expect(code).toBe(1)
  })

  test('tells a folder of something else from one that the bot is at work in', async () => {
    const [foreign, busy] = [join(folder, 'foreign'), join(folder, 'busy')]
    await mkdir(foreign)
    await writeFile(join(foreign, 'letter.txt'), 'dear all')
    const unlock = await lockFolder(busy)
    const settings = { OLLAMA_HOST: ollama.host.href, OLLAMA_MODEL: 'there' }
    const other = await doctor({ ...settings, DATA_DIR: foreign })
    expect(other.text).toContain('WRONG Database: Expected `DATA_DIR` to hold my database or nothing')
    expect(other.code).toBe(1)
    const working = await doctor({ ...settings, DATA_DIR: busy })
    expect(working.text).toMatch(/ok {4}Database: embedded, in .*busy, in use: .*process \d+/)
    expect(working.code).toBe(0)
    unlock()
  })

  test('says how to start what does not answer, and gives away no password', async () => {
    const { code, text } = await doctor({
      DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none',
      OLLAMA_HOST: 'http://127.0.0.1:1',
    })
    expect(text).toMatch(/WRONG Database: .*Check the address, the password and that the server runs\./)
    expect(text).toContain('start it with `ollama serve`, or set OLLAMA_HOST.')
    expect(text).not.toContain('secret')
    expect(code).toBe(1)
  })

  test('asks Slack about its tokens, and says what to change', async () => {
    const slack = await startSlack()
    const settings = {
      DATA_DIR: join(folder, 'slack', 'data'),
      OLLAMA_HOST: ollama.host.href,
      OLLAMA_MODEL: 'there',
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
    }
    slack.scopes.delete('files:read')
    const well = await doctor(settings)
    expect(well.text).toMatch(/^ok {4}Slack: \S+ in Acme$/m)
    expect(well.text).toContain('later Slack: `files:read`: without this scope the bot does not do: reading files')
    expect(well.text).toContain('ok    Slack: sockets can be opened')
    expect(well.code).toBe(0)
    slack.revoke('app')
    const revoked = await doctor(settings)
    expect(revoked.text).toContain('WRONG Slack: Slack refused `SLACK_APP_TOKEN`')
    expect(revoked.text).not.toContain(slack.appToken)
    expect(revoked.code).toBe(1)
    const half = await doctor({ ...settings, SLACK_APP_TOKEN: '' })
    expect(half.text).toContain('`SLACK_APP_TOKEN`')
    expect(half.code).toBe(1)
    await slack.close()
  })
})
