import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/store/embedded.ts'
import { FolderBusy, lockFolder } from '../../src/store/folder-lock.ts'

let place: string
let folder: string
const children: ChildProcess[] = []
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'attune-lock-'))
  folder = join(place, 'data')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})

const HOLDER = `
  import { lockFolder } from './src/store/folder-lock.ts'
  const [folder = ''] = process.argv.slice(1)
  await lockFolder(folder).then(() => console.log('held'), (error) => console.log(error.message))
  setInterval(() => {}, 60_000)
`

/** Another process that locks the folder, and what it says of it. */
async function lockElsewhere(wanted: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', HOLDER, wanted], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data).trim()))
    child.once('exit', (code) => reject(new Error(`Expected the process to stay, it ended with ${code}`)))
  })
  return { child, said }
}

function killed(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  return ended
}

describe('a folder', () => {
  test('is made, with its parents, and can be locked again once it is released', async () => {
    const deep = join(place, 'a', 'b', 'data')
    const release = await lockFolder(deep)
    expect(existsSync(deep)).toBe(true)
    await expect(lockFolder(deep)).rejects.toThrow(FolderBusy)
    release()
    const again = await lockFolder(deep)
    again()
    expect(readdirSync(dirname(deep))).toEqual(['data'])
    expect(readdirSync(deep)).toEqual([])
  })

  test('is locked under all its names', async () => {
    const release = await lockFolder(folder)
    symlinkSync(folder, join(place, 'link'))
    await expect(lockFolder(join(place, 'link'))).rejects.toThrow(FolderBusy)
    await expect(lockFolder(`${place}/./data/`)).rejects.toThrow(FolderBusy)
    release()
  })

  test('beside another is locked apart from it', async () => {
    const releases = await Promise.all(['one', 'two'].map((name) => lockFolder(join(place, name))))
    for (const release of releases) release()
  })

  test('goes to one of many who want it at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
    const held = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(held).toHaveLength(1)
    held[0]?.()
  })

  test('with a path too long for a socket is locked all the same', async () => {
    const long = join(place, 'long-'.repeat(30), 'é'.repeat(60))
    const release = await lockFolder(long)
    await expect(lockFolder(long)).rejects.toThrow(FolderBusy)
    expect(readdirSync(dirname(long))).toHaveLength(1)
    release()
    const again = await lockFolder(long)
    again()
  })
})

describe('a second process', () => {
  test('is refused with the name of the first, and what to do', async () => {
    const release = await lockFolder(folder)
    const { said } = await lockElsewhere(folder)
    expect(said).toMatch(
      `The data folder ${folder} is in use by process ${process.pid} on ${hostname()}, since ${new Date().toISOString().slice(0, 10)}`,
    )
    expect(said).toMatch(/Z\. Stop that one, or set DATA_DIR to another folder or DATABASE_URL to a Postgres that both/)
    release()
  })

  test('that was killed leaves nothing that stops the next', async () => {
    const { child, said } = await lockElsewhere(folder)
    expect(said).toBe('held')
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${child.pid} on `)
    await killed(child)
    expect(existsSync(join(place, '.data.lock'))).toBe(true)
    const release = await lockFolder(folder)
    release()
    expect(readdirSync(place)).toEqual(['data'])
  })

  test('that was killed while it took over a place does not block it', async () => {
    const { child } = await lockElsewhere(folder)
    await killed(child)
    const mark = join(place, '.data.lock.taking')
    mkdirSync(mark)
    utimesSync(mark, new Date(0), new Date(0))
    const release = await lockFolder(folder)
    release()
    expect(readdirSync(place)).toEqual(['data'])
  })

  test('that was killed leaves its place to one of many', async () => {
    const { child } = await lockElsewhere(folder)
    await killed(child)
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(folder)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of tries) if (result.status === 'fulfilled') result.value()
  })
})

describe('an embedded database', () => {
  const sentence = (wanted: string) =>
    `Expected \`DATA_DIR\` to be a folder that I can write to and that holds my database, got \`${wanted}\` (`

  test('is not opened on a folder that is in use', async () => {
    const release = await lockFolder(folder)
    await expect(openEmbedded(folder, 'attune:test')).rejects.toThrow(`The data folder ${folder} is in use by process`)
    release()
  })

  test('is not opened on a file, and leaves it as it is', async () => {
    writeFileSync(folder, 'mine')
    await expect(openEmbedded(folder, 'attune:test')).rejects.toThrow(sentence(folder))
    expect(readdirSync(place)).toEqual(['data'])
  })

  test('is not opened below a file', async () => {
    writeFileSync(folder, 'mine')
    const below = join(folder, 'below')
    await expect(openEmbedded(below, 'attune:test')).rejects.toThrow(`${sentence(below)}ENOTDIR`)
  })

  test.skipIf(process.platform !== 'linux')('is not opened where nothing can be written', async () => {
    await expect(openEmbedded('/proc/attune', 'attune:test')).rejects.toThrow(`${sentence('/proc/attune')}ENOENT`)
  })

  test('is not opened on a folder of something else, which stays as it is and free', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'PG_VERSION'), 'nonsense')
    await expect(openEmbedded(folder, 'attune:test')).rejects.toThrow(sentence(folder))
    const release = await lockFolder(folder)
    release()
  })
})
