/** The choice of an action in words, for models without tools: how it is asked for, and how its answer is read. */

import { z } from 'zod'
import type { Action } from './actions/action.ts'
import type { ToolCall } from './llm/chat.ts'

const Choice = z.object({ action: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })

/** A line for each, with what it takes. */
export function listOf(actions: readonly Action[]): string {
  return actions
    .map(
      ({ name, description, parameters }) =>
        `- ${name}: ${description} Arguments: ${JSON.stringify(fieldsOf(parameters))}`,
    )
    .join('\n')
}

/** The JSON schema of the answer: one of the actions with its arguments, or `answer`. */
export function choiceFormat(actions: readonly Action[]): object {
  const action = (name: string) => ({ type: 'string', enum: [name] })
  const choices = actions.map(({ name, parameters }) => {
    const properties = { action: action(name), arguments: parameters }
    return { type: 'object', properties, required: ['action', 'arguments'] }
  })
  return { anyOf: [{ type: 'object', properties: { action: action('answer') }, required: ['action'] }, ...choices] }
}

/** The action that was chosen; null: none, or nothing that can be read as one of those offered. */
export function callIn(text: string, actions: readonly Action[]): ToolCall | null {
  const choice = Choice.safeParse(jsonIn(text)).data
  if (choice === undefined || !actions.some(({ name }) => name === choice.action)) return null
  return { name: choice.action, arguments: choice.arguments }
}

const CALL =
  /<\/?tool_call>|^[\s`]*(?:json\s*)?\{\s*"(?:name|function|action)"\s*:\s*"[^"]*",\s*"(?:arguments|parameters)"/

/** Whether an answer is a call in words, as small models write them. It is never run. */
export function looksLikeCall(text: string, actions: readonly Action[]): boolean {
  const namesOne = /^[\s`]*(?:json\s*)?[{[<]/.test(text) && actions.some(({ name }) => text.includes(name))
  return namesOne || CALL.test(text)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is no choice.
    return null
  }
}

function fieldsOf(parameters: object): Record<string, string> {
  const properties: unknown = 'properties' in parameters ? parameters.properties : {}
  const fields = z.record(z.string(), z.object({ description: z.string() })).safeParse(properties).data ?? {}
  return Object.fromEntries(Object.entries(fields).map(([name, { description }]) => [name, description]))
}
