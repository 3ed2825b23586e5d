/** Whether a message has to do with a tool, by the words that they share: without it a tool is not offered. */

import { contentOf } from '../memory/profile-words.ts'

/** Words that nearly every tool has, or nearly every message. */
const GENERIC = contentOf(
  `get list read search find look create add update set delete remove fetch query run tool use return result results data
  info information item items id name value text user show give make provide provides given specific such all any each
  can help time day today want need know tell please what which how when where who work thing example one`,
)
/** A description tells what a tool is for at its beginning. */
const DESCRIPTION = 200
/** A word of the name weighs as much as is needed, one of the description half of it. */
export const ENOUGH = 2

export interface ToolWords {
  readonly named: ReadonlySet<string>
  readonly described: ReadonlySet<string>
}

export function wordsOfTool(server: string, tool: string, description: string): ToolWords {
  const named = telling(`${server} ${tool}`)
  const described = telling(description.slice(0, DESCRIPTION))
  return { named, described: new Set([...described].filter((word) => !named.has(word))) }
}

/** From 0; from `ENOUGH` on the tool may help. `said`: the telling words of the message. */
export function weightOf({ named, described }: ToolWords, said: ReadonlySet<string>): number {
  const shared = (words: ReadonlySet<string>) => [...words].filter((word) => said.has(word)).length
  return ENOUGH * shared(named) + shared(described)
}

/** The stems that tell tools apart; `searchIssues` and `search_issues` are two words. */
export function telling(text: string): ReadonlySet<string> {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])|[_./-]+/g, ' ')
  return new Set([...contentOf(words)].filter((word) => !GENERIC.has(word)))
}
