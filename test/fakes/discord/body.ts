/** The body of a request: JSON, or a form with `payload_json` and files, as bots send pictures. */

import type { IncomingMessage } from 'node:http'
import type { Attached, Payload } from './world.ts'

export interface Body {
  readonly json: unknown
  readonly files: readonly Attached[]
}

export function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Resolves with `json` undefined where there is no body. Rejects when the client goes away or sends no JSON. */
export async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0) return { json: undefined, files: [] }
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return { json: JSON.parse(bytes.toString()), files: [] }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files: Attached[] = []
  for (const [, value] of form)
    if (typeof value !== 'string') files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  const json = form.get('payload_json')
  return { json: typeof json === 'string' ? JSON.parse(json) : {}, files }
}
