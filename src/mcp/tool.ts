/** A tool of a server as an action: its arguments are checked before it is called, its answer is data. */

import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import { type Action, type ActionContext, filledIn, objectFor, type Result, shortly } from '../actions/action.ts'
import { plain } from '../actions/plain.ts'
import { cut } from '../llm/budget.ts'
import { actionName, type Server } from './configuration.ts'
import { type ToolWords, wordsOfTool } from './words.ts'

/** Characters of what is taken from a server: a description, an answer; and of what is given to it. */
const DESCRIPTION = 300
const ANSWER = 1200
const ARGUMENTS = 4000

export interface OfferedTool extends Action {
  readonly words: ToolWords
}

/** @throws Error when it fails or is not done in time; the signal's reason when it aborts */
export type Call = (tool: string, given: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>

type Validate = JsonSchemaValidator<unknown>

/** @param check makes the check of a schema. @throws Error when it can't */
export function toolAction(
  server: Server,
  { name, title, description = title ?? '', inputSchema }: ListedTool,
  call: Call,
  check: (schema: JsonSchemaType) => Validate,
): OfferedTool {
  // Two tools may give their schemas the same id, and the dialect is the validator's.
  const { $schema: _, $id: __, ...parameters } = inputSchema
  const validate = check(parameters as JsonSchemaType)
  const action = actionName(server.name, name)
  const words = wordsOfTool(server.name, name, description)
  return {
    name: action,
    description: cut(plain(description).replaceAll(/\s+/g, ' '), DESCRIPTION) || `${name} of ${server.name}`,
    parameters,
    words,
    run: async (given, context) => {
      const checked = argumentsOf(action, given, validate)
      const answer = await called(action, server, () => call(name, checked, context.signal), context)
      return told(action, answer)
    },
  }
}

async function called(
  action: string,
  { timeoutMs }: Server,
  call: () => Promise<CallToolResult>,
  { signal }: ActionContext,
): Promise<CallToolResult> {
  try {
    return await call()
  } catch (error) {
    signal.throwIfAborted()
    // What a library says of a failed request may hold its address, and what a server says in an error is not checked.
    const isLate = error instanceof Error && 'code' in error && error.code === REQUEST_TIMEOUT
    const got = isLate ? `nothing within ${timeoutMs / 1000} seconds` : 'an error'
    throw new RangeError(`Expected \`${action}\` to answer, got ${got}`, { cause: error })
  }
}

const REQUEST_TIMEOUT = -32001

function argumentsOf(action: string, raw: unknown, validate: Validate): Record<string, unknown> {
  const given = objectFor(action, raw)
  if (JSON.stringify(given).length > ARGUMENTS) {
    throw new RangeError(`Expected the arguments of \`${action}\` to be at most ${ARGUMENTS} characters, got more`)
  }
  const filled = filledIn(given)
  const [asGiven, asMeant] = [validate(given), validate(filled)]
  if (asGiven.valid) return given
  if (asMeant.valid) return filled
  const fault = cut(plain(asMeant.errorMessage ?? ''), 200)
  throw new RangeError(`Expected the arguments of \`${action}\` to fit its schema, got ${shortly(given)}: ${fault}`)
}

/** @throws RangeError when the tool says that it failed */
function told(action: string, { content, structuredContent, isError }: CallToolResult): Result {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource') return 'text' in part.resource ? part.resource.text : '(a file that is not shown)'
    if (part.type === 'resource_link') return `${part.name} (${part.uri})`
    return part.type === 'image' ? '(a picture that is not shown)' : '(a sound that is not played)'
  })
  const whole = parts.length === 0 && structuredContent ? JSON.stringify(structuredContent) : parts.join('\n')
  // Cut before it is read through, as an answer may be a million characters long.
  const text = cut(plain(whole.slice(0, 10 * ANSWER)), ANSWER)
  if (isError)
    throw new RangeError(`Expected \`${action}\` to succeed, got ${text === '' ? 'an error' : shortly(text)}`)
  return { text: text === '' ? `${action} is done.` : text, source: `the tool \`${action}\`` }
}
