/** Slack, by the list of behaviours that all platforms are held against. */

import { createSlack } from '../../adapters/slack.ts'
import { behaviours, type Stage, type Who } from '../behaviours.ts'
import { startSlack } from '../fakes/slack.ts'
import { openWalk, type Walk } from '../walk.ts'
import { FAST } from './slack-set.ts'

const USERS: Record<Who, string> = { ana: 'UANA', bea: 'UBEA', admin: 'UADMIN' }

type Said = { readonly channel: string; readonly ts: string }

behaviours('Slack', async (): Promise<Stage> => {
  const slack = await startSlack()
  let walk: Walk
  let stopping = new AbortController()
  let ran: Promise<void>
  const placeOf = (who: Who, where: 'direct' | 'channel') =>
    where === 'channel' ? 'CGENERAL' : `D${USERS[who].slice(1)}`
  const own = (channel: string) => slack.posts(channel).filter(({ user }) => user === 'UBOT')
  const commands = new Map<string, number>()
  return {
    streams: true,
    async start(database, script) {
      const platform = createSlack({
        botToken: slack.botToken,
        appToken: slack.appToken,
        apiUrl: slack.apiUrl,
        warn: () => {},
        ...FAST,
      })
      stopping = new AbortController()
      walk = openWalk(database, script, { platforms: [platform] })
      ran = platform.run(walk.bot, stopping.signal)
      await slack.connected(2)
      return walk
    },
    async stop() {
      stopping.abort()
      await walk.stop()
      await ran
    },
    say: (who, text, where) =>
      slack.say(USERS[who], placeOf(who, where), where === 'channel' ? `<@UBOT> ${text}` : text),
    sayUnder: (who, text, under) => {
      const { channel, ts } = under as Said
      return slack.say(USERS[who], channel, text, { thread: ts })
    },
    async command(who, text) {
      const [name = '', ...words] = text.split(' ')
      const whispers = () => slack.ephemerals(USERS[who], 'CGENERAL')
      const before = Math.max(commands.get(who) ?? 0, whispers().length)
      await slack.slash(USERS[who], 'CGENERAL', name, words.join(' ')).acked
      const found = await slack.until('the answer to a command', () => whispers()[before])
      commands.set(who, before + 1)
      return found.shown
    },
    posts: (who, where) => own(placeOf(who, where)).map((post) => ({ handle: post, text: post.shown })),
    rate(who, post, rating, change) {
      const emoji = rating === 'up' ? '+1' : '-1'
      if (change === 'give') slack.react(USERS[who], post as Said, emoji)
      else slack.unreact(USERS[who], post as Said, emoji)
    },
    edit: (said, text) => {
      const { channel } = said as Said
      slack.edit(said as Said, channel === 'CGENERAL' ? `<@UBOT> ${text}` : text)
    },
    remove: (said) => slack.remove(said as Said),
    pinged: () =>
      ['CGENERAL', 'DANA', 'DBEA'].flatMap((channel) =>
        own(channel).flatMap((post) => {
          const { users, groups, broadcasts } = slack.pings(post)
          return [...users, ...groups, ...broadcasts]
        }),
      ),
    until: (what, value) => slack.until(what, value),
    close: () => slack.close(),
  }
})
