/** /persona export: everything that is kept of the person, as JSON. */

import { exportAll, KEPT } from '../store/erase.ts'
import type { CommandContext } from './command.ts'

export async function exportPerson({ queries, message, now }: CommandContext): Promise<string> {
  const tables = await exportAll(queries, message)
  const leftOut = KEPT.flatMap(({ table, derived }) => derived.map((column) => `${table}.${column}`))
  const whole = { person: message.author.id, workspace: message.workspace, at: now.toISOString(), tables, leftOut }
  // Backticks in a text would end the block; this way they are the same JSON.
  const json = JSON.stringify(whole, null, 2).replaceAll('```', '\\u0060\\u0060\\u0060')
  return `Everything that I keep of you in this workspace. \`leftOut\` names what is only computed from the rest, and erased with it.\n\n\`\`\`json\n${json}\n\`\`\``
}
