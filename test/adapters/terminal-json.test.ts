/** JSON lines: objects in, one line for every turn, command, rating and mistake. */

import { expect, test } from 'vitest'
import { settled, until } from '../fakes/scripted-bot.ts'
import { createTerminalSet, NOW } from './terminal-set.ts'

const json = () => createTerminalSet({ mode: 'json' })

test('a turn is one line with exactly these fields in this order', async () => {
  const set = json()
  await set.say('hello\n')
  expect(set.printed()).toBe(
    '{"ids":[1],"as":"ana","channel":"direct","reply":"you said: hello","directive":"Be brief.",' +
      '"observed":{"tone":{"value":"warm","probabilities":{"warm":0.75}}},' +
      '"estimate":{"length":{"label":"short","value":0.25}},"events":[{"dimension":"length","kind":"jump"}],' +
      '"recalled":[{"at":"2026-01-01T00:00:00.000Z","text":"likes tea"}],"actions":["answer"],' +
      '"model":true,"ms":{"own":3,"model":40}}\n',
  )
})

test('an object says who speaks where, when and with which rights', async () => {
  const set = json()
  const line = {
    text: 'hi',
    as: 'bob',
    channel: 'general',
    workspace: 'acme',
    at: '2026-01-02T03:04:05+01:00',
    admin: false,
    id: 'm-7',
  }
  await set.say(JSON.stringify(line))
  expect(set.bot.received).toEqual([
    {
      id: 'terminal:acme:id:m-7',
      workspace: 'terminal:acme',
      conversation: 'terminal:acme:#general',
      context: 'terminal:acme:#general',
      author: { id: 'terminal:acme:bob', name: 'bob', isAdmin: false },
      text: 'hi',
      sentAt: new Date('2026-01-02T02:04:05Z'),
      destination: { message: 'terminal:acme:id:m-7', run: 'run1', id: 'm-7', as: 'bob', channel: 'general' },
    },
  ])
  expect(JSON.parse(set.printed())).toMatchObject({ ids: ['m-7'], as: 'bob', channel: 'general' })
})

test('what an object leaves out is as in a line of text', async () => {
  const set = json()
  await set.say('{"text":"hi"}\nhi\n')
  const [first, second] = set.bot.received
  expect({ ...first, id: '', destination: {} }).toEqual({ ...second, id: '', destination: {} })
  expect(first).toMatchObject({ id: 'terminal:home:run1:1', context: 'direct', sentAt: NOW, author: { isAdmin: true } })
})

test('messages that are answered together share one line with all their ids', async () => {
  const set = json()
  set.bot.hold()
  const run = set.say('one\n{"text":"two","id":"b"}\n\n{"text":"three","id":9}\nfour\n')
  await until(() => set.bot.received.length === 4)
  await set.bot.reply(set.bot.received, { reply: 'all' })
  await run
  expect(set.lines().map((line) => JSON.parse(line).ids)).toEqual([[1, 'b', 9, 5]])
})

test('a line that tells its time waits for all replies before it', async () => {
  const set = json()
  set.bot.hold()
  const at = '2026-01-02T03:04:05Z'
  const lines = [{ text: 'a1' }, { text: 'b1', channel: 'b' }, { text: 'a2', at }, { text: 'b2', channel: 'b', at }]
  const run = set.say(lines.map((line) => JSON.stringify(line)).join('\n'))
  const texts = () => set.bot.received.map(({ text }) => text)
  await until(() => set.bot.received.length === 2)
  await settled()
  expect(texts()).toEqual(['a1', 'b1'])
  await set.bot.reply(set.bot.received.slice(0, 1), { reply: 'a1' })
  await settled()
  expect(texts()).toEqual(['a1', 'b1'])
  await set.bot.reply(set.bot.received.slice(1), { reply: 'b1' })
  await until(() => set.bot.received.length === 3)
  await settled()
  expect(texts()).toEqual(['a1', 'b1', 'a2'])
  await set.bot.reply(set.bot.received.slice(2), { reply: 'a2' })
  await until(() => set.bot.received.length === 4)
  await set.bot.reply(set.bot.received.slice(3), { reply: 'b2' })
  await run
  expect(set.lines()).toHaveLength(4)
})

test('a repeated id is the same message and yields no second line', async () => {
  const set = json()
  await set.say('{"text":"hi","id":1}\n{"text":"hi","id":1}\n{"text":"hi","id":1,"at":"2026-01-02"}\n')
  expect(set.bot.received).toHaveLength(3)
  expect(set.lines()).toHaveLength(1)
})

test('a rating yields its own line, and null when it is taken back', async () => {
  const set = json()
  set.bot.hold()
  const run = set.say('+\n{"text":"-","as":"bob","id":"r"}\n')
  await until(() => set.bot.rated.length === 2)
  await set.bot.reply(set.bot.rated.slice(0, 1), { rated: 'up' })
  await set.bot.reply(set.bot.rated.slice(1), { rated: null })
  await run
  expect(set.printed()).toBe('{"ids":[1],"as":"ana","rated":"up"}\n{"ids":["r"],"as":"bob","rated":null}\n')
})

