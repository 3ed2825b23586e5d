import { describe, expect, test } from 'vitest'
import { eventTime, timeAsked } from '../../src/memory/dates.ts'
import { instantOf, wallOf } from '../../src/memory/zone.ts'

/** A Wednesday. */
const SENT = new Date('2023-05-10T13:56:00Z')

const shown = (span: ReturnType<typeof eventTime>) =>
  span && `${span.from.toISOString().slice(0, 16)} ${span.to.toISOString().slice(0, 16)}`
/** As days in UTC, the last one included. */
const days = (span: ReturnType<typeof eventTime>) => {
  if (span === null) return null
  const [from, to] = [span.from, new Date(span.to.getTime() - 1)].map((date) => date.toISOString().slice(0, 10))
  return from === to ? from : `${from}..${to}`
}

describe('the time that a message tells of', () => {
  test.each([
    ['I went there yesterday', '2023-05-09'],
    ['We met last Friday', '2023-05-05'],
    ['The exam is on Friday', '2023-05-12'],
    ['tomorrow I fly', '2023-05-11'],
    ['I saw her last night', '2023-05-09'],
    ['I ran this morning', '2023-05-10'],
    ['a week ago', '2023-05-01..2023-05-07'],
    ['two weeks ago it rained', '2023-04-24..2023-04-30'],
    ['last week', '2023-05-01..2023-05-07'],
    ['this week I am off', '2023-05-08..2023-05-14'],
    ['last weekend', '2023-05-06..2023-05-07'],
    ['this weekend', '2023-05-13..2023-05-14'],
    ['over the last three months', '2023-02-10..2023-05-10'],
    ['last month', '2023-04-01..2023-04-30'],
    ['two months ago', '2023-03-01..2023-03-31'],
    ['it was in June 2021', '2021-06-01..2021-06-30'],
    ['I moved here ten years ago', '2013-01-01..2013-12-31'],
    ['back in 2016 I sold it', '2016-01-01..2016-12-31'],
    ['from June 2 to June 8, 2022', '2022-06-02..2022-06-08'],
    ['between Dec 2021 and Jan 2022', '2021-12-01..2022-01-31'],
    ['on 2022-02-28', '2022-02-28'],
    ['on the 3rd of July 2021 at 10pm', '2021-07-03'],
  ])('%s: %s', (text, expected) => {
    expect(days(eventTime(text, SENT, 'UTC'))).toBe(expected)
  })

  test.each([
    'I sat down in the sun',
    'May I ask something?',
    'I may go',
    'see you at 10pm',
    'version 2.10.3 costs $20.50',
    'it took 5 minutes',
    'now what',
    'model 2016 of it',
    '',
    '🙂',
  ])('is none where the words name none: %s', (text) => {
    expect(eventTime(text, SENT, 'UTC')).toBeNull()
  })

  test('is in the zone of the person, on either side of midnight', () => {
    const at = new Date('2023-05-10T02:00:00Z')
    expect(shown(eventTime('yesterday', at, 'UTC'))).toBe('2023-05-09T00:00 2023-05-10T00:00')
    // 19:00 on the 9th.
    expect(shown(eventTime('yesterday', at, 'America/Los_Angeles'))).toBe('2023-05-08T07:00 2023-05-09T07:00')
    // 14:00 on the 10th, and 02:00 of the 11th some hours later.
    expect(shown(eventTime('yesterday', at, 'Pacific/Auckland'))).toBe('2023-05-08T12:00 2023-05-09T12:00')
    const later = new Date('2023-05-10T14:00:00Z')
    expect(shown(eventTime('yesterday', later, 'Pacific/Auckland'))).toBe('2023-05-09T12:00 2023-05-10T12:00')
  })

  test('has days of 23 and 25 hours where clocks change', () => {
    expect(shown(eventTime('yesterday', new Date('2024-04-01T10:00:00Z'), 'Europe/Berlin'))).toBe(
      '2024-03-30T23:00 2024-03-31T22:00',
    )
    expect(shown(eventTime('yesterday', new Date('2024-10-28T10:00:00Z'), 'Europe/Berlin'))).toBe(
      '2024-10-26T22:00 2024-10-27T23:00',
    )
    // Two months ago clocks stood otherwise than now.
    expect(shown(eventTime('two months ago', new Date('2024-04-15T10:00:00Z'), 'Europe/Berlin'))).toBe(
      '2024-01-31T23:00 2024-02-29T23:00',
    )
  })

  test('names the zone that there is none of', () => {
    expect(() => eventTime('yesterday', SENT, 'Mars/Olympus')).toThrow(RangeError)
  })

  test('is looked for in the first two thousand characters', () => {
    expect(eventTime(`${'so '.repeat(1000)} yesterday`, SENT, 'UTC')).toBeNull()
    expect(days(eventTime(`yesterday ${'so '.repeat(3000)}`, SENT, 'UTC'))).toBe('2023-05-09')
  })
})

describe('the time that a question asks about', () => {
  test.each([
    ['what did I say last Tuesday?', '2023-05-09'],
    ['what did I say on Friday?', '2023-05-05'],
    ['what did I do yesterday?', '2023-05-09'],
    ['where was I two weeks ago?', '2023-04-24..2023-04-30'],
    ['what happened in March?', '2023-03-01..2023-03-31'],
    ['what did I plan in December?', '2022-12-01..2022-12-31'],
    ['what did I paint in May?', '2023-05-01..2023-05-31'],
    ['what did I do on 14 July?', '2022-07-14'],
    ['what did I paint in 2022?', '2022-01-01..2022-12-31'],
    ['what do I do tomorrow?', '2023-05-11'],
  ])('%s %s', (question, expected) => {
    expect(days(timeAsked(question, SENT, 'UTC'))).toBe(expected)
  })

  test.each(['when did I paint the sunrise?', 'how long have I lived here?', 'who is Ana?'])(
    'is none where it asks for the time or names none: %s',
    (question) => {
      expect(timeAsked(question, SENT, 'UTC')).toBeNull()
    },
  )

  test('is the day that the person has at the time', () => {
    const now = new Date('2023-05-09T23:30:00Z')
    expect(shown(timeAsked('what did I say today?', now, 'Europe/Berlin'))).toBe('2023-05-09T22:00 2023-05-10T22:00')
    expect(shown(timeAsked('what did I say today?', now, 'UTC'))).toBe('2023-05-09T00:00 2023-05-10T00:00')
  })
})

describe('a wall clock', () => {
  test.each([
    ['Europe/Berlin', '2024-03-31T02:30', '2024-03-31T01:30:00.000Z'],
    ['Europe/Berlin', '2024-10-27T02:30', '2024-10-27T00:30:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T03:00:00.000Z'],
    ['Asia/Kathmandu', '2024-01-01T00:00', '2023-12-31T18:15:00.000Z'],
    ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00:00.000Z'],
  ])('in %s at %s is %s', (zone, wall, instant) => {
    expect(instantOf(Date.parse(`${wall}Z`), zone).toISOString()).toBe(instant)
  })

  test('shows the instant that it was asked for', () => {
    expect(new Date(wallOf(new Date('2024-07-01T22:30:15Z'), 'Europe/Berlin')).toISOString()).toBe(
      '2024-07-02T00:30:15.000Z',
    )
  })
})
