/** Emoji under messages, and who set them. */

import { audience, placeOf, type Scene } from './messages.ts'
import { emojiJson } from './payloads.ts'
import { isVisible, type Message, type Payload, type User } from './world.ts'

export function react(scene: Scene, user: User, message: Message, emoji: string): void {
  const users = message.reactions[emoji] ?? []
  if (users.includes(user.id)) return
  message.reactions[emoji] = [...users, user.id]
  tell(scene, 'MESSAGE_REACTION_ADD', message, () => ({
    ...placeOf(scene, message.channel, user.id),
    emoji: emojiJson(emoji),
    message_author_id: message.author.id,
    burst: false,
    type: 0,
  }))
}

export function unreact(scene: Scene, user: User, message: Message, emoji: string): void {
  const users = message.reactions[emoji] ?? []
  if (!users.includes(user.id)) return
  message.reactions[emoji] = users.filter((id) => id !== user.id)
  if (message.reactions[emoji].length === 0) delete message.reactions[emoji]
  const { member: _member, ...place } = placeOf(scene, message.channel, user.id)
  tell(scene, 'MESSAGE_REACTION_REMOVE', message, () => ({ ...place, emoji: emojiJson(emoji), burst: false, type: 0 }))
}

/** Without an emoji: all of them. */
export function clearReactions(scene: Scene, message: Message, emoji?: string): void {
  for (const name of emoji === undefined ? Object.keys(message.reactions) : [emoji]) delete message.reactions[name]
  const { channel } = message
  const place = { channel_id: channel.id, ...(channel.guild && { guild_id: channel.guild.id }) }
  if (emoji === undefined) tell(scene, 'MESSAGE_REACTION_REMOVE_ALL', message, () => place)
  else tell(scene, 'MESSAGE_REACTION_REMOVE_EMOJI', message, () => ({ ...place, emoji: emojiJson(emoji) }))
}

function tell(scene: Scene, event: string, message: Message, data: () => Payload): void {
  if (isVisible(message.channel))
    scene.gateway.dispatch(event, audience(message.channel, 'MessageReactions'), () => ({
      ...data(),
      message_id: message.id,
    }))
}
