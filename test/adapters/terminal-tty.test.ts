/** A person at the terminal: prompt, streaming, paste, ratings. */

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createKeys } from '../../adapters/terminal/keys.ts'
import { NO_POSTS, settled, toRecord, until } from '../fakes/scripted-bot.ts'
import { createTerminalSet, type TerminalSet } from './terminal-set.ts'

const PROMPT = '› '
const SIGN = '…'
const CLEAR_LINE = '\r\u001b[K'

interface Person extends TerminalSet {
  /** Types and gives what was printed since the last call. */
  type(keys: string): void
  news(): string
  readonly run: Promise<void>
}

/** Someone who sees the first prompt. */
async function sit(options: Parameters<typeof createTerminalSet>[0] = {}): Promise<Person> {
  const set = createTerminalSet({ mode: 'tty', ...options })
  const run = set.terminal.run(set.bot, set.stop.signal)
  await until(() => set.printed().includes(PROMPT))
  let seen = set.printed().length
  return {
    ...set,
    run,
    type: (keys) => void set.input.write(keys),
    news() {
      const news = set.printed().slice(seen)
      seen += news.length
      return news
    },
  }
}

/** Someone whose message waits for its reply. */
async function ask(text = 'hello', options: Parameters<typeof createTerminalSet>[0] = {}): Promise<Person> {
  const person = await sit(options)
  person.bot.hold()
  person.type(`${text}\r`)
  await until(() => person.bot.received.length === 1)
  person.news()
  return person
}

const open = ({ terminal, bot }: Person) => terminal.open([bot.received[0]!.destination], 'k1', NO_POSTS)

test('the greeting is short and tells who speaks, and a prompt follows', async () => {
  const { printed } = await sit()
  const [first, second, third] = printed().split('\n')
  expect(first).toBe('Attune · you are ana in the workspace home')
  expect(second).toContain('/help')
  expect(third).toBe('')
  expect(printed()).not.toContain('\u001b[2m')
})

test('colour is used when asked for', async () => {
  expect((await sit({ colour: true })).printed()).toContain('\u001b[1mAttune\u001b[22m')
})

test('a typed line is a message and the prompt returns after its reply', async () => {
  const person = await sit()
  person.type('hel')
  person.type('lo\r')
  await until(() => person.printed().split(PROMPT).length > 2)
  const [, first, second] = person.printed().split(PROMPT)
  expect(first).toContain('hello\r\n')
  expect(first).toContain('you said: hello\n\n')
  expect(second).not.toContain('hello')
  expect(person.bot.received.map(({ text }) => text)).toEqual(['hello'])
})

test('a sign of typing shows until the first word, and the text grows by whole words', async () => {
  const person = await ask()
  const draft = open(person)
  expect(person.news()).toBe(SIGN)
  draft.update('  ')
  expect(person.news()).toBe('')
  draft.update('Hi')
  expect(person.news()).toBe('')
  draft.update('Hi An')
  expect(person.news()).toBe(`${CLEAR_LINE}Hi`)
  draft.update('Hi Ana, you')
  expect(person.news()).toBe(' Ana,')
  expect(await draft.finish({ text: 'Hi Ana, you!', isPrivate: false })).toEqual(['terminal:post:k1'])
  expect(person.news()).toBe(' you!\n\n')
  draft.stored?.(toRecord('ana', { reply: 'Hi Ana, you!' }))
  await settled()
  expect(person.news()).toContain(PROMPT)
})

test('a reply that starts anew is printed on a new line', async () => {
  const person = await ask()
  const draft = open(person)
  draft.update('Never')
  draft.update('The first try')
  draft.update('')
  draft.update('A second')
  await draft.finish({ text: 'Third', isPrivate: false })
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}The first\nA\nThird\n\n`)
})

test('a reply that never streamed is printed whole', async () => {
  const person = await ask()
  await open(person).finish({ text: 'Whole.\n', isPrivate: true })
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}Whole.\n\n`)
})

