/**
 * The words that chat platforms and the bot share. Imports nothing.
 *
 * A platform hands the bot its messages (`Bot`) and can open a draft for a destination (`Platform`). The way back is
 * plain data, not a closure: a reply may be posted by another process than the one that took the message.
 */

/** One message addressed to the bot. Ids begin with their platform and are unique everywhere: `slack:T1:C9:171.22`. */
export interface IncomingMessage {
  readonly id: string
  /** Whose settings count: a Slack team, a Discord guild. A person is a person in one workspace. */
  readonly workspace: string
  /** The thread, channel or direct chat whose earlier turns this message continues; answered one at a time. */
  readonly conversation: string
  /** Where the person's preferences are followed separately: `direct`, or the channel (its threads included). */
  readonly context: string
  readonly author: Author
  /** The person's words without the bot's own mention. A command begins with a slash: `/persona reset`. */
  readonly text: string
  readonly sentAt: Date
  /** Where to answer; only the platform that wrote it reads it. */
  readonly destination: Destination
}

/** A rating of the bot's last reply to this person in this conversation, or of the reply that holds `post`. */
export interface Rating extends Omit<IncomingMessage, 'text'> {
  /** The rating asked for. The same rating given twice takes it back. */
  readonly rating: 'up' | 'down'
  /** Id of a post of the bot's; absent: the last one. */
  readonly post?: string
}

export interface Author {
  readonly id: string
  readonly name: string
  /** May change the settings of the workspace; asked of the platform at every use. */
  readonly isAdmin: boolean
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Destination = { readonly [key: string]: Json }

export interface Reply {
  /** Markdown; the adapter translates it and splits what is too long. Never blank. */
  readonly text: string
  /** For the author's eyes alone, where the platform can. */
  readonly isPrivate: boolean
}

/** One reply on its way out. */
export interface Draft {
  /** The text so far, whole, as it grows (or starts anew after a retry); the adapter throttles. Never rejects. */
  update(text: string): void
  /** Posts the reply in its final form and tells the ids of everything posted. */
  finish(reply: Reply): Promise<readonly string[]>
  /** After the turn is stored. A platform that can't post idempotently posts here. */
  stored?(record: TurnRecord): void
  /** The reply will not come from here: the turn was given back. Takes away signs of typing. */
  abandon(): void
}

/** What became of one turn, command or rating, as `--json` prints it. */
export interface TurnRecord {
  readonly as: string
  readonly reply: string
  /** The exact style text that was put to the model; empty when none was. */
  readonly directive: string
  readonly observed: Record<string, { value: number | string; probabilities?: Record<string, number> }>
  readonly estimate: Record<string, { label: string; value: number }>
  readonly events: readonly { dimension: string; kind: 'jump' | 'confirmed' | 'shift' | 'rejected' }[]
  readonly recalled: readonly { at: string; text: string }[]
  readonly actions: readonly Json[]
  /** Whether a language model wrote the reply. */
  readonly model: boolean
  /** Milliseconds: the bot's own, and those spent waiting for the model. */
  readonly ms: { readonly own: number; readonly model: number }
  /** Only of a rating: the rating that now stands, null when there is none. */
  readonly rated?: 'up' | 'down' | null
}

/** What a platform may ask of the bot. Each resolves once the message is stored: then it may be acknowledged. */
export interface Bot {
  /** False when the same message (by id) was already accepted. */
  receive(message: IncomingMessage): Promise<boolean>
  rate(rating: Rating): Promise<boolean>
  /** Resolves when nothing accepted by this process waits for a reply any more. */
  idle(): Promise<void>
}

/** A chat platform. */
export interface Platform {
  /** First part of its ids: `terminal`, `slack`, `discord`. */
  readonly name: string
  /** Only the process that took a message can answer it, while it lives: the answer belongs on its own screen. */
  readonly isLocal: boolean
  /** Hands messages to the bot until the signal aborts or the platform ends. */
  run(bot: Bot, signal: AbortSignal): Promise<void>
  /** Opens a reply to messages of one author that are answered together. The key is the same after a crash. */
  open(destinations: readonly Destination[], key: string): Draft
}
