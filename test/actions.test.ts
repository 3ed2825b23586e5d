/** Which messages have which actions offered. */

import { expect, test } from 'vitest'
import { offered } from '../src/actions.ts'

const names = (text: string, more = {}) =>
  offered({ text, isKept: false, isRead: false, ...more }).map(({ name }) => name)

test.each([
  'hello there',
  'What is a b-tree?',
  'How do I delete a branch in git?',
  'Forget it.',
  'Remind me to call Bo tomorrow.',
  'I forgot the milk on 2026-03-01.',
  'I like short stories.',
  'Python 3.12 or 3.13?',
])('%s has none', (text) => {
  expect(names(text)).toEqual([])
})

test.each([
  ['What is 17.5% of 240?', ['calculate']],
  ['how much is 37 * 43', ['calculate']],
  ['What time is it?', ['current_time']],
  ['what did I tell you about my sister?', ['recall']],
  ['What do you know about me?', ['profile']],
  ['Keep in mind: Quimby only eats endives', ['remember']],
  ['Please forget that my cat is called Tom', ['forget']],
  ['Always answer like a butler, formally', ['set_preference']],
])('%s has %j', (text, expected) => {
  expect(names(text)).toEqual(expected)
})

test('what the rules have kept or read already is not offered again', () => {
  expect(names('remember that I have a cat', { isKept: true })).toEqual([])
  expect(names('from now on be more formal in your answers', { isRead: true })).toEqual([])
})
