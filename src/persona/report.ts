/** What came of a run in words, for whoever runs the bot: people, reasons, figures, and each persona as a diff. */

import { structuredPatch } from 'diff'
import type { Pair } from './gate.ts'
import type { Worked } from './optimize.ts'

export interface ReportOptions {
  /** Nothing was written. */
  readonly isDry: boolean
  /** The advice, and what each score is made of. */
  readonly isExplained: boolean
}

/** Lines of plain text. Personas are shown; what people said is not. */
export function reportOf(worked: readonly Worked[], options: ReportOptions): string {
  const people = worked.filter(({ outcome }) => outcome !== 'not due')
  const count = (outcome: Worked['outcome']) => people.filter((one) => one.outcome === outcome).length
  const calls = people.reduce((sum, one) => sum + one.calls, 0)
  const seconds = people.reduce((sum, one) => sum + one.ms, 0) / 1000
  const counts = (['accepted', 'refused', 'returned', 'failed'] as const).map(
    (outcome) => `${count(outcome)} ${outcome}`,
  )
  const total = `${people.length} due: ${counts.join(', ')}; ${calls} calls of the model, ${seconds.toFixed(1)} s`
  const dry = options.isDry ? ['A dry run: nothing was written.'] : []
  return [...worked.map((one) => about(one, options)), total, ...dry].join('\n\n')
}

function about(one: Worked, { isExplained }: ReportOptions): string {
  const reason = one.reason === '' ? '' : `: ${one.reason}`
  const head = `${one.workspace} ${one.person} · ${one.outcome}${reason} · ${one.calls} calls, ${(one.ms / 1000).toFixed(1)} s`
  const { improvement: found } = one
  const advice = isExplained ? (found?.advice ?? []).map((line) => `  advice ${line}`) : []
  return [head, ...diffOf(one), ...advice, ...scoresOf(found, isExplained)].join('\n')
}

function diffOf({ before, after }: Worked): readonly string[] {
  if (after === null || after === before) return []
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 1 })
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return lines.filter((line) => !line.startsWith('\\')).map((line) => `  ${line}`)
}

function scoresOf(found: Worked['improvement'], isExplained: boolean): readonly string[] {
  if (found === null || found.verdict === null) return []
  const { gain, least, wins, losses } = found.verdict
  const total = `  gain ${gain.toFixed(3)} (at least ${least.toFixed(3)}), ${wins} won, ${losses} lost of ${found.pairs.length}`
  return [...found.pairs.map((pair) => pairOf(pair, isExplained)), total]
}

function pairOf({ turnId, before, after }: Pair, isExplained: boolean): string {
  const line = `  turn ${turnId}: ${before.total.toFixed(3)} -> ${after.total.toFixed(3)}`
  if (!isExplained) return line
  const parts = ({ off, rules, closeness }: Pair['before']) => {
    const away = Object.entries(off).map(([dimension, value]) => `${dimension} off by ${value.toFixed(2)}`)
    return [...away, `rules ${rules.toFixed(2)}`, ...(closeness === null ? [] : [`closeness ${closeness.toFixed(2)}`])]
  }
  return `${line}\n    before: ${parts(before).join(', ')}\n    after:  ${parts(after).join(', ')}`
}
