import { Events } from 'discord.js'
import { expect, test } from 'vitest'
import { login, teaHouse } from './discord/client.ts'
import { hasContract } from './discord/contract.ts'

test('a message reaches the real client, its answer and edit reach the channel', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  client.on(Events.MessageCreate, async (message) => {
    if (message.author.bot) return
    const reply = await message.reply({ content: `You said ${message.content}`, allowedMentions: { parse: [] } })
    await reply.edit({ content: 'Better so', allowedMentions: { parse: [] } })
  })
  discord.say(ann, channel, 'hello')
  const post = await discord.until('the edited answer', () =>
    discord.posts(channel).find((one) => one.editedAt !== null),
  )
  expect(post.content).toBe('Better so')
  expect(post.edits).toEqual(['You said hello'])
  expect(post.reference?.content).toBe('hello')
  expect(post.pinged).toEqual({ everyone: false, users: [], roles: [], replied: false })
})

test('waiting in vain tells what was seen', async () => {
  const { discord } = await teaHouse()
  await login(discord)
  const vain = discord.until('a miracle', () => false, 20)
  await expect(vain).rejects.toThrow(/Expected a miracle within 20 ms, saw:\nGET \/gateway\/bot .*→ 200\nsessions 1/)
})

test('direct chats, threads, replies and forwards come as such', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  const seen: string[] = []
  client.on(Events.MessageCreate, async (message) => {
    const snapshot = message.messageSnapshots.first()?.content
    const where = message.channel.isThread() ? 'thread' : message.channel.isDMBased() ? 'direct' : 'channel'
    seen.push(`${where}: ${message.content} ${message.reference?.messageId ?? ''} ${snapshot ?? ''}`.trim())
  })
  const first = discord.say(ann, channel, 'first')
  discord.say(ann, channel, 'second', { reply: first })
  discord.say(ann, channel, '', { forward: first })
  discord.say(ann, discord.thread(channel, 'oolong'), 'third')
  discord.say(ann, discord.dm(ann), 'fourth')
  await discord.until('five messages', () => seen.length === 5)
  expect(seen).toEqual([
    'channel: first',
    `channel: second ${first.id}`,
    `channel:  ${first.id} first`,
    'thread: third',
    'direct: fourth',
  ])
})

test('an edit, a found picture and deletions are told apart', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  const seen: string[] = []
  client.on(
    Events.MessageUpdate,
    (before, after) => void seen.push(`${before.content} → ${after.content} ${after.editedAt !== null}`),
  )
  client.on(Events.MessageDelete, (message) => void seen.push(`gone ${message.content}`))
  client.on(Events.MessageBulkDelete, (messages) => void seen.push(`gone ${messages.size}`))
  const [one, two, three] = ['one', 'two', 'three'].map((content) => discord.say(ann, channel, content))
  discord.unfurl(one!)
  discord.edit(one!, 'two')
  discord.delete(one!)
  discord.bulkDelete([two!, three!])
  await discord.until('four events', () => seen.length === 4)
  expect(seen).toEqual(['one → one false', 'one → two true', 'gone two', 'gone 2'])
})

test('who may do what stands in the roles of a member', async () => {
  const { discord, guild, channel, ann } = await teaHouse()
  const client = await login(discord)
  const seen: boolean[] = []
  client.on(Events.MessageCreate, (message) => void seen.push(message.member?.permissions.has('ManageGuild') ?? false))
  discord.say(ann, channel, 'as anyone')
  discord.member(guild, ann, { permissions: ['ManageGuild'], nick: 'Queen' })
  discord.say(ann, channel, 'as an admin')
  await discord.until('both', () => seen.length === 2)
  expect(seen).toEqual([false, true])
})

test('reactions arrive with the message they stand under', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  const seen: string[] = []
  client.on(
    Events.MessageReactionAdd,
    (reaction, user) => void seen.push(`+${reaction.emoji.name} ${user.id} ${reaction.message.id}`),
  )
  client.on(Events.MessageReactionRemove, (reaction) => void seen.push(`-${reaction.emoji.name}`))
  client.on(Events.MessageReactionRemoveAll, () => void seen.push('none'))
  client.on(Events.MessageReactionRemoveEmoji, (reaction) => void seen.push(`no ${reaction.emoji.name}`))
  const message = discord.say(ann, channel, 'hello')
  discord.react(ann, message, '👍')
  discord.unreact(ann, message, '👍')
  discord.react(ann, message, '👎')
  discord.clearEmoji(message, '👎')
  discord.clear(message)
  await discord.until('all reactions', () => seen.includes('none'))
  expect(seen).toEqual([`+👍 ${ann.id} ${message.id}`, '-👍', `+👎 ${ann.id} ${message.id}`, 'no 👎', 'none'])
  expect(message.reactions).toEqual({})
})

test.skipIf(!hasContract)('what discord.js sends is what Discord describes', async () => {
  const { discord, channel, ann } = await teaHouse()
  const client = await login(discord)
  client.on(Events.MessageCreate, async (message) => {
    if (message.author.bot || !message.channel.isSendable()) return
    await message.channel.sendTyping()
    await message.react('👍')
    await message.reply('Yes')
  })
  discord.say(ann, channel, 'hello')
  await discord.until('the answer', () => discord.posts(channel)[0])
  expect(discord.typing(channel)).toHaveLength(1)
  expect(discord.contractFaults()).toEqual([])
})
