/** What a person may ask, offered when they open the bot's own tab. */

import type { webApi } from '@slack/bolt'

const PROMPTS = [
  { title: 'How do you see me?', message: 'What do you know about how I like to be answered?' },
  { title: 'Shorter, please', message: 'From now on, keep your answers short.' },
  { title: 'Explain something', message: 'Explain how a hash table works, with an example.' },
  { title: 'What did we say?', message: 'What did we talk about last week?' },
]

/** Slack shows no prompts in the tab of messages when a thread is named. They are an offer: failing is no fault. */
export async function welcome(
  client: webApi.WebClient,
  { tab, channel }: { readonly tab?: string; readonly channel?: string },
): Promise<void> {
  if (tab !== 'messages' || channel === undefined) return
  await client
    .apiCall('assistant.threads.setSuggestedPrompts', { channel_id: channel, prompts: PROMPTS })
    .catch(() => {})
}
