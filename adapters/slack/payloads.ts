/** What is read of the payloads that Slack sends; all else in them is not known here. */

/** The envelope of an event. */
export interface EventBody {
  readonly team_id?: string
  readonly enterprise_id?: string | null
  readonly event_id?: string
}

export interface SlackFile {
  readonly id?: string
  readonly name?: string | null
  readonly size?: number
  readonly mimetype?: string
  readonly mode?: string
  readonly filetype?: string
  readonly url_private?: string
}

/** `message` and `app_mention`, of every subtype. */
export interface MessageEvent {
  readonly type: string
  readonly subtype?: string
  readonly channel: string
  readonly channel_type?: string
  readonly ts: string
  readonly event_ts?: string
  readonly thread_ts?: string
  readonly user?: string
  readonly user_team?: string
  readonly bot_id?: string
  readonly text?: string
  readonly files?: readonly SlackFile[]
  /** Of `message_changed`. */
  readonly message?: Omit<MessageEvent, 'channel' | 'type'>
  /** Of `message_changed` and `message_deleted`. */
  readonly previous_message?: Omit<MessageEvent, 'channel' | 'type'>
  readonly deleted_ts?: string
}

export interface ReactionEvent {
  readonly type: string
  readonly user: string
  readonly reaction: string
  readonly item: { readonly type: string; readonly channel?: string; readonly ts?: string }
  readonly item_user?: string
  readonly event_ts: string
}

export interface CommandBody {
  readonly command: string
  readonly text?: string
  readonly team_id: string
  readonly channel_id: string
  readonly user_id: string
  readonly trigger_id: string
  readonly response_url: string
}

/** A click on a button under a post. */
export interface ClickBody {
  readonly team?: { readonly id: string } | null
  readonly user: { readonly id: string }
  readonly channel?: { readonly id: string }
  readonly message?: { readonly ts: string; readonly thread_ts?: string }
}

export interface ClickAction {
  readonly action_id: string
  readonly value?: string
  readonly action_ts: string
}
