/** The heads that GoEmotions teaches: the grouping for chat, two for tone, and Ekman's for comparison only. */
import { BUCKETS, featuresOf } from '../../src/preference/features.ts'
import { CHAT, EKMAN, type Emotional, readEmotions, TONE } from './corpora.ts'
import { type HeadWeights, labelHead, type Splits } from './head.ts'
import { matrixOf } from './solver.ts'

export interface LabelFigure {
  readonly label: string
  readonly dev: number
  readonly test: number
}

export interface Emotions {
  readonly heads: Readonly<Record<string, HeadWeights>>
  readonly chat: readonly LabelFigure[]
  readonly tone: readonly LabelFigure[]
  /** Trained and measured in the same way, not shipped. */
  readonly ekman: readonly LabelFigure[]
}

export function trainEmotions(folder: string): Emotions {
  const rows: Splits<Emotional[]> = {
    train: readEmotions(folder, 'train'),
    dev: readEmotions(folder, 'dev'),
    test: readEmotions(folder, 'test'),
  }
  const matrices = everySplit(rows, (split) =>
    matrixOf(
      split.map(({ text }) => featuresOf(text)),
      BUCKETS,
    ),
  )
  const heads: Record<string, HeadWeights> = {}
  const train = (grouping: Readonly<Record<string, readonly string[]>>, keep: boolean): LabelFigure[] =>
    Object.entries(grouping).map(([label, members]) => {
      const targets = everySplit(rows, (split) =>
        Float64Array.from(split, ({ emotions }) => (emotions.some((emotion) => members.includes(emotion)) ? 1 : 0)),
      )
      const { head, dev, test } = labelHead(matrices, targets)
      if (keep) heads[label] = head
      return { label, dev, test }
    })
  return { chat: train(CHAT, true), tone: train(TONE, true), ekman: train(EKMAN, false), heads }
}

function everySplit<T, U>(splits: Splits<T>, of: (split: T) => U): Splits<U> {
  return { train: of(splits.train), dev: of(splits.dev), test: of(splits.test) }
}
