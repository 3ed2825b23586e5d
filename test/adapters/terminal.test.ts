/** Lines through a pipe: each gets its reply, and nothing else is printed. */

import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { NO_POSTS, settled, until } from '../fakes/scripted-bot.ts'
import { createTerminalSet, NOW } from './terminal-set.ts'

test('each line is a message and each reply is printed, nothing else', async () => {
  const set = createTerminalSet()
  await set.say('hello\n\n   \nhow are you?\r\nlast without an end')
  expect(set.printed()).toBe('you said: hello\nyou said: how are you?\nyou said: last without an end\n')
  expect(set.noticed()).toBe('')
})

test('a message carries ids that begin with the terminal and its workspace', async () => {
  const set = createTerminalSet()
  await set.say('\nhello\n')
  expect(set.bot.received).toEqual([
    {
      id: 'terminal:home:run1:2',
      workspace: 'terminal:home',
      conversation: 'terminal:home:direct:ana',
      context: 'direct',
      author: { id: 'terminal:home:ana', name: 'ana', isAdmin: true },
      text: 'hello',
      sentAt: NOW,
      destination: { message: 'terminal:home:run1:2', run: 'run1', id: 2, as: 'ana', channel: 'direct' },
    },
  ])
})

test('the next line is handed only after the reply to the line before', async () => {
  const set = createTerminalSet()
  set.bot.hold()
  const run = set.say('one\ntwo\n')
  await until(() => set.bot.received.length === 1)
  await settled()
  expect(set.bot.received).toHaveLength(1)
  await set.bot.reply(set.bot.received, { reply: 'first' })
  await until(() => set.bot.received.length === 2)
  expect(set.printed()).toBe('first\n')
  await set.bot.reply(set.bot.received.slice(1), { reply: 'second' })
  await run
  expect(set.printed()).toBe('first\nsecond\n')
})

test('a reply is printed when its turn is stored, not sooner', async () => {
  const set = createTerminalSet()
  const draft = set.terminal.open(
    [{ id: 1, as: 'ana', channel: 'direct', message: 'm', run: 'before' }],
    'k1',
    NO_POSTS,
  )
  draft.update('hel')
  expect(await draft.finish({ text: 'hello', isPrivate: false })).toEqual(['terminal:post:k1'])
  expect(set.printed()).toBe('')
})

test('a message that is given up without a reply does not hold up the rest', async () => {
  const set = createTerminalSet()
  set.bot.hold()
  const run = set.say('one\ntwo')
  await until(() => set.bot.received.length === 1)
  set.bot.giveUp(set.bot.received[0]!)
  await until(() => set.bot.received.length === 2)
  await set.bot.reply(set.bot.received.slice(1), { reply: 'second' })
  await run
  expect(set.printed()).toBe('second\n')
})

test('a plus and a minus rate, and print nothing', async () => {
  const set = createTerminalSet()
  await set.say('+\n - \nhello')
  expect(set.bot.rated.map(({ rating }) => rating)).toEqual(['up', 'down'])
  expect(set.bot.rated[0]).not.toHaveProperty('text')
  expect(set.printed()).toBe('you said: hello\n')
})

test('/quit ends the input and other commands go to the bot', async () => {
  const set = createTerminalSet()
  set.input.write('/help\n/quit\nnever\n')
  await set.terminal.run(set.bot, set.stop.signal)
  expect(set.printed()).toBe('you said: /help\n')
})

test('control characters of a reply do not reach the output', async () => {
  const set = createTerminalSet()
  set.bot.hold()
  const run = set.say('one')
  await until(() => set.bot.received.length === 1)
  await set.bot.reply(set.bot.received, { reply: 'a\u001b[31mb\u0007\u009b2Jc\u202ed\u2066e\r\n\tf\u0000g\n\n' })
  await run
  expect(set.printed()).toBe('abcde\n\tfg\n')
})

test('strange input is passed on as it is', async () => {
  const set = createTerminalSet()
  const long = 'x'.repeat(200_000)
  await set.say(
    Buffer.concat([Buffer.from('\ufeff\0\0\0\n\ud83d\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(long)]),
  )
  expect(set.bot.received.map(({ text }) => text)).toEqual(['\0\0\0', '\ufffd', '\ufffd\ufffd', long])
})

test('a line beyond the limit is named in a notice and the rest goes on', async () => {
  const set = createTerminalSet()
  await set.say(`${'x'.repeat(4 * 1024 * 1024 + 1)}\nhello\n`)
  expect(set.noticed()).toBe('Line 1: Expected a line of at most 4194304 characters, got more\n')
  expect(set.printed()).toBe('you said: hello\n')
})

test('notices go where notices go', () => {
  const set = createTerminalSet()
  set.terminal.notice('The model is \u001b[2Jloading.')
  expect([set.printed(), set.noticed()]).toEqual(['', 'The model is loading.\n'])
})

test('nothing more is read or printed while the reader of the output is slow', async () => {
  const output = new PassThrough({ highWaterMark: 1 })
  const set = createTerminalSet({ output })
  const run = set.say('one\ntwo\n')
  await until(() => set.bot.received.length === 1)
  await settled()
  expect(set.bot.received).toHaveLength(1)
  let text = ''
  output.on('data', (chunk) => {
    text += chunk
  })
  await run
  expect(text).toBe('you said: one\nyou said: two\n')
})

test('a reader who went away ends the run quietly', async () => {
  const output = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const set = createTerminalSet({ output })
  set.input.write('one\ntwo\nthree\n')
  await set.terminal.run(set.bot, set.stop.signal)
  await settled()
  expect(set.bot.received.length).toBeLessThanOrEqual(2)
  expect(set.input.destroyed).toBe(true)
})

test('an aborted signal ends the run at once and later replies print nothing', async () => {
  const set = createTerminalSet()
  set.bot.hold()
  set.input.write('one\n')
  const run = set.terminal.run(set.bot, set.stop.signal)
  await until(() => set.bot.received.length === 1)
  set.stop.abort()
  await run
  await set.bot.reply(set.bot.received, { reply: 'too late' })
  await settled()
  expect(set.printed()).toBe('')
  expect(set.input.destroyed).toBe(true)
})

test('a signal that aborted before ends the run before it begins', async () => {
  const set = createTerminalSet()
  set.stop.abort()
  await set.say('one\n')
  expect(set.bot.received).toEqual([])
})

test('an input that fails has ended', async () => {
  const set = createTerminalSet()
  const run = set.terminal.run(set.bot, set.stop.signal)
  set.input.write('one\n')
  await until(() => set.printed() !== '')
  set.input.destroy(new Error('EISDIR'))
  await run
  expect(set.printed()).toBe('you said: one\n')
})

test('a bot that cannot store a message fails the run', async () => {
  const set = createTerminalSet()
  set.bot.receive = () => Promise.reject(new Error('the database is gone'))
  await expect(set.say('one\n')).rejects.toThrow('the database is gone')
})
