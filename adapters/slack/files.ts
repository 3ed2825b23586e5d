/** Files that came with a message: which there are, and the words of one. */

import type { IncomingFile } from '../../src/adapter.ts'
import type { SlackFile } from './payloads.ts'

const MAX_BYTES = 200_000
const TEXT = /^text\/|^application\/(json|xml|x-yaml|yaml|toml|javascript|x-sh|sql|csv)\b/

/** Those that Slack tells enough of; a deleted or external one is none. */
export function filesOf(files: readonly SlackFile[] | undefined): IncomingFile[] {
  return (files ?? []).flatMap((file) => {
    const { name, size, url_private: url, mimetype = '', mode } = file
    if (url === undefined || size === undefined || mode === 'tombstone' || mode === 'external') return []
    const isText = TEXT.test(mimetype) || mode === 'snippet' || mode === 'post'
    return [{ name: name ?? 'a file', size, isText, source: { url } }]
  })
}

export interface Reading {
  readonly token: string
  /** Where files may be besides Slack's own hosts: the host of the API, for tests and gateways. */
  readonly apiUrl: string | null
  readonly signal: AbortSignal
}

/**
 * The words of a text file. The token goes to Slack's hosts and nowhere else, not even by a redirect.
 * @throws Error when it is elsewhere, too large, no text, or can't be had
 */
export async function readText(file: IncomingFile, { token, apiUrl, signal }: Reading): Promise<string> {
  const url = urlOf(file)
  if (url === null || !isSlacks(url, apiUrl)) throw new Error(`The file ${file.name} is not kept by Slack`)
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual', signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`Slack answered ${response.status} when asked for the file ${file.name}`)
  }
  if (/^text\/html/.test(response.headers.get('content-type') ?? '') && !/\.html?$/i.test(file.name)) {
    await response.body?.cancel()
    throw new Error(`Slack showed a page instead of the file ${file.name}: the scope \`files:read\` may be missing`)
  }
  return decoded(await atMost(response, file.name), file.name)
}

function urlOf({ source }: IncomingFile): URL | null {
  if (typeof source !== 'object' || source === null || !('url' in source) || typeof source.url !== 'string') return null
  return URL.canParse(source.url) ? new URL(source.url) : null
}

function isSlacks(url: URL, apiUrl: string | null): boolean {
  if (apiUrl !== null && url.origin === new URL(apiUrl).origin) return true
  return (
    url.protocol === 'https:' && /(^|\.)slack\.com$|(^|\.)slack-edge\.com$|(^|\.)slack-files\.com$/.test(url.hostname)
  )
}

async function atMost(response: Response, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`The file ${name} is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`The file ${name} is no text in UTF-8`)
  }
}
