import { once } from 'node:events'
import { DiscordAPIError, RESTJSONErrorCodes, type TextChannel } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { login, teaHouse } from './discord/client.ts'

const POST = 'POST /channels/:channel/messages'

async function room() {
  const house = await teaHouse()
  const client = await login(house.discord, { enforceNonce: true })
  const there = await client.channels.fetch(house.channel.id)
  if (!there?.isTextBased() || there.isDMBased()) throw new Error('Expected a channel of a guild')
  return { ...house, client, there: there as TextChannel }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof DiscordAPIError ? error.code : String(error)),
  )

describe('faults', () => {
  test('a limit of rate is obeyed and the message posted once', async () => {
    const { discord, channel, there } = await room()
    discord.fault(POST, { rateLimited: 0.2, times: 2 })
    const begun = Date.now()
    await there.send('patience')
    expect(discord.requestsTo(POST).map(({ status }) => status)).toEqual([429, 429, 200])
    expect(Date.now() - begun).toBeGreaterThan(400)
    expect(discord.posts(channel)).toHaveLength(1)
  })

  test('a global limit holds back other routes as well', async () => {
    const { client, discord, there } = await room()
    discord.fault(POST, { rateLimited: 0.3, global: true })
    const limited = once(client.rest, 'rateLimited')
    const sent = there.send('patience')
    await limited
    const begun = Date.now()
    await there.sendTyping()
    expect(Date.now() - begun).toBeGreaterThan(200)
    await sent
  })

  test('a budget tells what is left, and discord.js stays within it', async () => {
    const { discord, there } = await room()
    discord.budget(POST, 2, 400)
    for (const content of ['one', 'two', 'three']) await there.send(content)
    const requests = discord.requestsTo(POST)
    expect(requests.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(requests[2]!.at - requests[0]!.at).toBeGreaterThanOrEqual(400)
  })

  test('a connection reset after the post was made is tried again, and the nonce keeps it one post', async () => {
    const { discord, channel, there } = await room()
    discord.fault(POST, { cut: 'reset' })
    const sent = await there.send('once')
    expect(discord.requestsTo(POST)).toHaveLength(2)
    expect(discord.posts(channel).map(({ id }) => id)).toEqual([sent.id])
  })

  test('a connection closed after the post was made fails at once, and trying again with the nonce finds the post', async () => {
    const { discord, channel, there } = await room()
    discord.fault(POST, { cut: 'closed' })
    const message = { content: 'once', nonce: '7', enforceNonce: true }
    await expect(there.send(message)).rejects.toThrow('other side closed')
    const sent = await there.send(message)
    expect(discord.posts(channel).map(({ id }) => id)).toEqual([sent.id])
  })

  test('after some minutes the nonce is forgotten', async () => {
    const { discord, channel, there } = await room()
    await there.send({ content: 'once', nonce: '7', enforceNonce: true })
    await there.send({ content: 'once', nonce: '7', enforceNonce: true })
    expect(discord.posts(channel)).toHaveLength(1)
    discord.advance(301_000)
    await there.send({ content: 'once', nonce: '7', enforceNonce: true })
    expect(discord.posts(channel)).toHaveLength(2)
  })

  test('server errors are tried again three times, then told', async () => {
    const { discord, channel, there } = await room()
    discord.fault(POST, { status: 503, times: 4 })
    await expect(there.send('no')).rejects.toThrow('Service Unavailable')
    expect(discord.requestsTo(POST)).toHaveLength(4)
    expect(discord.posts(channel)).toEqual([])
  })

  test('a request hangs until all is healthy again', async () => {
    const { discord, channel, there } = await room()
    discord.fault(POST, { hang: true })
    const sent = there.send('late')
    await discord.until('the request', () => discord.requestsTo(POST).length === 1)
    discord.healthy()
    await sent
    expect(discord.posts(channel)).toHaveLength(1)
  })

  test('any refusal can be asked for', async () => {
    const { discord, there } = await room()
    discord.fault(POST, { status: 403, code: 50013, message: 'Missing Permissions' })
    expect(await codeOf(there.send('no'))).toBe(RESTJSONErrorCodes.MissingPermissions)
  })
})

describe('what Discord refuses by itself', () => {
  test('more than 2000 characters, nothing at all, and a place it may not write to', async () => {
    const { discord, channel, there, ann } = await room()
    expect(await codeOf(there.send('x'.repeat(2000)))).toBe('done')
    expect(await codeOf(there.send('x'.repeat(2001)))).toBe(RESTJSONErrorCodes.InvalidFormBodyOrContentType)
    expect(await codeOf(there.send(' \n'))).toBe(RESTJSONErrorCodes.CannotSendAnEmptyMessage)
    discord.forbid(channel)
    expect(await codeOf(there.send('no'))).toBe(RESTJSONErrorCodes.MissingPermissions)
    discord.closeDms(ann)
    const direct = await there.client.users.createDM(ann.id)
    expect(await codeOf(direct.send('no'))).toBe(RESTJSONErrorCodes.CannotSendMessagesToThisUser)
  })

  test('edits of the words of others, and of what is gone', async () => {
    const { discord, channel, there, ann } = await room()
    const hers = discord.say(ann, channel, 'mine')
    expect(await codeOf(there.messages.edit(hers.id, 'yours'))).toBe(
      RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
    )
    const own = await there.send('gone')
    await own.delete()
    expect(await codeOf(there.messages.edit(own.id, 'back'))).toBe(RESTJSONErrorCodes.UnknownMessage)
  })

  test('a reply to a deleted message, unless the bot said it does not matter', async () => {
    const { discord, channel, there, ann } = await room()
    const question = discord.say(ann, channel, 'why?')
    discord.delete(question)
    const reply = (failIfNotExists: boolean) =>
      there.send({ content: 'because', reply: { messageReference: question.id, failIfNotExists } })
    expect(await codeOf(reply(true))).toBe(RESTJSONErrorCodes.InvalidFormBodyOrContentType)
    expect(await codeOf(reply(false))).toBe('done')
  })
})

test('whom a message notified is known, over its edits', async () => {
  const { discord, channel, ann, there } = await room()
  const everyone = `@everyone <@${ann.id}> <@&123>`
  await there.send(everyone)
  await there.send({ content: everyone, allowedMentions: { parse: [] } })
  const third = await there.send({ content: 'calm', allowedMentions: { parse: [] } })
  await third.edit({ content: everyone })
  await there.send({ content: everyone, allowedMentions: { parse: ['roles'], users: [ann.id] } })
  const all = { everyone: true, users: [ann.id], roles: ['123'], replied: false }
  const none = { everyone: false, users: [], roles: [], replied: false }
  expect(discord.posts(channel).map(({ pinged }) => pinged)).toEqual([all, none, all, { ...all, everyone: false }])
})

test('messages are read back newest first, on either side of one', async () => {
  const { discord, channel, ann, there } = await room()
  const [, two] = ['one', 'two', 'three', 'four'].map((content) => discord.say(ann, channel, content))
  const contents = async (options: object) =>
    [...(await there.messages.fetch({ cache: false, ...options })).values()].map(({ content }) => content)
  expect(await contents({ limit: 3 })).toEqual(['four', 'three', 'two'])
  expect(await contents({ after: two!.id, limit: 1 })).toEqual(['three'])
  expect(await contents({ before: two!.id })).toEqual(['one'])
})

test('pictures arrive, and stay or go when the message is edited', async () => {
  const { discord, channel, there } = await room()
  const sent = await there.send({ content: 'a chart', files: [{ attachment: Buffer.from('png'), name: 'chart.png' }] })
  const [post] = discord.posts(channel)
  expect(post!.files).toEqual([{ name: 'chart.png', bytes: Buffer.from('png') }])
  await sent.edit('still a chart')
  expect(post!.files).toHaveLength(1)
  await sent.edit({ attachments: [] })
  expect(post!.files).toEqual([])
})
