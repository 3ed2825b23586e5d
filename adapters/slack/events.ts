/** What happens in Slack, handed to the bot: which messages are for it, and everything else it is told of. */

import type { App } from '@slack/bolt'
import type { Bot, IncomingMessage } from '../../src/adapter.ts'
import { RATE } from './content.ts'
import { brief, codeOf } from './faults.ts'
import { personId, workspaceId } from './ids.ts'
import {
  changed,
  conversationOf,
  deleted,
  ratingOf,
  type Self,
  toClickRating,
  toCommand,
  toMessage,
  toReactionRating,
  type Written,
  writtenBy,
} from './incoming.ts'
import type { InOrder } from './order.ts'
import type { ClickAction, ClickBody, CommandBody, MessageEvent, ReactionEvent } from './payloads.ts'
import { authorOf, type People, type Person } from './people.ts'
import { welcome } from './welcome.ts'
import { channelsOf, mentionsOf } from './words.ts'

export interface Listening {
  readonly bot: Bot
  readonly self: Self
  readonly people: People
  readonly inOrder: InOrder
  readonly now: () => Date
  readonly warn: (facts: Readonly<Record<string, unknown>>, text: string) => void
}

/** Every listener resolves when what it heard is stored, and rejects when it is not: then Slack tells it again. */
export function listen(app: App, listening: Listening): void {
  const { bot, self, inOrder } = listening
  const onMessage = (event: MessageEvent) =>
    inOrder(event.channel, event.event_ts ?? event.ts, () => takeMessage(listening, event))
  app.event('message', ({ event }) => onMessage(event as unknown as MessageEvent))
  app.event('app_mention', ({ event }) => onMessage(event as unknown as MessageEvent))
  app.event(/^reaction_(added|removed)$/, ({ event }) => takeReaction(listening, event as unknown as ReactionEvent))
  app.event('app_home_opened', ({ event, client }) => welcome(client, event))
  app.event('app_uninstalled', () => bot.left(workspaceId(self.team)))
  app.event('tokens_revoked', async ({ event }) => {
    if ((event.tokens.bot ?? []).length > 0) await bot.left(workspaceId(self.team))
  })
  app.command(/^\/(persona|tune)$/, async ({ body, ack }) => {
    await takeCommand(listening, body)
    await ack()
  })
  app.action(RATE, async ({ body, action, ack }) => {
    await takeClick(listening, body as unknown as ClickBody, action as unknown as ClickAction)
    await ack()
  })
}

async function takeMessage(listening: Listening, event: MessageEvent): Promise<void> {
  const { bot, self } = listening
  const gone = deleted(event, self)
  if (gone !== null) {
    await bot.remove(gone)
    return
  }
  if (event.subtype === 'message_changed') return takeChange(listening, event)
  const written = writtenBy(event, self)
  if (written === null || !(await isForBot(listening, written))) return
  const message = await messageOf(listening, written)
  if (message !== null) await bot.receive(message)
}

/** The words of a message that was never for the bot are none of its business, changed or not. */
async function takeChange(listening: Listening, event: MessageEvent): Promise<void> {
  const { bot, self } = listening
  const written = changed(event, self)
  if (written === null || !(await isForBot(listening, written))) return
  const message = await messageOf(listening, written)
  if (message === null) return
  const wasMention = mentionsOf(event.previous_message?.text ?? '').includes(self.user)
  const isNewlyForBot = written.isMention && !wasMention && !written.isDirect
  if (isNewlyForBot && (await bot.receive(message))) return
  const edited = event.event_ts ?? event.ts
  await bot.edit({ ...message, id: `${message.id}:edited:${edited}`, message: message.id })
}

/** Every direct message, every mention, and what follows in a thread from somebody who talks with the bot there. */
async function isForBot({ bot, self }: Listening, written: Written): Promise<boolean> {
  if (written.isDirect || written.isMention) return true
  if (written.thread === null) return false
  return bot.takesPart(workspaceId(self.team), conversationOf(written, self), personId(self.team, written.user))
}

/** Whoever gives a command may have become an admin, or no longer be one. */
const COMMAND = /^\s*(<@\w+>\s*)?\//

/** Null when there is nothing to answer, or it is a stranger's. */
async function messageOf(listening: Listening, written: Written): Promise<IncomingMessage | null> {
  const { people, self } = listening
  const text = written.event.text ?? ''
  const person = await personOf(listening, written.user, COMMAND.test(text))
  if (person === null) return null
  const mentioned = mentionsOf(text).filter((id) => id !== self.user)
  const message = toMessage(written, self, authorOf(person, self.team), await people.names(mentioned, channelsOf(text)))
  const isBlank = message.text === '' && message.files === undefined
  return isBlank && !written.isMention ? null : message
}

async function takeReaction(listening: Listening, event: ReactionEvent): Promise<void> {
  const rating = ratingOf(event, listening.self)
  if (rating === null) return
  const person = await personOf(listening, event.user)
  if (person === null) return
  const given = toReactionRating(event, rating, listening.self, authorOf(person, listening.self.team))
  if (given !== null) await listening.bot.rate(given)
}

async function takeClick(listening: Listening, body: ClickBody, action: ClickAction): Promise<void> {
  const person = await personOf(listening, body.user.id)
  if (person === null) return
  const given = toClickRating(body, action, listening.self, authorOf(person, listening.self.team))
  if (given !== null) await listening.bot.rate(given)
}

async function takeCommand(listening: Listening, body: CommandBody): Promise<void> {
  const person = await personOf(listening, body.user_id, true)
  if (person === null) return
  await listening.bot.receive(toCommand(body, listening.self, authorOf(person, listening.self.team), listening.now()))
}

/** Null for people of other organisations and programs, who are not answered. Without a name the id has to do. */
async function personOf({ people, warn }: Listening, id: string, isFresh = false): Promise<Person | null> {
  try {
    const person = await people.get(id, isFresh)
    return person.isStranger ? null : person
  } catch (error) {
    const code = codeOf(error)
    if (code === null || code === 'ratelimited') throw error
    if (/^user_not_(found|visible)$/.test(code)) return null
    warn(brief(error), 'Slack does not say who somebody is')
    return { id, name: id, isAdmin: false, isMember: false, isStranger: false }
  }
}