test('a reply is wrapped at the width of the terminal, and styled when colour is used', async () => {
  const text = 'Press **Enter** to\ngo on, or leave'
  const output = Object.assign(new PassThrough(), { columns: 11 })
  let printed = ''
  output.on('data', (chunk) => {
    printed += chunk
  })
  const { terminal } = createTerminalSet({ mode: 'tty', colour: true, output })
  const draft = terminal.open([], 'k1', NO_POSTS)
  draft.update(text.slice(0, 12))
  await draft.finish({ text, isPrivate: false })
  expect(printed).toContain(`${CLEAR_LINE}Press \u001b[1mEnter\u001b[22m\nto\ngo on, or\nleave\n\n`)
  const person = await ask()
  await open(person).finish({ text: `${'**x** '.repeat(14)}y`, isPrivate: false })
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}${'**x** '.repeat(13)}\n**x** y\n\n`.replace(' \n', '\n'))
})

test('escape sequences in a reply never reach the terminal, however they are cut', async () => {
  const person = await ask()
  const draft = open(person)
  const text = 'a\u001b[31mb\u001b]0;title\u0007c\u202ed\u{1f600}e\u009b5m\rf'
  for (let end = 1; end <= text.length; end += 1) draft.update(text.slice(0, end))
  await draft.finish({ text, isPrivate: false })
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}ab]0;titlecd\u{1f600}ef\n\n`)
})

test('an abandoned draft takes its sign of typing away and the reply may still come', async () => {
  const person = await ask()
  open(person).abandon()
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}`)
  await person.bot.reply(person.bot.received, { reply: 'Here.' })
  await settled()
  expect(person.news()).toContain(`${SIGN}${CLEAR_LINE}Here.\n\n`)
})

test('what is typed while a reply streams waits for the next prompt', async () => {
  const person = await ask()
  const draft = open(person)
  draft.update('Hi')
  person.news()
  person.type('next')
  person.type('\r')
  await settled()
  expect(person.news()).toBe('')
  expect(person.bot.received).toHaveLength(1)
  await draft.finish({ text: 'Hi', isPrivate: false })
  draft.stored?.(toRecord('ana', { reply: 'Hi' }))
  await until(() => person.bot.received.length === 2)
  expect(person.bot.received[1]?.text).toBe('next')
  expect(person.news()).toContain('next')
})

test('two drafts at once are printed one after another', async () => {
  const person = await ask()
  const first = open(person)
  const second = person.terminal.open([{ id: 1, as: 'bob', channel: 'x', message: 'm', run: 'run1' }], 'k2', NO_POSTS)
  first.update('one')
  second.update('two')
  const finished = second.finish({ text: 'two!', isPrivate: false })
  first.update('one, too')
  await first.finish({ text: 'one, too', isPrivate: false })
  await finished
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}one, too\n\n(to bob)\n${SIGN}${CLEAR_LINE}two!\n\n`)
})

test('a reply to a message of an earlier run says so and gives the typed line back', async () => {
  const person = await sit()
  person.type('half a li')
  await settled()
  person.news()
  const draft = person.terminal.open(
    [{ id: 1, as: 'ana', channel: 'direct', message: 'm', run: 'run0' }],
    'k0',
    NO_POSTS,
  )
  await draft.finish({ text: 'Late.', isPrivate: false })
  draft.stored?.(toRecord('ana', { reply: 'Late.' }))
  const news = person.news()
  expect(news).toContain(`(to your earlier message)\n${SIGN}${CLEAR_LINE}Late.\n\n`)
  expect(news.slice(news.indexOf('Late.'))).toContain(`${PROMPT}half a li`)
  person.type('ne\r')
  await until(() => person.bot.received.length === 1)
  expect(person.bot.received[0]?.text).toBe('half a line')
})

