import { describe, expect, test } from 'vitest'
import { DIMENSIONS, type Dimension, dimensions } from '../../src/preference/dimensions.ts'
import { answerTokens, changeNotice, directive } from '../../src/preference/verbalize.ts'
import { loadPrompts } from '../../src/prompts.ts'

const { manner } = loadPrompts()

const LABELS = dimensions.flatMap((dimension) =>
  DIMENSIONS[dimension].labels.map((label): readonly [Dimension, string] => [dimension, label]),
)

describe('the directive', () => {
  test('is the line of the paper and under it a sentence each, length last', () => {
    const labels = { tone: 'warm', emotion: 'curious', density: 'sparse', length: 'brief', formality: 'casual' }
    expect(directive(labels, manner)).toBe(
      'Respond in style: [Tone: warm], [Emotion: curious], [Density: sparse], [Length: brief], [Formality: casual]\n' +
        'Be friendly and encouraging. Feed their curiosity: say why things are so. ' +
        'Use everyday words and contractions, as among friends. ' +
        'Say one thing at a time, simply, with few facts in each sentence. Answer in one or two short sentences.',
    )
  })

  test('leaves out what is unknown, and is empty when nothing is known', () => {
    expect(directive({ length: 'detailed' }, manner)).toBe(
      'Respond in style: [Length: detailed]\n' +
        'Answer in detail: several paragraphs that explain the reasons and give examples.',
    )
    expect(directive({}, manner)).toBe('')
  })
})

describe('the words for a label', () => {
  test.each(LABELS)('of %s %s are a sentence of its own and a change that ends it', (dimension, label) => {
    const { sentence, change } = manner[dimension][label] ?? { sentence: '', change: '' }
    expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(change).toMatch(/^[a-z].*[a-z]$/)
    expect(LABELS.filter(([d, l]) => manner[d][l]?.sentence === sentence)).toHaveLength(1)
  })

  test.each(LABELS)('of %s %s say what to do, as small models overhear what not to do', (dimension, label) => {
    expect(manner[dimension][label]?.sentence).not.toMatch(/n['’]t\b|\b(not|never|no|avoid|without|cannot)\b/i)
  })
})

describe('the notice of a change', () => {
  const labels = { tone: 'blunt', length: 'brief', formality: 'formal' }

  test.each<readonly [readonly Dimension[], string]>([
    [['length'], "_I'll keep it brief from now on._ `/persona undo`"],
    [['length', 'formality'], "_I'll keep it brief and be more formal from now on._ `/persona undo`"],
    [
      ['tone', 'length', 'formality'],
      "_I'll be more direct, keep it brief and be more formal from now on._ `/persona undo`",
    ],
  ])('of %j is one line', (changed, notice) => {
    expect(changeNotice(changed, labels, manner)).toBe(notice)
  })

  test('passes over dimensions without a known label, and is empty when none is left', () => {
    expect(changeNotice(['density', 'length'], labels, manner)).toBe(changeNotice(['length'], labels, manner))
    expect(changeNotice(['density'], labels, manner)).toBe('')
    expect(changeNotice([], labels, manner)).toBe('')
  })
})

test('an answer may take more tokens the longer it is wanted, and a middling number where that is unknown', () => {
  const tokens = ['brief', 'moderate', undefined, 'detailed'].map(answerTokens)
  expect(tokens).toEqual([120, 360, 600, 1000])
  expect(answerTokens('endless')).toBe(600)
})
