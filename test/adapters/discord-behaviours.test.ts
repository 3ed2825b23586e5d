/** Discord, by the list of behaviours that all platforms are held against. */

import { createDiscord } from '../../adapters/discord.ts'
import { behaviours, type Stage, type Where, type Who } from '../behaviours.ts'
import { startDiscord } from '../fakes/discord.ts'
import { openWalk, type Walk } from '../walk.ts'

behaviours('Discord', async (): Promise<Stage> => {
  const discord = await startDiscord()
  const guild = discord.guild('Tea house')
  const channel = discord.channel(guild, 'general')
  const users = { ana: discord.user('Ana'), bea: discord.user('Bea'), admin: discord.user('Admin') }
  discord.member(guild, users.ana)
  discord.member(guild, users.bea)
  discord.member(guild, users.admin, { permissions: ['ManageGuild'] })
  const chats = { ana: discord.dm(users.ana), bea: discord.dm(users.bea), admin: discord.dm(users.admin) }
  type Message = ReturnType<typeof discord.say>
  const placeOf = (who: Who, where: Where) => (where === 'channel' ? channel : chats[who])
  const mention = `<@${discord.bot.id}>`
  let walk: Walk
  let stopping = new AbortController()
  let ran: Promise<void>
  return {
    streams: true,
    async start(database, script) {
      const platform = createDiscord({
        token: discord.token,
        apiUrl: discord.api,
        shards: null,
        shardCount: null,
        warn: () => {},
      })
      stopping = new AbortController()
      walk = openWalk(database, script, { platforms: [platform] })
      const before = discord.sessions.size
      ran = platform.run(walk.bot, stopping.signal)
      await discord.until('a session', () => discord.sessions.size > before)
      await discord.until('the commands', () => discord.commands().length > 0)
      return walk
    },
    async stop() {
      stopping.abort()
      await walk.stop()
      await ran
    },
    say: (who, text, where) =>
      discord.say(users[who], placeOf(who, where), where === 'channel' ? `${mention} ${text}` : text),
    async command(who, text) {
      const [name = '', ...words] = text.slice(1).split(' ')
      const given = discord.slash(users[who], channel, name, words.length === 0 ? {} : { text: words.join(' ') }, {
        overridden: true,
      })
      return discord.until('the answer to a command', () => given.original?.content)
    },
    posts: (who, where) => discord.posts(placeOf(who, where)).map((post) => ({ handle: post, text: post.content })),
    rate(who, post, rating, change) {
      const emoji = rating === 'up' ? '👍' : '👎'
      if (change === 'give') discord.react(users[who], post as Message, emoji)
      else discord.unreact(users[who], post as Message, emoji)
    },
    edit: (said, text) => {
      const message = said as Message
      discord.edit(message, message.content.startsWith(mention) ? `${mention} ${text}` : text)
    },
    remove: (said) => discord.delete(said as Message),
    pinged: () =>
      [channel, chats.ana, chats.bea].flatMap((place) =>
        discord
          .posts(place)
          .flatMap(({ pinged }) => [
            ...(pinged.everyone ? ['everyone'] : []),
            ...pinged.users,
            ...pinged.roles,
            ...(pinged.replied ? ['replied'] : []),
          ]),
      ),
    until: (what, value) => discord.until(what, value) as never,
    close: () => discord.close(),
  }
})
