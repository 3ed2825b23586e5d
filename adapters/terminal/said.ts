/** What someone said on one line of input, and its translation into the words that the bot shares. */

import type { Bot, Destination, IncomingMessage, Json } from '../../src/adapter.ts'

export interface Said {
  readonly text: string
  readonly as: string
  readonly workspace: string
  /** `direct`, or the name of a channel. */
  readonly channel: string
  readonly isAdmin: boolean
  /** As given, else the number of the line. */
  readonly id: string | number
  /** Given ids mean the same message in every run; line numbers only in this one. */
  readonly isGiven: boolean
  readonly at?: Date
}

/** The way back to a line of input. `run` tells whether this process read it. */
export interface Addressee {
  readonly message: string
  readonly run: string
  readonly id: string | number
  readonly as: string
  readonly channel: string
}

export function toMessage(said: Said, runId: string, now: () => Date): IncomingMessage {
  const workspace = `terminal:${said.workspace}`
  const id = said.isGiven ? `${workspace}:id:${said.id}` : `${workspace}:${runId}:${said.id}`
  const isDirect = said.channel === 'direct'
  const conversation = `${workspace}:${isDirect ? `direct:${said.as}` : `#${said.channel.replace(/^#/, '')}`}`
  return {
    id,
    workspace,
    conversation,
    context: isDirect ? 'direct' : conversation,
    author: { id: `${workspace}:${said.as}`, name: said.as, isAdmin: said.isAdmin },
    text: said.text,
    sentAt: said.at ?? now(),
    destination: { message: id, run: runId, id: said.id, as: said.as, channel: said.channel },
  }
}

/** A line that is `+` or `-` rates the last reply, any other is a message. False: this line was accepted before. */
export function deliver(bot: Bot, message: IncomingMessage): Promise<boolean> {
  const rating = toRating(message.text)
  if (rating === undefined) return bot.receive(message)
  const { text: _, ...rest } = message
  return bot.rate({ ...rest, rating })
}

export function toRating(text: string): 'up' | 'down' | undefined {
  const sign = text.trim()
  return sign === '+' ? 'up' : sign === '-' ? 'down' : undefined
}

export function isQuit(text: string): boolean {
  return text.trim() === '/quit'
}

export function toAddressee(destination: Destination): Addressee {
  const { message, run, id, as, channel } = destination
  return {
    message: text(message),
    run: text(run),
    id: typeof id === 'number' ? id : text(id),
    as: text(as),
    channel: text(channel),
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
