/** What a message is taken to say of the replies before it. */

import { describe, expect, test } from 'vitest'
import { signalsOf } from '../src/signals.ts'

const turn = (turnId: number, user: string, assistant = 'An answer.') => ({ turnId, user, assistant })
const kinds = (message: string, user = 'What is a monad?') =>
  signalsOf(message, [turn(1, user)]).map(({ kind }) => kind)

describe('a correction', () => {
  test.each([
    'shorter',
    'Shorter please!',
    'too long',
    'that was too long',
    'be more formal',
    'can you be more formal from now on',
    'tl;dr',
    "That's not what I asked.",
    'that is not what I meant',
    'No, that’s not what I asked for',
    "this isn't what I wanted",
    "no, that's wrong",
    'that was not helpful',
    "you didn't answer my question",
    'You misunderstood me.',
    'Hmm, I meant the other one.',
    'I asked how to sort them, not how to filter them',
    'wrong answer',
    'try again',
    'thats wrong',
    'that wasnt helpful',
    "that is not what I'm asking",
    'Your answer is wrong.',
    'you forgot the second part',
    "that's wrong, it was in 1905",
    "huh? that's not my question",
    'Read my question again',
    'What? I asked what a monad is!',
    'thanks, but shorter please',
  ])('is "%s"', (message) => {
    expect(kinds(message)).toEqual(['correction'])
  })

  test.each([
    'How do I sort a list?',
    'My sister is shorter than me.',
    'In one sentence, what is DNS?',
    'explain briefly what a functor is',
    'What is wrong with this regex?',
    'You are right.',
    'The test says "that is wrong", why?',
    'I asked my boss for a raise and she agreed',
    'make the report shorter',
    "that's not right next to the station, is it?",
    'it is wrong to steal, why do people do it?',
    'I meant to ask you about trains',
    'I asked how to cook rice yesterday at work',
    'it doesn’t work on my laptop, it says error 5',
    'that is not true of birds though, right?',
    'wrong number called me today',
    'try again tomorrow if the server is down: is that a policy?',
    'ok',
    '',
    '```\nthat is wrong\n```',
  ])('is not "%s"', (message) => {
    expect(kinds(message)).toEqual([])
  })
})

describe('thanks', () => {
  test.each(['thanks!', 'Thank you so much', 'perfect, that helps', 'great answer', 'ty', 'Thanks. And what is DNS?'])(
    'are "%s"',
    (message) => expect(kinds(message)).toEqual(['thanks']),
  )

  test.each([
    'no thanks',
    "thanks, but that doesn't work",
    'thanks in advance for the report',
    'fine',
    'My mother said thanks',
  ])('are not "%s"', (message) => expect(kinds(message)).not.toContain('thanks'))
})

describe('a question asked again', () => {
  test.each([
    ['How do I sort a list in Python?', 'how can I sort lists in python?'],
    ['How do I sort a list in Python?', 'How do I sort a list in Python?'],
    ['What is the capital of Norway?', 'sorry, what was the capital of Norway again?'],
    ['when does the night train to Vienna leave', 'When does the night train leave to Vienna?'],
  ])('is "%s", then "%s"', (before, now) => expect(kinds(now, before)).toEqual(['asked-again']))

  test.each([
    ['What is the capital of Norway?', 'What is the capital of Sweden?'],
    ['How do I sort a list of names in Python by length?', 'How do I sort a list of names in Java by length?'],
    ['What is 6 times 7?', 'What is 6 times 8?'],
    ['Is the museum open on Monday?', 'Is the museum open on Monday at 10?'],
    ['Which birds can fly far?', "Which birds can't fly far?"],
    ['How do I sort a list?', 'How do I sort a list by two keys, the second one reversed?'],
    ['tell me a joke about cats', 'tell me a joke about cats'],
    ['I take the night train to Vienna', 'I take the night train to Vienna'],
    ['why?', 'why?'],
    ['what now', 'what now'],
  ])('is not "%s", then "%s"', (before, now) => expect(kinds(now, before)).toEqual([]))

  test('reaches two turns back, and marks the later of two', () => {
    const asked = 'How do I sort a list in Python?'
    expect(signalsOf(asked, [turn(1, asked), turn(2, 'hello')])).toEqual([{ turnId: 1, kind: 'asked-again' }])
    expect(signalsOf(asked, [turn(1, asked), turn(2, asked)])).toEqual([{ turnId: 2, kind: 'asked-again' }])
    expect(signalsOf(asked, [turn(1, asked), turn(2, 'hello'), turn(3, 'hello')])).toEqual([])
  })

  test('goes with a correction', () => {
    const message = "That's not what I asked: how do I sort a list in Python?"
    expect(kinds(message, 'How do I sort a list in Python?')).toContain('correction')
  })
})

test('a reply that no model wrote, or none at all, is not judged', () => {
  expect(signalsOf('shorter', [])).toEqual([])
  expect(signalsOf('thanks', [turn(1, 'What is a monad?', '')])).toEqual([])
  expect(signalsOf('What is a blue monad?', [turn(1, 'What is a blue monad?', '')])).toEqual([])
})
