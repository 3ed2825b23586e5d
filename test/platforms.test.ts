import { expect, test } from 'vitest'
import { type Platform, PlatformError } from '../src/adapter.ts'
import { runChats } from '../src/platforms.ts'
import { createScriptedBot, settled } from './fakes/scripted-bot.ts'
import { gate } from './gate.ts'

function platform(name: string, run: Platform['run']): Platform {
  const draft = { update() {}, finish: async () => [], abandon() {} }
  return { name, isLocal: false, run, open: () => draft }
}

function running(...platforms: readonly Platform[]) {
  const stopping = new AbortController()
  const told: string[] = []
  const ignore = () => {}
  const parts = {
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    tell: (sentence: string) => void told.push(sentence),
    signal: stopping.signal,
  }
  const bot = createScriptedBot(() => platforms[0]!)
  return { told, stop: () => stopping.abort(), run: runChats(platforms, bot, parts) }
}

const untilStopped: Platform['run'] = (_, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
const failing = (error: Error) => () => Promise.reject(error)

test('one that can’t run is told of in its own sentence, and the others go on', async () => {
  const refused = new PlatformError('Expected `SLACK_BOT_TOKEN` to be a token that Slack knows')
  const { told, stop, run } = running(
    platform('slack', failing(refused)),
    platform('discord', untilStopped),
    platform('terminal', failing(new TypeError('secret words'))),
  )
  let isOver = false
  void run.then(() => (isOver = true))
  await settled()
  expect(isOver).toBe(false)
  expect(told).toEqual([
    'Expected `SLACK_BOT_TOKEN` to be a token that Slack knows. discord and terminal go on.',
    'terminal ended with an error that I did not expect. discord goes on.',
  ])
  stop()
  await run
})

test('the last one ends all, with its error if it has one', async () => {
  const { open, opened } = gate()
  const broken = new PlatformError('Discord refused the token.')
  const late = async () => {
    await opened
    throw broken
  }
  const { told, run } = running(
    platform('terminal', async () => {}),
    platform('discord', late),
  )
  open()
  await expect(run).rejects.toBe(broken)
  expect(told).toEqual([])
})

test('what ends well ends well, and what fails while it is stopped does not count', async () => {
  await running(platform('terminal', async () => {})).run
  const cut: Platform['run'] = (bot, signal) =>
    untilStopped(bot, signal).then(() => Promise.reject(new Error('cut off')))
  const { stop, run } = running(platform('discord', cut))
  stop()
  await run
})
