import { App, LogLevel, SocketModeReceiver } from '@slack/bolt'
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeSlack, type SlackOptions, startSlack } from './slack.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function fake(options: SlackOptions = {}): Promise<FakeSlack> {
  const slack = await startSlack(options)
  closing.push(() => slack.close())
  return slack
}

/** The real thing, in Socket Mode, connected. */
async function connect(slack: FakeSlack, prepare: (app: App) => void = () => {}): Promise<App> {
  const clientOptions = { ...slack.clientOptions, retryConfig: { retries: 1, minTimeout: 10, maxTimeout: 10 } }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions },
    // Reconnecting waits as long as a missing pong may: 5 s by default.
    clientPingTimeout: 150,
  })
  const app = new App({ token: slack.botToken, receiver, clientOptions, logLevel: LogLevel.ERROR })
  app.error(async () => {})
  prepare(app)
  await app.start()
  closing.push(() => app.stop())
  await slack.connected()
  return app
}

/** Texts of the messages the app gets. */
function listen(app: App, heard: string[]): void {
  app.message(async ({ message }) => {
    if ('text' in message && message.text !== undefined) heard.push(message.text)
  })
}

describe('Socket Mode', () => {
  test('greets, delivers a message and takes the acknowledgement', async () => {
    const slack = await fake()
    const heard: string[] = []
    await connect(slack, (app) => listen(app, heard))
    slack.say('UANA', 'DANA', 'hello')
    await slack.until('the message', () => heard.length === 1)
    expect(heard).toEqual(['hello'])
    const [delivery] = slack.deliveries()
    expect(delivery).toMatchObject({ type: 'events_api', attempt: 0, missed: false })
    await slack.until('the acknowledgement', () => delivery?.ackedAfter !== undefined)
    expect(slack.requests('auth.test')).toHaveLength(1)
    expect(slack.requests('apps.connections.open')[0]?.token).toBe(slack.appToken)
  })

  test('sends what was not acknowledged again, three times, with its number and reason', async () => {
    const slack = await fake({ deadline: 30, retryAfter: [0, 0, 0] })
    const tries: unknown[] = []
    await connect(slack, (app) => {
      app.message(async ({ context }) => void tries.push([context.retryNum, context.retryReason]))
    })
    slack.loseAcks(4)
    slack.say('UANA', 'DANA', 'hello')
    await slack.until('four tries', () => tries.length === 4)
    expect(tries).toEqual([
      [0, ''],
      [1, 'timeout'],
      [2, 'timeout'],
      [3, 'timeout'],
    ])
    const ids = slack.deliveries().map(({ payload }) => payload['event_id'])
    expect(new Set(ids).size).toBe(1)
    expect(slack.retrying()).toBe(0)
  })

  test('a command that nobody acknowledges times out and is not sent again', async () => {
    const slack = await fake({ deadline: 50 })
    await connect(slack, (app) => app.command('/persona', async () => {}))
    const { acked, delivery } = slack.slash('UANA', 'CGENERAL', '/persona', 'history')
    expect(await acked).toBeUndefined()
    expect(delivery.missed).toBe(true)
    expect(slack.deliveries('slash_commands')).toHaveLength(1)
  })

  test.each(['refresh', 'drop'] as const)('the client comes back after a %s and gets what it missed', async (fault) => {
    const slack = await fake({ retryAfter: [60_000] })
    const heard: string[] = []
    await connect(slack, (app) => listen(app, heard))
    slack[fault]()
    await slack.until('no socket', () => slack.sockets() === 0)
    slack.say('UANA', 'DANA', 'anyone?')
    await slack.until('a waiting redelivery', () => slack.retrying() === 1)
    await slack.connected()
    expect(slack.retryNow()).toBe(1)
    await slack.until('the message', () => heard.length === 1)
    expect(slack.addresses()).toBe(2)
  })

  test('without pongs the client gives the socket up', async () => {
    const slack = await fake()
    const heard: string[] = []
    await connect(slack, (app) => listen(app, heard))
    slack.mute()
    await slack.until('another socket', () => slack.addresses() >= 2)
    slack.mute(false)
    await slack.connected()
    slack.say('UANA', 'DANA', 'still there?')
    await slack.until('the message', () => heard.length > 0)
  })

  test('an outage ends with the client connected again', async () => {
    const slack = await fake()
    const heard: string[] = []
    const app = await connect(slack, (one) => listen(one, heard))
    slack.outage()
    await expect(app.client.auth.test()).rejects.toThrow()
    slack.restore()
    await slack.connected()
    slack.say('UANA', 'DANA', 'back?')
    await slack.until('the message', () => heard.length > 0)
    expect(await app.client.auth.test()).toMatchObject({ user_id: 'UBOT' })
  })

  test('an event goes to one of several sockets; a duplicate and a reversed order reach the app', async () => {
    const slack = await fake()
    const heard: string[] = []
    await connect(slack, (app) => listen(app, heard))
    await connect(slack, (app) => listen(app, heard))
    await slack.connected(2)
    slack.duplicateNext()
    slack.say('UANA', 'DANA', 'twice')
    await slack.until('both', () => heard.length === 2)
    expect(heard).toEqual(['twice', 'twice'])
    slack.hold()
    for (const text of ['first', 'second', 'third']) slack.say('UANA', 'DANA', text)
    slack.release('reversed')
    await slack.until('all', () => heard.length === 5)
    const texts = slack
      .deliveries()
      .map(({ payload }) => Object.entries(payload['event'] ?? {}).find(([key]) => key === 'text')?.[1])
    expect(texts.slice(2)).toEqual(['third', 'second', 'first'])
  })
})

