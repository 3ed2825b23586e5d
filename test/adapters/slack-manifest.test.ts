import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { missingScopes, SCOPES } from '../../adapters/slack/scopes.ts'

const SCHEMA = '../shared/specs/slack-manifest.schema.json'
const manifest = JSON.parse(readFileSync('slack/manifest.json', 'utf8'))
const source = [
  readFileSync('adapters/slack.ts', 'utf8'),
  ...readdirSync('adapters/slack').map((file) => readFileSync(`adapters/slack/${file}`, 'utf8')),
].join('\n')

/** The scopes that allow a method, any of which may be needed (docs.slack.dev/reference/methods). */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.postMessage': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.appendStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.getPermalink': [],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'conversations.members': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.info': ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'users.info': ['users:read'],
  'assistant.threads.setStatus': ['assistant:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
}

/** What an event needs, and the names that Bolt knows it by (docs.slack.dev/reference/events). */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
  reaction_added: ['reactions:read'],
  reaction_removed: ['reactions:read'],
  tokens_revoked: [],
}

test.skipIf(!existsSync(SCHEMA))('the manifest is one that Slack takes', () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))
  validate(manifest)
  expect(validate.errors).toBeNull()
})

test('it asks for what the code uses, and nothing else', () => {
  const methods = [...source.matchAll(/client\.((?:[a-z]\w*\.)+[a-z]\w*)\(|apiCall\('([\w.]+)'/gi)].map(
    ([, called, named]) => called ?? named ?? '',
  )
  expect(methods.length).toBeGreaterThan(10)
  expect(methods.filter((method) => NEEDED[method] === undefined)).toEqual([])
  const scopes = new Set([
    ...methods.flatMap((method) => NEEDED[method] ?? []),
    ...Object.values(EVENTS).flat(),
    'commands',
    'files:read',
  ])
  expect(manifest.oauth_config.scopes.bot).toEqual([...scopes].sort())
  expect(Object.keys(SCOPES)).toEqual([...scopes].sort())
})

test('it subscribes to the events that are listened to, and no others', () => {
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(Object.keys(EVENTS))
  const heard = (name: string) =>
    [...source.matchAll(/app\.event\((?:'(\w+)'|\/(.+?)\/)/g)].some(
      ([, exact, pattern]) => exact === name || (pattern !== undefined && new RegExp(pattern).test(name)),
    )
  for (const event of Object.keys(EVENTS)) expect(heard(event.split('.')[0] ?? ''), event).toBe(true)
})

test('its commands are those that are taken', () => {
  const [, pattern = ''] = /app\.command\(\/(.+?)\/,/.exec(source) ?? []
  const commands: { command: string }[] = manifest.features.slash_commands
  expect(commands.map(({ command }) => command)).toEqual(['/persona', '/tune'])
  for (const { command } of commands) expect(command).toMatch(new RegExp(pattern))
})

test('a scope that is missing is told of: without the first ones nothing runs', () => {
  const warned: unknown[] = []
  missingScopes(undefined, () => warned.push(''))
  missingScopes(Object.keys(SCOPES), () => warned.push(''))
  expect(warned).toEqual([])
  const without = (name: string) => Object.keys(SCOPES).filter((scope) => scope !== name)
  missingScopes(without('reactions:read'), (facts) => warned.push(facts))
  expect(warned).toEqual([{ scope: 'reactions:read' }])
  expect(() => missingScopes(without('chat:write'), () => {})).toThrow(
    'The Slack app lacks the scope `chat:write`: add it under OAuth & Permissions and install the app anew',
  )
})
