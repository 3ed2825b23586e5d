/** The pure parts: what is split, what counts as flood, when a change is accepted, when it is taken back. */

import { describe, expect, test } from 'vitest'
import { notDue } from '../../src/persona/due.ts'
import { gate, type Pair } from '../../src/persona/gate.ts'
import { verdictOf, withoutBursts } from '../../src/persona/judged.ts'
import { obeyed } from '../../src/persona/rules.ts'
import { split } from '../../src/persona/split.ts'
import { watch } from '../../src/persona/watch.ts'
import { judged } from './material.ts'

const turns = (count: number) => Array.from({ length: count }, (_, i) => judged(i + 1))

describe('a split', () => {
  test('is not made of fewer than eleven turns', () => {
    expect(split(turns(10))).toBeNull()
    const smallest = split(turns(11))
    expect([smallest?.batch.length, smallest?.heldOut.length]).toEqual([3, 8])
  })
  test.each([12, 15, 18, 24, 40, 120])(
    'of %i turns has 3 to 6 to learn from and at least 8 held out, newest last',
    (count) => {
      const { batch, heldOut } = split(turns(count))!
      expect(batch.length).toBeGreaterThanOrEqual(3)
      expect(batch.length).toBeLessThanOrEqual(6)
      expect(heldOut.length).toBeGreaterThanOrEqual(8)
      const ids = [...batch, ...heldOut].map(({ turnId }) => turnId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const part of [batch, heldOut])
        expect(part.map(({ turnId }) => turnId)).toEqual(part.map(({ turnId }) => turnId).toSorted((a, b) => a - b))
      expect(Math.max(...ids)).toBe(count)
    },
  )
  test('into smaller batches is possible', () => {
    expect(split(turns(40), 3)?.batch).toHaveLength(3)
  })
})

describe('what a turn was worth', () => {
  test('is the sum of the vote and of what was said', () => {
    const said = (kind: 'correction' | 'asked-again' | 'thanks') => ({ kind, said: '' })
    expect(verdictOf({ rating: 'up', signals: [] })).toBe(1)
    expect(verdictOf({ rating: 'up', signals: [said('correction')] })).toBe(0)
    expect(verdictOf({ rating: null, signals: [said('asked-again')] })).toBe(-1)
    expect(verdictOf({ rating: null, signals: [said('thanks')] })).toBe(1)
  })
  test('does not count where votes came in a flood, but what was said stays', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
    const flood = Array.from({ length: 12 }, (_, i) => judged(i + 1, { ratedAt: at(i) }))
    const spoken = { ...flood[3]!, signals: [{ kind: 'correction', said: 'shorter' }] as const }
    const calm = judged(99)
    const left = withoutBursts([...flood.with(3, spoken), calm])
    expect(left.map(({ turnId, rating }) => [turnId, rating])).toEqual([
      [4, null],
      [99, 'up'],
    ])
  })
})

function pairs(gains: readonly number[], harm = 0): Pair[] {
  const score = (total: number, length: number) => ({ total, off: { length }, rules: 1, closeness: null })
  return gains.map((gain, i) => ({ turnId: i, before: score(0.5, 0.2), after: score(0.5 + gain, 0.2 + harm) }))
}

describe('the gate', () => {
  test('lets a clear gain through', () => {
    const verdict = gate(pairs([0.1, 0.12, 0.08, 0.1, 0.09, 0.11, 0.1, 0.1]))
    expect(verdict).toMatchObject({ isAccepted: true, reason: '', wins: 8, losses: 0 })
  })
  test.each([
    ['fewer than eight pairs', pairs([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]), 'compared on 7 turns, of at least 8'],
    ['no gain', pairs(Array(12).fill(0)), 'a mean gain of 0.000, not above 0.02'],
    ['a loss', pairs(Array(12).fill(-0.1)), 'a mean gain of -0.100, not above 0.02'],
    ['one large win among losses', pairs([0.9, ...Array(7).fill(-0.02)]), '1 won and 7 lost, not 2 more won'],
    [
      'a gain that varies too much',
      pairs([0.4, 0.3, 0.3, 0.2, 0.1, -0.3, -0.3, 0.2, -0.3, 0.1]),
      'a gain that may be chance',
    ],
    ['harm to one dimension', pairs(Array(10).fill(0.1), 0.2), 'length would be farther off by 0.200'],
  ])('refuses %s', (_, given, reason) => {
    const verdict = gate(given)
    expect(verdict.isAccepted).toBe(false)
    expect(verdict.reason).toContain(reason)
  })
})

describe('the watch', () => {
  const changedAt = new Date(Date.UTC(2026, 0, 10))
  const rated = (before: number, after: number, count = 10) =>
    Array.from({ length: 10 + count }, (_, i) => ({
      rating: (i < 10 ? i < before : i - 10 < after) ? ('up' as const) : ('down' as const),
      signals: [],
      askedAt: new Date(Date.UTC(2026, 0, i < 10 ? 9 : 11, i)),
    }))
  test.each([
    [8, 6, true],
    [8, 3, true],
    [8, 7, false],
    [8, 8, false],
    [2, 9, false],
  ])('with %i of 10 good before and %i since: worse is %s', (before, after, isWorse) => {
    expect(watch(rated(before, after), changedAt)?.isWorse).toBe(isWorse)
  })
  test('waits for ten rated turns on each side', () => {
    expect(watch(rated(9, 0, 9), changedAt)).toBeNull()
    expect(watch(rated(9, 0).slice(1), changedAt)).toBeNull()
  })
  test('looks at the ten next ones, however many came', () => {
    expect(watch(rated(8, 2, 40), changedAt)?.after).toBe(-6)
  })
})

describe('somebody is due', () => {
  const now = new Date('2026-03-02T04:00:00Z')
  const since = { changedAt: null, sinceChange: 8, sinceAttempt: 8, hasShifted: false }
  test.each([
    ['with eight signals', since, null],
    [
      'not with seven',
      { ...since, sinceChange: 7, sinceAttempt: 7 },
      '7 signals since the last change, of 8, and no confirmed shift',
    ],
    ['with four and a shift', { ...since, sinceChange: 4, sinceAttempt: 4, hasShifted: true }, null],
    ['not again before four new ones', { ...since, sinceAttempt: 3 }, '3 new signals since the last attempt, of 4'],
    ['not twice a night', { ...since, changedAt: new Date('2026-03-02T01:00:00Z') }, 'it was changed this night'],
    ['the next night', { ...since, changedAt: new Date('2026-03-01T04:00:00Z') }, null],
  ])('%s', (_, given, reason) => {
    expect(notDue(given, now)).toBe(reason)
  })
})

describe('a rule of a persona', () => {
  test.each([
    ['Answer in at most two sentences.', 'One. Two.', 1],
    ['Answer in at most two sentences.', 'One. Two. Three.', 0],
    ['Use at most 10 words.', 'one two three', 1],
    ['No emojis.', 'Done 🎉', 0],
    ['Use bullet points.', '- one\n- two', 1],
    ['Use bullet points.', 'one and two', 0],
    ['Avoid bullet points.', '- one', 0],
    ['Avoid bullet points.\nNo exclamation marks.', '- one', 0.5],
    ['Be kind.', 'Whatever!', 1],
  ])('%s on %j is obeyed: %f', (persona, reply, share) => {
    expect(obeyed(persona, reply)).toBe(share)
  })
})
