/** The doings as a test calls them, bound to one fake Slack. */

import * as doings from './doings.ts'
import { changePost } from './posting.ts'
import { type Shown, shown } from './sight.ts'
import type { Data } from './world.ts'

export function people(doer: doings.Doer) {
  return {
    say: (user: string, channel: string, text: string, saying?: doings.Saying): Shown =>
      shown(doings.say(doer, user, channel, text, saying)),
    edit: (post: doings.Place, text: string): void => doings.edit(doer, post, text),
    unfurl: (post: doings.Place, attachments: readonly Data[]): void => doings.unfurl(doer, post, attachments),
    remove: (post: doings.Place): void => doings.remove(doer, post),
    /** @param hasAuthor Whether the event says whose post it was (`item_user`). */
    react: (user: string, post: doings.Place, name: string, hasAuthor = true): void =>
      doings.setEmoji(doer, user, post, name, true, hasAuthor),
    unreact: (user: string, post: doings.Place, name: string, hasAuthor = true): void =>
      doings.setEmoji(doer, user, post, name, false, hasAuthor),
    slash: (user: string, channel: string, command: string, text = ''): doings.Interaction =>
      doings.slash(doer, user, channel, command, text),
    click: (user: string, post: doings.Place, actionId: string, chosen?: Data): doings.Interaction =>
      doings.click(doer, user, post, actionId, chosen),
    submitView: (user: string, view: string, values: Data): doings.Interaction =>
      doings.submitView(doer, user, view, values),
    openHome: (user: string, tab: 'home' | 'messages' = 'messages'): void => doings.openHome(doer, user, tab),
    join: (user: string, channel: string): void => doings.setMember(doer, user, channel, true),
    leave: (user: string, channel: string): void => doings.setMember(doer, user, channel, false),
    uninstall: (team = 'T1', order: 'uninstalled first' | 'revoked first' = 'uninstalled first'): void =>
      doings.uninstall(doer, team, order),
    /** Slack ends every stream by itself, as it does after some minutes. @returns How many. */
    endStreams(): number {
      const posts = [...doer.backend.world.channels.values()].flatMap((channel) => channel.posts)
      const streams = posts.filter(({ streaming }) => streaming)
      for (const post of streams) changePost(doer.backend, post, { streaming: false }, false)
      return streams.length
    },
  }
}
