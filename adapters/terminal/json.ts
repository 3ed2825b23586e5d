/** The lines of `--json`: in, text or an object whose every key is checked; out, what became of a turn. */

import type { TurnRecord } from '../../src/adapter.ts'
import { isName, isWorkspace, NAME_RULE, shown, WORKSPACE_RULE } from './names.ts'
import { plainJson } from './plain.ts'
import type { Addressee, Said } from './said.ts'

export interface Speaker {
  readonly as: string
  readonly workspace: string
}

interface Field {
  readonly rule: string
  isRight(value: unknown): boolean
}

const FIELDS = new Map<string, Field>([
  ['text', { rule: 'text that is not blank', isRight: (value) => typeof value === 'string' && value.trim() !== '' }],
  ['as', { rule: NAME_RULE, isRight: isName }],
  ['channel', { rule: `\`direct\` or ${NAME_RULE}`, isRight: (value) => isName(value) && /[^#]/.test(value) }],
  ['workspace', { rule: WORKSPACE_RULE, isRight: isWorkspace }],
  ['at', { rule: 'a time like `2026-03-01T09:30:00Z`', isRight: (value) => toTime(value) !== undefined }],
  ['admin', { rule: '`true` or `false`', isRight: (value) => typeof value === 'boolean' }],
  ['id', { rule: 'a name of 1 to 80 characters on one line or a number', isRight: isId }],
])

/**
 * @param number the line's number, counted from 1: its id where none is given
 * @returns what was said, or the sentence that tells what is wrong
 */
export function parseRequest(line: string, number: number, speaker: Speaker): Said | { readonly error: string } {
  const plainly = { ...speaker, text: line, channel: 'direct', isAdmin: true, id: number, isGiven: false }
  if (!line.trimStart().startsWith('{')) return plainly
  const object = toObject(line)
  if (object === undefined) return { error: `Expected a JSON object, got \`${shown(line)}\`` }
  const error = findError(object)
  if (error !== undefined) return { error }
  const { text, as, channel, workspace, at, admin, id } = object
  const time = toTime(at)
  return {
    text: typeof text === 'string' ? text : '',
    as: typeof as === 'string' ? as : speaker.as,
    workspace: typeof workspace === 'string' ? workspace : speaker.workspace,
    channel: typeof channel === 'string' ? channel : 'direct',
    isAdmin: admin !== false,
    id: typeof id === 'string' || typeof id === 'number' ? id : number,
    isGiven: id !== undefined,
    ...(time && { at: time }),
  }
}

function toObject(line: string): Record<string, unknown> | undefined {
  try {
    // What begins with a brace is an object, if it is JSON at all.
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function findError(object: Record<string, unknown>): string | undefined {
  const keys = [...FIELDS.keys()].map((key) => `\`${key}\``).join(', ')
  for (const [key, value] of Object.entries(object)) {
    const field = FIELDS.get(key)
    if (!field) return `Expected no other keys than ${keys}, got \`${shown(key)}\``
    if (!field.isRight(value)) return `Expected \`${key}\` to be ${field.rule}, got \`${shown(JSON.stringify(value))}\``
  }
  return 'text' in object ? undefined : 'Expected `text` to be text that is not blank, got nothing'
}

function isId(value: unknown): boolean {
  return isName(value) || (typeof value === 'number' && Number.isFinite(value))
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** ISO 8601; a time without a zone is in UTC, so that a replay gives the same on every machine. */
function toTime(value: unknown): Date | undefined {
  const [, year, month, day, clock = '00:00', zone = 'Z'] = (typeof value === 'string' && TIME.exec(value)) || []
  if (year === undefined) return undefined
  // JavaScript takes the 30th of February for the 1st of March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined
  const time = new Date(`${year}-${month}-${day}T${clock}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

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
