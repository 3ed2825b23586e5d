/**
 * The words that chat platforms and the bot share. Imports nothing.
 *
 * A platform hands the bot what happened (`Bot`) and can open a draft for a destination (`Platform`). The way back is
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
  /** What came with it; read by `Platform.readFile` when it is answered. */
  readonly files?: readonly IncomingFile[]
}

export interface IncomingFile {
  readonly name: string
  /** Bytes, as the platform tells. */
  readonly size: number
  readonly isText: boolean
  /** How to get it; only the platform that wrote it reads it. */
  readonly source: Json
}

/** A rating of the bot's last reply to this person in this conversation, or of the reply that holds `post`. */
export interface Rating extends Omit<IncomingMessage, 'text'> {
  readonly rating: 'up' | 'down'
  /** `give` sets it, `take` takes it back if it stands; absent: the same rating given twice takes it back. */
  readonly change?: 'give' | 'take'
  /** Id of a post of the bot's; absent: the last one. Whoever was not answered by it teaches nothing. */
  readonly post?: string
}

/** A message was changed after it was sent. `id` is the change's own, `message` the id of what was changed. */
export interface Edit extends IncomingMessage {
  readonly message: string
}

/** Messages were deleted: what was said in them is forgotten. */
export interface Removal {
  readonly id: string
  readonly workspace: string
  readonly messages: readonly string[]
}

export interface Author {
  readonly id: string
  readonly name: string
  /** May change the settings of the workspace, as far as the message tells; see `Platform.isAdmin`. */
  readonly isAdmin: boolean
  /** Their zone as the platform tells it, a name of the IANA database. */
  readonly timezone?: string
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Destination = { readonly [key: string]: Json }

export interface Reply {
  /** Markdown; the adapter translates it and splits what is too long. Never blank. */
  readonly text: string
  /** For the author's eyes alone, where the platform can. */
  readonly isPrivate: boolean
  /** A model's answer, which the person may rate: buttons belong under it. */
  readonly isRatable?: boolean
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

/**
 * What is known of the posts of one reply; kept in the database, so that a process that goes on after a crash continues
 * or edits what is posted instead of posting it again.
 */
export interface Outbox {
  /** In order of their parts, from 0; of one that was begun and may or may not be there, the id is null. */
  readonly posts: readonly { readonly part: number; readonly id: string | null }[]
  /** Before the request that makes a post. */
  begin(part: number): Promise<void>
  /** After it. */
  posted(part: number, id: string): Promise<void>
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

/** What a platform may ask of the bot. What is handed over resolves once it is stored: then it may be acknowledged. */
export interface Bot {
  /** False when the same message (by id) was already accepted. */
  receive(message: IncomingMessage): Promise<boolean>
  rate(rating: Rating): Promise<boolean>
  /** Before it is answered the new words are answered instead; afterwards they correct what was stored and learned. */
  edit(edit: Edit): Promise<boolean>
  remove(removal: Removal): Promise<boolean>
  /** Whether this person was answered, or waits for an answer, in this conversation. */
  takesPart(workspace: string, conversation: string, author: string): Promise<boolean>
  /** The bot was taken out of a workspace (all is erased after its days of grace), or is in it again. */
  left(workspace: string): Promise<void>
  joined(workspace: string): Promise<void>
  /** Resolves when nothing accepted by this process waits for a reply any more. */
  idle(): Promise<void>
}

/** A chat platform. */
export interface Platform {
  /** First part of its ids: `terminal`, `slack`, `discord`. */
  readonly name: string
  /** Only the process that took a message can answer it, while it lives: the answer belongs on its own screen. */
  readonly isLocal: boolean
  /**
   * Hands messages to the bot until the signal aborts or the platform ends.
   * @throws PlatformError with what to change; the other platforms go on
   */
  run(bot: Bot, signal: AbortSignal): Promise<void>
  /** Opens a reply to messages of one author that are answered together. The key is the same after a crash. */
  open(destinations: readonly Destination[], key: string, outbox: Outbox): Draft
  /** Asked at every use of a command for admins; absent: `author.isAdmin` tells. */
  isAdmin?(message: IncomingMessage): Promise<boolean>
  /** The words of a text file of at most 200 kB. */
  readFile?(file: IncomingFile, destination: Destination, signal: AbortSignal): Promise<string>
  /** Where each of these messages is to be seen by this author; null where it is not. */
  links?(messages: readonly string[], author: Author, destination: Destination): Promise<readonly (string | null)[]>
  /** Takes own posts away, by their ids. */
  remove?(posts: readonly string[]): Promise<void>
}

/** A platform that can't run until somebody changes something; the message says what. */
export class PlatformError extends Error {}

/** What a platform keeps for a workspace that installed the bot, such as its tokens; encrypted where it is stored. */
export interface Installations {
  load(workspace: string): Promise<Json | null>
  save(workspace: string, installation: Json): Promise<void>
  erase(workspace: string): Promise<void>
}
