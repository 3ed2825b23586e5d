import { type Client, Events, Options } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { clientOf, heard, login, PLAIN, teaHouse } from './discord/client.ts'

describe('a lost connection', () => {
  test.each([
    ['op 7', 'reconnect'],
    ['a TCP kill', 'drop'],
  ] as const)('%s ends in a resumption, and what was said meanwhile is heard once, in order', async (_, trouble) => {
    const { discord, channel, ann } = await teaHouse()
    const client = await login(discord)
    const contents = heard(client)
    discord.say(ann, channel, 'before')
    await discord.until('the first message', () => contents.length === 1)
    discord[trouble]()
    if (trouble === 'drop')
      await discord.until('the loss', () => [...discord.sessions].every(({ socket }) => socket === null))
    discord.say(ann, channel, 'meanwhile')
    discord.say(ann, channel, 'and more')
    await discord.until('the missed messages', () => contents.length >= 3)
    await discord.until('the resumption', () => discord.counts.resumes === 1)
    discord.say(ann, channel, 'after')
    await discord.until('the last message', () => contents.includes('after'))
    expect(contents).toEqual(['before', 'meanwhile', 'and more', 'after'])
    expect(discord.counts.identifies).toBe(1)
  })

  test('an invalid session begins anew without what was missed and without a second clientReady', async () => {
    const { discord, channel, ann } = await teaHouse()
    const client = await login(discord)
    const contents = heard(client)
    let readies = 0
    client.on(Events.ClientReady, () => {
      readies += 1
    })
    discord.invalidate()
    discord.say(ann, channel, 'lost')
    await discord.until('the new session', () => discord.counts.identifies === 2 && discord.sessions.size === 1, 10_000)
    discord.say(ann, channel, 'heard')
    await discord.until('the message', () => contents.length > 0)
    expect(contents).toEqual(['heard'])
    expect(readies).toBe(0)
  })

  test('a heartbeat that is not acknowledged makes the client reconnect', async () => {
    const { discord, channel, ann } = await teaHouse({ heartbeat: 100 })
    const contents = heard(await login(discord))
    discord.missHeartbeats(true)
    await discord.until('the resumption', () => discord.counts.resumes === 1)
    discord.missHeartbeats(false)
    discord.say(ann, channel, 'still here')
    await discord.until('the message', () => contents.includes('still here'))
  })

  test('while all is down nobody can log in, and a client that was in comes back by itself', async () => {
    const { discord, channel, ann } = await teaHouse()
    const contents = heard(await login(discord))
    discord.down()
    await expect(clientOf(discord, { rest: { retries: 0 } }).login(discord.token)).rejects.toThrow()
    discord.say(ann, channel, 'in the dark')
    discord.up()
    await discord.until('the message', () => contents.includes('in the dark'))
  })
})

describe('a refused login', () => {
  test('a wrong token is refused', async () => {
    const { discord } = await teaHouse()
    await expect(clientOf(discord).login('wrong')).rejects.toThrow('An invalid token was provided.')
  })

  test('the intent for message content, not switched on in the portal, is refused', async () => {
    const { discord } = await teaHouse({ messageContent: false })
    await expect(clientOf(discord).login(discord.token)).rejects.toThrow('Used disallowed intents')
    await login(discord, { intents: PLAIN })
    expect(discord.sessions.size).toBe(1)
  })
})

test('without the content intent words are blank, but for mentions, direct and own messages', async () => {
  const { discord, channel, ann } = await teaHouse({ messageContent: false })
  const client = await login(discord, { intents: PLAIN })
  const seen: string[] = []
  client.on(Events.MessageCreate, (message) => void seen.push(message.content))
  discord.say(ann, channel, 'a secret')
  discord.say(ann, channel, `<@${discord.bot.id}> hello`)
  discord.say(ann, discord.dm(ann), 'between us')
  const there = await client.channels.fetch(channel.id)
  if (there?.isSendable()) await there.send('my own')
  await discord.until('four messages', () => seen.length === 4)
  expect(seen).toEqual(['', `<@${discord.bot.id}> hello`, 'between us', 'my own'])
})

test('a dispatch can come twice, and in the other order', async () => {
  const { discord, channel, ann } = await teaHouse()
  // With its cache of messages discord.js drops the second one itself.
  const contents = heard(await login(discord, { makeCache: Options.cacheWithLimits({ MessageManager: 0 }) }))
  discord.duplicate()
  discord.say(ann, channel, 'one')
  discord.hold()
  discord.say(ann, channel, 'two')
  discord.say(ann, channel, 'three')
  discord.release('reversed')
  await discord.until('all messages', () => contents.length === 4)
  expect(contents).toEqual(['one', 'one', 'three', 'two'])
})

test('each shard hears its guilds, the first one direct messages; two clients of a shard hear all', async () => {
  const { discord, ann } = await teaHouse()
  const shardOf = (index: number) =>
    discord.guild(`of ${index}`, String((BigInt(Date.now()) << 23n) | (BigInt(index) << 22n)))
  const guilds = [shardOf(0), shardOf(1)]
  const channels = guilds.map((guild) => discord.channel(guild, 'general'))
  const lists: string[][] = []
  for (const shards of [[0], [1], [1]]) lists.push(heard(await login(discord, { shards, shardCount: 2 })))
  for (const [index, channel] of channels.entries()) discord.say(ann, channel, `in ${index}`)
  discord.say(ann, discord.dm(ann), 'direct')
  await discord.until('all messages', () => lists.flat().length === 4)
  expect(lists).toEqual([['in 0', 'direct'], ['in 1'], ['in 1']])
})

test('a removal is told apart from an outage, a new invitation from its end', async () => {
  const { discord, guild } = await teaHouse()
  const client: Client = await login(discord)
  const seen: string[] = []
  for (const event of [Events.GuildCreate, Events.GuildDelete, Events.GuildUnavailable, Events.GuildAvailable] as const)
    client.on(event, (where) => void seen.push(`${event} ${where.id === guild.id}`))
  discord.outage(guild)
  discord.recover(guild)
  discord.kick(guild)
  discord.invite(guild)
  await discord.until('four events', () => seen.length === 4)
  expect(seen).toEqual(['guildUnavailable true', 'guildAvailable true', 'guildDelete true', 'guildCreate true'])
})