test('a notice at the prompt gets a line of its own, and one during a reply follows it', async () => {
  const person = await ask()
  const draft = open(person)
  draft.update('Hi')
  person.terminal.notice('The model is loading.')
  await draft.finish({ text: 'Hi', isPrivate: false })
  expect(person.news()).toBe(`${SIGN}${CLEAR_LINE}Hi\n\nThe model is loading.\n`)
  draft.stored?.(toRecord('ana', { reply: 'Hi' }))
  await settled()
  person.news()
  person.terminal.notice('Ready.')
  const [before, after] = person.news().split('Ready.\n')
  expect(before).toMatch(/\r.\[J$/)
  expect(after).toContain(PROMPT)
})

test('a plus rates, and the bot says whether the rating stands', async () => {
  const person = await sit()
  person.bot.hold()
  person.type('+\r')
  await until(() => person.bot.rated.length === 1)
  await person.bot.reply(person.bot.rated, { rated: 'up' })
  expect(person.news()).toContain('(rated up)')
  await settled()
  person.type('+\r')
  await until(() => person.bot.rated.length === 2)
  await person.bot.reply(person.bot.rated.slice(1), { rated: null })
  expect(person.news()).toContain('(rating taken back)')
})

test('/help is answered here, blank lines by a new prompt, other commands by the bot', async () => {
  const person = await sit()
  person.type('/help\r')
  await until(() => person.printed().includes('/quit'))
  person.type('\r')
  person.type('/persona\r')
  await until(() => person.bot.received.length === 1)
  expect(person.bot.received[0]?.text).toBe('/persona')
})

test.each(['/quit\r', '\u0004'])('%j ends the run after what is open', async (keys) => {
  const person = await ask()
  person.type(keys)
  await settled()
  await person.bot.reply(person.bot.received, { reply: 'Bye.' })
  await person.run
  expect(person.printed()).toContain('Bye.\n\n')
  expect(person.printed().endsWith('\u001b[?2004l')).toBe(true)
})

test('an input that ends is like Ctrl-D', async () => {
  const person = await ask()
  person.input.end('last\r')
  await person.bot.reply(person.bot.received, { reply: 'One.' })
  await until(() => person.bot.received.length === 2)
  await person.bot.reply(person.bot.received.slice(1), { reply: 'Two.' })
  await person.run
  expect(person.printed()).toContain('Two.\n\n')
})

test('Ctrl-C interrupts even while a reply streams', async () => {
  const interrupts: string[] = []
  const person = await ask('hello', { onInterrupt: () => interrupts.push('Ctrl-C') })
  open(person).update('Hi Ana')
  person.type('typed\u0003')
  await until(() => interrupts.length === 1)
  person.stop.abort()
  await person.run
  expect(person.printed().endsWith('Hi\u001b[?2004l\n')).toBe(true)
})

test('after an abort nothing more is printed', async () => {
  const person = await ask()
  const draft = open(person)
  person.stop.abort()
  await person.run
  person.news()
  draft.update('Hi')
  await draft.finish({ text: 'Hi', isPrivate: false })
  draft.stored?.(toRecord('ana', { rated: 'up' }))
  person.terminal.notice('late')
  await settled()
  expect(person.news()).toBe('')
})

test('the arrow up brings the last line back', async () => {
  const person = await sit()
  person.type('hello\r')
  await until(() => person.bot.received.length === 1)
  await settled()
  person.type('\u001b[A')
  person.type('\r')
  await until(() => person.bot.received.length === 2)
  expect(person.bot.received[1]?.text).toBe('hello')
})

test.each([
  ['several lines at once', ['one\rtwo\r\n\rthree\r']],
  ['a bracketed paste', ['\u001b[200~one\ntwo\r\n\nthree\u001b[201~', '\r']],
  ['a bracketed paste in pieces', ['\u001b[20', '0~one\ntw', 'o\n\nthree\n\u001b[2', '01~\r']],
])('%s are one message', async (_name, chunks) => {
  const person = await sit()
  for (const chunk of chunks) person.type(chunk)
  await until(() => person.bot.received.length === 1)
  expect(person.bot.received[0]?.text).toBe('one\ntwo\n\nthree')
})

function strokesOf(...chunks: string[]): string[] {
  const strokes: string[] = []
  const keys = createKeys({
    press: (text) => strokes.push(`press ${JSON.stringify(text)}`),
    insert: (text) => strokes.push(`insert ${text}`),
    interrupt: () => strokes.push('interrupt'),
  })
  for (const chunk of chunks) {
    keys.open()
    keys.feed(chunk)
  }
  for (let line = 0; line < 9; line += 1) keys.open()
  return strokes
}

test.each([
  [['a'], ['press "a"']],
  [['\u001b[A'], ['press "\\u001b[A"']],
  [['\u001b'], ['press "\\u001b"']],
  [['hello\n'], ['insert hello', 'press "\\r"']],
  [['one\rtwo'], ['insert one⏎two']],
  [['hello\r/quit\r'], ['insert hello', 'press "\\r"', 'insert /quit', 'press "\\r"']],
  [['hello\r+\r'], ['insert hello', 'press "\\r"', 'press "+\\r"']],
  [['abc\u0003d'], ['interrupt']],
  [['\u001b[200~a\u0003\u001b[31mb\u001b[201~'], ['insert ab']],
])('the keys %j reach the editor as %j', (chunks, strokes) => {
  expect(strokesOf(...chunks)).toEqual(strokes)
})
