import { expect, test } from 'vitest'
import { teaHouse } from './discord-set.ts'

test('a mention is answered as a reply that pings nobody', async () => {
  const { discord, bot, channel, guild, ann, mention, answer } = await teaHouse()
  const said = discord.say(ann, channel, `${mention} hello there`)
  await discord.until('the message', () => bot.received[0])
  expect(bot.received).toMatchObject([
    {
      id: `discord:${guild.id}:${channel.id}:${said.id}`,
      workspace: `discord:${guild.id}`,
      conversation: `discord:${guild.id}:${channel.id}`,
      context: `discord:${guild.id}:${channel.id}`,
      author: { id: ann.id, name: 'Ann', isAdmin: false },
      text: 'hello there',
    },
  ])
  const ids = await answer('Hi @everyone, *Ann*.')
  const [post] = discord.posts(channel)
  expect(ids).toEqual([`discord:${guild.id}:${channel.id}:${post?.id}`])
  expect(post?.reference?.id).toBe(said.id)
  expect(post?.pinged).toEqual({ everyone: false, users: [], roles: [], replied: false })
  expect(discord.typing(channel)).toHaveLength(1)
})

test('a direct chat is a workspace of its own', async () => {
  const { discord, bot, ann, answer } = await teaHouse()
  const dm = discord.dm(ann)
  discord.say(ann, dm, 'psst')
  await discord.until('the message', () => bot.received[0])
  expect(bot.received).toMatchObject([
    {
      workspace: `discord:dm-${ann.id}`,
      conversation: `discord:dm:${dm.id}`,
      context: 'direct',
      text: 'psst',
      author: { isAdmin: true },
    },
  ])
  await answer('yes?')
  expect(discord.posts(dm).map(({ content }) => content)).toEqual(['yes?'])
})

test('in a thread it answers in the thread, which belongs to its channel', async () => {
  const { discord, bot, guild, channel, ann, mention, answer } = await teaHouse()
  const thread = discord.thread(channel, 'oolong')
  discord.say(ann, thread, `${mention} which?`)
  await discord.until('the message', () => bot.received[0])
  expect(bot.received).toMatchObject([
    { conversation: `discord:${guild.id}:${thread.id}`, context: `discord:${guild.id}:${channel.id}` },
  ])
  await answer('This one.')
  expect(discord.posts(thread)).toHaveLength(1)
  expect(discord.posts(channel)).toHaveLength(0)
})

test('a reply to its own post is for it; other talk, other bots and system messages are not', async () => {
  const { discord, bot, channel, ann, bob, mention, answer } = await teaHouse()
  const robo = discord.user('Robo', { bot: true })
  discord.say(ann, channel, 'just talking')
  discord.say(robo, channel, `${mention} beep`)
  discord.say(ann, channel, `${mention} first`)
  await discord.until('the message', () => bot.received[0])
  await answer('an answer')
  discord.say(bob, channel, `${mention} go on`, { reply: discord.posts(channel)[0]! })
  await discord.until('the reply', () => bot.received[1])
  expect(bot.received.map(({ text, author }) => `${author.name}: ${text}`)).toEqual(['Ann: first', 'Bobby: go on'])
})

test('a reply to a message that was deleted meanwhile is posted all the same', async () => {
  const { discord, bot, channel, ann, mention, answer } = await teaHouse()
  const said = discord.say(ann, channel, `${mention} hello`)
  await discord.until('the message', () => bot.received[0])
  discord.delete(said)
  await answer('too late')
  expect(discord.posts(channel).map(({ content }) => content)).toEqual(['too late'])
})
