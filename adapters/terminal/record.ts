/** What became of a turn, as one line of JSON. */

import type { TurnRecord } from '../../src/adapter.ts'
import { plainJson } from './plain.ts'
import type { Addressee } from './said.ts'

/** @param to the lines of input that were answered together, by one person in one channel; the last one counts */
export function toRecordLine(to: readonly Addressee[], record: TurnRecord): string {
  const ids = to.map((addressee) => addressee.id)
  const last = to.at(-1)
  const as = last?.as || record.as
  if (record.rated !== undefined) return plainJson({ ids, as, rated: record.rated })
  const { reply, directive, observed, estimate, events, recalled, actions, model, ms } = record
  const channel = last?.channel || 'direct'
  const milliseconds = { own: ms.own, model: ms.model }
  return plainJson({
    ids,
    as,
    channel,
    reply,
    directive,
    observed,
    estimate,
    events,
    recalled,
    actions,
    model,
    ms: milliseconds,
  })
}

export function toErrorLine(line: number, error: string): string {
  return plainJson({ ids: [line], error })
}
