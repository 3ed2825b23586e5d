/** /persona undo, of a version of the persona: the text before it is in force again, and no version is lost. */

import { addVersion, currentPersona, type Version } from '../store/personas.ts'
import type { CommandContext } from './command.ts'
import { sourceOf, type Text, versionsOf } from './versions.ts'

/** The last version that was not undone; what it undid itself counts as undone. */
export async function lastVersion(context: CommandContext): Promise<Version | undefined> {
  const { versions } = await versionsOf(context)
  return standing(versions, versions.at(-1))
}

/** An undo stands for what it put back; where that was forgotten, for what is left before it. */
function standing(versions: readonly Version[], from: Version | undefined): Version | undefined {
  let at = from
  while (at?.reason === 'undone') {
    const back = at.of ?? 0
    at = versions.findLast(({ version }) => version <= back)
  }
  return at
}

/** Puts back what was in force before that version. */
export async function undoVersion(context: CommandContext, undone: Version): Promise<string> {
  const { queries, message, now } = context
  const { texts } = await versionsOf(context)
  const before = texts.findLast(({ version }) => version < undone.version) as Text
  const back = { text: before.text, reason: 'undone', of: before.version, turnIds: [], score: null } as const
  const version = await addVersion(queries, message, { ...back, createdAt: now })
  const { isAuto } = await currentPersona(queries, message.workspace, message.author.id)
  const rest = isAuto ? '' : ' I leave it as it is until `/persona auto on`.'
  const what = `version ${undone.version} (${sourceOf(undone, now)})`
  return `Your persona is as before ${what}: the text of version ${before.version}, now version ${version}. \`/persona use ${undone.version}\` puts it back.${rest}`
}
