/** How Slack's places and messages are named here: `slack:T1`, `slack:T1:C9`, `slack:T1:C9:171.22`. */

export interface Place {
  readonly team: string
  readonly channel: string
  /** Which message: seconds with six decimals, a string that is never made a number. */
  readonly ts: string
}

export const workspaceId = (team: string) => `slack:${team}`
export const channelId = (team: string, channel: string) => `slack:${team}:${channel}`
export const personId = (team: string, user: string) => `slack:${team}:${user}`
export const postId = ({ team, channel, ts }: Place) => `slack:${team}:${channel}:${ts}`

const POST = /^slack:([A-Z0-9]+):([A-Z0-9]+):(\d+\.\d+)$/

/** Null where it is no message of Slack's, such as a reply to a command that only its reader saw. */
export function parsePostId(id: string): Place | null {
  const [, team, channel, ts] = POST.exec(id) ?? []
  return team === undefined || channel === undefined || ts === undefined ? null : { team, channel, ts }
}

/** Slack's own id of somebody or something that is named here. */
export const lastOf = (id: string) => id.slice(id.lastIndexOf(':') + 1)

/** A channel whose id begins with D is a direct chat with one person. */
export const isDirectChat = (channel: string) => channel.startsWith('D')

/** When a message was sent. */
export const dateOf = (ts: string) => new Date(Math.floor(Number(ts) * 1000))