const OTHER_KEYS = 'Expected no other keys than `text`, `as`, `channel`, `workspace`, `at`, `admin`, `id`, got '
const TIME = 'Expected `at` to be a time like `2026-03-01T09:30:00Z`, got '
const NAME = 'a name of 1 to 80 characters on one line'

test.each([
  ['{broken', 'Expected a JSON object, got `{broken`'],
  [' {"text":"a"', 'Expected a JSON object, got ` {"text":"a"`'],
  ['{}', 'Expected `text` to be text that is not blank, got nothing'],
  ['{"text":" "}', 'Expected `text` to be text that is not blank, got `" "`'],
  ['{"text":7}', 'Expected `text` to be text that is not blank, got `7`'],
  ['{"text":"a","foo":1}', `${OTHER_KEYS}\`foo\``],
  ['{"text":"a","__proto__":{}}', `${OTHER_KEYS}\`__proto__\``],
  ['{"text":"a","as":""}', `Expected \`as\` to be ${NAME}, got \`""\``],
  ['{"text":"a","as":"x\\u0000"}', `Expected \`as\` to be ${NAME}, got \`"x\\u0000"\``],
  ['{"text":"a","as":"\\ud800"}', `Expected \`as\` to be ${NAME}, got \`"\\ud800"\``],
  ['{"text":"a","as":null}', `Expected \`as\` to be ${NAME}, got \`null\``],
  ['{"text":"a","channel":"#"}', `Expected \`channel\` to be \`direct\` or ${NAME}, got \`"#"\``],
  ['{"text":"a","workspace":"a:b"}', `Expected \`workspace\` to be ${NAME} without a colon, got \`"a:b"\``],
  ['{"text":"a","at":"yesterday"}', `${TIME}\`"yesterday"\``],
  ['{"text":"a","at":"2026-02-30T00:00:00Z"}', `${TIME}\`"2026-02-30T00:00:00Z"\``],
  ['{"text":"a","at":"2026-02-01T25:00:00Z"}', `${TIME}\`"2026-02-01T25:00:00Z"\``],
  ['{"text":"a","at":1767322800}', `${TIME}\`1767322800\``],
  ['{"text":"a","admin":"yes"}', 'Expected `admin` to be `true` or `false`, got `"yes"`'],
  ['{"text":"a","id":1e999}', `Expected \`id\` to be ${NAME} or a number, got \`null\``],
  ['{"text":"a","id":[1]}', `Expected \`id\` to be ${NAME} or a number, got \`[1]\``],
])('the wrong line %s is answered with what was expected, and the rest goes on', async (line, error) => {
  const set = json()
  await set.say(`\n${line}\nhello\n`)
  expect(JSON.parse(set.lines()[0] ?? '')).toEqual({ ids: [2], error })
  expect(JSON.parse(set.lines()[1] ?? '')).toMatchObject({ ids: [3], reply: 'you said: hello' })
  expect(set.lines()).toHaveLength(2)
})

test.each([
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02T03:04:05-0800', '2026-01-02T11:04:05.000Z'],
])('the time %s means %s', async (at, meant) => {
  const set = json()
  await set.say(JSON.stringify({ text: 'a', at }))
  expect(set.bot.received[0]?.sentAt.toISOString()).toBe(meant)
})

test('a line beyond the limit is answered with an error', async () => {
  const set = json()
  await set.say(`${'x'.repeat(4 * 1024 * 1024 + 1)}\nhello`)
  expect(set.lines()[0]).toBe('{"ids":[1],"error":"Expected a line of at most 4194304 characters, got more"}')
  expect(set.lines()).toHaveLength(2)
})

test('a reply keeps every character, those that steer a terminal as escapes', async () => {
  const set = json()
  set.bot.hold()
  const reply = '\u001b[31m\u009b2J\u202e\u2028\ud800é'
  const run = set.say('one')
  await until(() => set.bot.received.length === 1)
  await set.bot.reply(set.bot.received, { reply })
  await run
  expect(set.printed()).toMatch(/^[ -~é]*\n$/)
  expect(JSON.parse(set.printed()).reply).toBe(reply)
})

test('/quit ends the input, as text and in an object', async () => {
  for (const quit of ['/quit', '{"text":"/quit"}']) {
    const set = json()
    await set.say(`one\n${quit}\ntwo\n`)
    expect(set.bot.received.map(({ text }) => text)).toEqual(['one'])
  }
})

test('who writes faster than the bot answers is slowed down after a thousand lines', async () => {
  const set = json()
  set.bot.hold()
  const run = set.say('x\n'.repeat(1500))
  await until(() => set.bot.received.length >= 1000)
  await settled()
  expect(set.bot.received.length).toBeLessThan(1100)
  const messages = set.bot.received
  for (let next = 0; next < 1500; next += 1) {
    await until(() => messages.length > next)
    await set.bot.reply(messages.slice(next, next + 1), { reply: 'ok' })
  }
  await run
  expect(set.lines()).toHaveLength(1500)
})

test('a bot that cannot store a message fails the run', async () => {
  const set = json()
  set.bot.receive = () => Promise.reject(new Error('the database is gone'))
  await expect(set.say('one\ntwo\n')).rejects.toThrow('the database is gone')
})
