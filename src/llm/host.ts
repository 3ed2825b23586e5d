/** The address of Ollama, read the way Ollama's own command line reads `OLLAMA_HOST`. */

import { isIPv6 } from 'node:net'

const DEFAULT_PORT = '11434'

/**
 * Reads `host`, `host:port`, `:port` or a whole http(s) address. Without a scheme the port is 11434, with one it is the scheme's own.
 * The address to listen on everywhere (0.0.0.0, ::) becomes the loopback one: it can't be called.
 * @throws RangeError: Expected `OLLAMA_HOST` to be …, got `…`
 */
export function parseHost(text: string): URL {
  const given = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  const scheme = /^https?:\/\//i.test(given)
  const authority = given.startsWith(':') && !given.startsWith('::') ? `127.0.0.1${given}` : given
  const address = scheme ? given : `http://${isIPv6(authority) ? `[${authority}]` : authority}`
  const readable = given !== '' && (scheme || !given.includes('://')) && URL.canParse(address)
  const url = readable ? new URL(address) : null
  if (url === null || url.port === '0' || url.username + url.password + url.search + url.hash !== '') {
    throw new RangeError(
      `Expected \`OLLAMA_HOST\` to be an address such as \`http://127.0.0.1:${DEFAULT_PORT}\` or \`host:port\`, got \`${shown(text)}\``,
    )
  }
  // URL drops `:80`, so the port has to be looked for in the text.
  if (!scheme && !/:\d+(\/|$)/.test(address.slice('http://'.length).replace(/^\[.*\]/, ''))) url.port = DEFAULT_PORT
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Whether the address means the machine (or the container) that asks. */
export function isLoopback(host: URL): boolean {
  return host.hostname === 'localhost' || host.hostname === '[::1]' || /^127\./.test(host.hostname)
}

/** An address as people write it, without the slash that URL adds. */
export function showHost(host: URL): string {
  return host.href.replace(/\/$/, '')
}

/** An address may carry a password. */
function shown(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@').slice(0, 80)
}
