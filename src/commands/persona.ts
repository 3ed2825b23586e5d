/** /persona: what is known of the person who asks, why they were answered so, and how they change it. */

import { type Command, type CommandContext, helpOn, pick } from './command.ts'
import { exportPerson } from './export.ts'
import { forget } from './forget.ts'
import { memory } from './memory.ts'
import { pause, resume } from './pause.ts'
import { pin, unpin } from './pins.ts'
import { reset } from './reset.ts'
import { undo } from './undo.ts'
import { auto, diff, edit, history, use } from './versions.ts'
import { view } from './view.ts'
import { why } from './why.ts'
import { nothingAfter } from './words.ts'

export const PERSONA: readonly Command[] = [
  { name: 'view', usage: '/persona', about: 'how you like to be answered, as far as I know', run: alone('view', view) },
  { name: 'why', usage: '/persona why', about: 'why my last reply here was as it was', run: alone('why', why) },
  { name: 'set', usage: '/persona set tone warm', about: 'settles one dimension, whatever I notice', run: pin },
  { name: 'unset', usage: '/persona unset tone', about: 'lets me notice it again; or `all`', run: unpin },
  {
    name: 'undo',
    usage: '/persona undo',
    about: 'takes back the last change that I noticed, or of your persona',
    run: alone('undo', undo),
  },
  { name: 'edit', usage: '/persona edit <text>', about: 'your persona in your own words', run: edit },
  {
    name: 'history',
    usage: '/persona history',
    about: 'the versions of your persona',
    run: alone('history', history),
  },
  { name: 'diff', usage: '/persona diff 3 4', about: 'what differs between two versions', run: diff },
  { name: 'use', usage: '/persona use 3', about: 'puts a version in force again', run: use },
  {
    name: 'auto',
    usage: '/persona auto on',
    about: 'whether I may rewrite your persona at night; or `off`',
    run: auto,
  },
  { name: 'reset', usage: '/persona reset', about: 'begins anew, once you confirm it', run: reset },
  {
    name: 'memory',
    usage: '/persona memory',
    about: 'what I know of you, and from what',
    run: alone('memory', memory),
  },
  { name: 'forget', usage: '/persona forget <words>', about: 'erases what mentions them; or `all`', run: forget },
  { name: 'pause', usage: '/persona pause', about: 'I answer, but keep nothing of you', run: alone('pause', pause) },
  { name: 'resume', usage: '/persona resume', about: 'I learn and remember again', run: alone('resume', resume) },
  {
    name: 'export',
    usage: '/persona export',
    about: 'everything that I keep of you, as JSON',
    run: alone('export', exportPerson),
  },
  { name: 'help', usage: '/persona help', about: 'this list', run: alone('help', async () => helpOn(PERSONA)) },
]

export async function runPersona(context: CommandContext, words: readonly string[]): Promise<string> {
  const [name = 'view', ...rest] = words
  return pick(PERSONA, name).run(context, rest)
}

/** A command that takes no words. */
function alone(name: string, run: (context: CommandContext) => Promise<string>): Command['run'] {
  return async (context, words) => {
    nothingAfter(`/persona ${name}`, words)
    return run(context)
  }
}