describe('The Web API', () => {
  const THREAD = { recipient_team_id: 'T1', recipient_user_id: 'UANA' }

  test('a mention fires `message` and `app_mention` with different ids, and the reply is seen in its thread', async () => {
    const slack = await fake()
    const events: string[] = []
    const app = await connect(slack, (one) => {
      one.event('app_mention', async ({ event, body, say }) => {
        events.push(body.event_id)
        await say({ text: 'Hi <@UANA>, not &lt;!channel&gt;', thread_ts: event.ts })
      })
      one.message(async ({ body }) => void events.push(body.event_id))
    })
    const root = slack.say('UANA', 'CGENERAL', '<@UBOT> hello')
    const reply = await slack.until('a reply', () => slack.posts('CGENERAL', { thread: root.ts })[1])
    await slack.until('both events', () => events.length >= 2)
    expect(new Set(events).size).toBe(events.length)
    expect(slack.pings(reply)).toEqual({ users: ['UANA'], groups: [], broadcasts: [] })
    await app.client.chat.update({ channel: 'CGENERAL', ts: reply.ts, text: 'Hello' })
    const changed = () => slack.deliveries().find(({ payload }) => JSON.stringify(payload).includes('message_changed'))
    expect((await slack.until('message_changed', changed)).payload).toMatchObject({
      event: { message: { user: 'UBOT', bot_id: 'BBOT', text: 'Hello' }, previous_message: { text: reply.text } },
    })
  })

  test('429 is obeyed; a cut after the post was made leaves it twice', async () => {
    const slack = await fake()
    const app = await connect(slack)
    slack.fail('chat.postMessage', { retryAfter: 0 })
    await app.client.chat.postMessage({ channel: 'CGENERAL', text: 'once' })
    expect(slack.requests('chat.postMessage').map(({ answer }) => answer)).toMatchObject([429, { ok: true }])
    slack.fail('chat.postMessage', { cut: 'after' })
    await app.client.chat.postMessage({ channel: 'CGENERAL', text: 'twice' })
    expect(slack.posts('CGENERAL').map(({ text }) => text)).toEqual(['once', 'twice', 'twice'])
  })

  test('a stream grows, ends, and then takes no more; nobody edits it before', async () => {
    const slack = await fake()
    const { client } = await connect(slack)
    const root = slack.say('UANA', 'CGENERAL', '<@UBOT> tell me')
    const streamer = client.chatStream({ channel: 'CGENERAL', thread_ts: root.ts, buffer_size: 1, ...THREAD })
    await streamer.append({ markdown_text: 'Once ' })
    await streamer.append({ markdown_text: 'upon a time' })
    const [, growing] = slack.posts('CGENERAL')
    expect(growing).toMatchObject({ shown: 'Once upon a time', streaming: true, thread: root.ts })
    const place = { channel: 'CGENERAL', ts: growing?.ts ?? '' }
    await expect(client.chat.update({ ...place, text: 'x' })).rejects.toThrow('streaming_state_conflict')
    expect(slack.endStreams()).toBe(1)
    await expect(streamer.append({ markdown_text: '.' })).rejects.toThrow('message_not_in_streaming_state')
    await client.chat.update({ ...place, text: 'The end', blocks: [] })
    expect(slack.post(place)?.shown).toBe('The end')
  })

  test.each([
    ['thread_ts', { recipient_team_id: 'T1', recipient_user_id: 'UANA' }, 'invalid_arguments'],
    ['recipient_team_id', { recipient_user_id: 'UANA' }, 'missing_recipient_team_id'],
    ['recipient_user_id', { recipient_team_id: 'T1' }, 'missing_recipient_user_id'],
  ])('a stream in a channel needs %s', async (missing, given, error) => {
    const slack = await fake()
    const { client } = await connect(slack)
    const { ts } = slack.say('UANA', 'CGENERAL', 'hi')
    const args = { channel: 'CGENERAL', ...given, ...(missing === 'thread_ts' ? {} : { thread_ts: ts }) }
    await expect(client.apiCall('chat.startStream', args)).rejects.toThrow(error)
  })

  const section = (length: number) => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } })

  test.each([
    ['no_text', { text: ' \n' }],
    ['no_text', {}],
    ['invalid_blocks', { text: 'x', blocks: [section(3001)] }],
    ['invalid_blocks', { text: 'x', blocks: Array.from({ length: 51 }, () => section(1)) }],
    ['msg_blocks_too_long', { text: 'x', blocks: Array.from({ length: 5 }, () => section(2660)) }],
    ['msg_too_long', { markdown_text: 'x'.repeat(12_001) }],
    ['channel_not_found', { channel: 'CNOWHERE', text: 'x' }],
    ['not_in_channel', { channel: 'CRANDOM', text: 'x' }],
    ['thread_not_found', { text: 'x', thread_ts: '1.000001' }],
  ])('chat.postMessage refuses with %s', async (error, args) => {
    const slack = await fake()
    const { client } = await connect(slack)
    await expect(client.apiCall('chat.postMessage', { channel: 'CGENERAL', ...args })).rejects.toThrow(error)
    expect([...slack.posts('CGENERAL'), ...slack.posts('CRANDOM')]).toEqual([])
  })

  test('long text is cut at 40,000 characters, and refused in an update above 4,000', async () => {
    const slack = await fake()
    const { client } = await connect(slack)
    const { ts = '' } = await client.chat.postMessage({ channel: 'DANA', text: 'x'.repeat(40_001) })
    expect(slack.posts('DANA')[0]?.text).toHaveLength(40_000)
    const long = { channel: 'DANA', ts, text: 'x'.repeat(4_001) }
    await expect(client.chat.update(long)).rejects.toThrow('msg_too_long')
  })

  test('scopes and tokens count', async () => {
    const slack = await fake()
    const { client } = await connect(slack)
    expect((await client.users.info({ user: 'UPRIMARY' })).user).toMatchObject({ is_primary_owner: true })
    slack.scopes.delete('users:read')
    await expect(client.users.info({ user: 'UANA' })).rejects.toThrow('missing_scope')
    slack.revoke('bot')
    await expect(client.auth.test()).rejects.toThrow('token_revoked')
  })
})
