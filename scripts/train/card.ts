/** The figures of a training run, as a table to print and as the model card. */
import type { LabelFigure } from './emotions.ts'
import { mean } from './figures.ts'
import { foldMean, type ScaleFigures } from './scales.ts'

export interface Figures {
  readonly chat: readonly LabelFigure[]
  readonly tone: readonly LabelFigure[]
  readonly ekman: readonly LabelFigure[]
  readonly formality: ScaleFigures
  readonly politeness: ScaleFigures
  readonly bytes: number
  readonly microseconds: number
}

/** Each measure beside what it should reach, and whether it does. */
export function tableOf(figures: Figures): string {
  const rows: [string, number, string, number, boolean][] = [
    ['GoEmotions, grouping for chat, macro-F1', macro(figures.chat), '>=', 0.608, true],
    ['GoEmotions, Ekman grouping, macro-F1 (not shipped)', macro(figures.ekman), '>=', 0.578, true],
    ['Formality, Spearman, mean of five fifths', foldMean(figures.formality), '>=', 0.735, true],
    ['Politeness, Spearman, mean of five fifths', foldMean(figures.politeness), '>=', 0.49, true],
    ['Microseconds a message', figures.microseconds, '<=', 100, false],
    ['Kilobytes of weights', figures.bytes / 1000, '<=', 300, false],
  ]
  return [
    '| measure, on the test split | figure | to reach | reached |',
    '|---|---|---|---|',
    ...rows.map(([name, figure, sign, goal, atLeast]) => {
      const reached = atLeast ? figure >= goal : figure <= goal
      return `| ${name} | ${goal >= 100 ? figure.toFixed(0) : figure.toFixed(3)} | ${sign} ${goal} | ${reached ? 'yes' : 'no'} |`
    }),
    '',
    '| label | F1 dev | F1 test |',
    '|---|---|---|',
    ...[...figures.chat, ...figures.tone].map(labelRow),
    ...figures.ekman.map((figure) => labelRow({ ...figure, label: `Ekman ${figure.label}` })),
    '',
    scaleRow('Formality', figures.formality),
    scaleRow('Politeness', figures.politeness),
  ].join('\n')
}

function labelRow({ label, dev, test }: LabelFigure): string {
  return `| ${label} | ${dev.toFixed(3)} | ${test.toFixed(3)} |`
}

function scaleRow(name: string, { sources, folds }: ScaleFigures): string {
  const each = Object.entries(sources).map(([source, figure]) => `${source} ${figure.toFixed(3)}`)
  return `- ${name}, Spearman per source of the test fifth: ${each.join(', ')}. Each fifth held out in turn: ${folds
    .map((fold) => fold.toFixed(3))
    .join(', ')} (mean ${mean(folds).toFixed(4)}).`
}

function macro(labels: readonly LabelFigure[]): number {
  return mean(labels.map(({ test }) => test))
}

export function cardOf(figures: Figures): string {
  return `# The built-in analyser

Linear heads that read emotion, formality, politeness, amusement and gratitude in short English messages. Written by
\`npm run train\`, which also wrote the figures below; do not edit.

## What it is for
Following how one person likes to be answered, from many of their messages. One message proves little, so what it gives
are weights of evidence. Not for judging people, and not for texts other than a person's own words in a chat.

## How it works
Word 1-2-grams, character 3-5-grams inside words, words after a negation, and flags for capitals, elongation, marks and
length are hashed (FNV-1a) into 16,384 buckets of log counts. Eleven one-vs-rest heads lie over them, one int8 per
bucket and head in base64. Logistic regression (emotions) and ridge regression (formality, politeness), both by dual
coordinate descent run to convergence; for the emotions each bucket is scaled by its log-count ratio and inverse
document frequency, which is folded into the weights. Each label's threshold has the best smoothed F1 on the dev split.
Formality and politeness are read as percentiles of the training data. Three quarters of politeness come from a second
head: words, pairs, openings of sentences and courtesies (Danescu-Niculescu-Mizil et al. 2013) that three texts have, in
65,536 places (a bit each, and an int8 for those in use), and the other heads' margins, fitted to the ratings' ranks.
The seed is fixed: the same data give the same file.

\`joyful\` is admiration, amusement, approval, caring, desire, excitement, gratitude, joy, love, optimism, pride and relief;
\`angry\` is anger, annoyance, disapproval and disgust; \`sad\` is disappointment, embarrassment, grief, remorse and sadness;
\`anxious\` is fear and nervousness; \`surprised\` is surprise; \`curious\` is curiosity and confusion; the rest is \`neutral\`.
There is no head for \`focused\` and none for tone: they are put together from these heads by rule.

## Figures
${tableOf(figures)}

Ekman's heads are trained and measured in the same way and are not in the file. Formality and politeness have
no published split: each fifth of the corpus (drawn by seed within each source) is held out in turn, heads are trained on
the rest, and the mean of the five is the figure. The weights that ship did not see the first fifth. The figures are those of the rounded weights.

## Data and licences
- GoEmotions (Demszky et al., ACL 2020), Reddit comments, CC BY 4.0. Train, dev and test as published.
- Formality scores (Pavlick and Tetreault, TACL 2016; Lahiri 2015), CC BY 3.0.
- Stanford Politeness Corpus (Danescu-Niculescu-Mizil et al., ACL 2013), requests from Wikipedia and Stack Exchange,
  CC BY 4.0; the texts are CC BY-SA.

## Limits
English only. The comments are from Reddit of 2005-2019, so slang has moved on and irony is often missed. Rare emotions
(surprise, fear) are right about half the time. Politeness and formality are ratings by crowd workers.
`
}
