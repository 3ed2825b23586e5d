/** /persona undo: puts back what was known before the last change that was noticed, and looks away for a while. */

import { shown } from '../preference/contexts.ts'
import { type Dimension, dimensions } from '../preference/dimensions.ts'
import { confirmedChanges, HOLD_TURNS, type Learned, restore, restoredFrom } from '../preference/learn.ts'
import { addObservation } from '../store/observations.ts'
import { holdPerson, type Known, loadKnown, loadLearned, saveLearned } from '../store/people.ts'
import { lastChange, type NoticedChange } from '../store/views.ts'
import { settingsOf } from '../workspace.ts'
import type { CommandContext } from './command.ts'
import { dayName } from './dates.ts'
import { lastVersion, undoVersion } from './undo-version.ts'

export async function undo(context: CommandContext): Promise<string> {
  const { queries, message } = context
  await holdPerson(queries, message)
  const [change, version] = [await lastChange(queries, message), await lastVersion(context)]
  if (version !== undefined && (change === undefined || version.createdAt >= change.askedAt)) {
    return undoVersion(context, version)
  }
  if (change !== undefined) return undoChange(context, change)
  return 'There is nothing to undo: I noticed no change in how you like to be answered, and your persona is as at first.'
}

async function undoChange({ queries, message, now }: CommandContext, change: NoticedChange): Promise<string> {
  const place = { ...message, context: change.context }
  const undone = dimensions.filter((dimension) => confirmedChanges(change.changes).includes(dimension))
  const before = await loadLearned(queries, place)
  const restored = restoredFrom(change.before, undone)
  const learned = restore(before, restored)
  await addObservation(queries, place, change.turnId, { kind: 'undo', evidence: {}, restored, before })
  await saveLearned(queries, place, learned)
  const known = await loadKnown(queries, message, 0)
  const sentences = [whatIsBack(undone, learned, known), whichChange(change, message.context, now)]
  return [...sentences, whatIsPinned(undone, known)].filter((sentence) => sentence !== '').join(' ')
}

function whatIsBack(undone: readonly Dimension[], learned: Learned, { tuning }: Known): string {
  const { labels } = shown(learned.own, learned.overall, settingsOf(tuning))
  const back = undone.map((dimension) => {
    const label = labels[dimension]
    return label === undefined ? `${dimension} is unknown again` : `${dimension} is ${label} again`
  })
  const them = undone.length === 1 ? 'it' : 'them'
  return capitalised(`${listed(back)}; I won't look for changes in ${them} for ${HOLD_TURNS} turns.`)
}

function whichChange({ askedAt, context }: NoticedChange, here: string, now: Date): string {
  const where = context === here ? '' : context === 'direct' ? ', in our direct chat' : ', in another channel'
  const day = dayName(askedAt, now)
  const when = /^[a-z]/.test(day) ? day : `on ${day}`
  return `(The change was noticed ${when}${where}.)`
}

function whatIsPinned(undone: readonly Dimension[], { pins }: Known): string {
  const pinned = undone.filter((dimension) => pins[dimension] !== undefined)
  if (pinned.length === 0) return ''
  return capitalised(`${listed(pinned.map((d) => `${d} stays pinned to ${pins[d]}`))}.`)
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
