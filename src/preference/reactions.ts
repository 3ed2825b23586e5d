/** Short messages that carry a reaction and no style: thanks for the last reply, and acknowledgements. */

const THANKS =
  /^(?:(?:ok|okay|oh|ah|wow|yes|yep|yeah|great|cool|nice|awesome|amazing|brilliant|excellent|perfect|lovely|alright|super)[\s,.!]+){0,3}(?:many thanks|thanks?(?: (?:you|u|a lot|a ton|a bunch|a million|so much|very much|again|man|mate|bot|buddy))*|thx|thnx|tnx|tysm|ty|tyvm|cheers|much appreciated|appreciate it|perfect|awesome|brilliant|excellent|amazing|spot on|exactly|exactly what i (?:needed|wanted|was looking for)|(?:that|this|it)(?:'s| is| was) (?:perfect|great|awesome|excellent|brilliant|amazing|(?:very |super |really |so )?helpful|exactly what i (?:needed|wanted|was looking for|meant))|that (?:helps|helped|worked|works|did it|does it)|love (?:it|this|that)|well (?:said|explained|put)|(?:great|nice|good|excellent) (?:answer|explanation|reply|summary|job|work))(?=$|[\s,.!?:)])/
/** Something is still wrong, or the thanks are for something else. */
const BUT =
  /\b(?:but|however|though|although|unfortunately|except|wrong|incorrect|not what|not quite|not really|isn't|doesn't|didn't|don't|can't|won't|too (?:long|short|much|many)|for nothing|in advance|no thanks|still|actually)\b/
const ACK =
  /^(?:ok(?:ay|ie|ey)?|k+|kk|yes|yep|yeah|yup|ya|yea|no|nope|nah|sure|fine|cool|nice|great|good|got it|gotcha|right|alright|roger|ack|noted|understood|done|will do|sounds good|makes sense|i see|hm+|mhm|uh ?huh|oh|ah|aha|wow|thanks?|thank you|thx|ty|tysm|cheers|perfect|awesome|lgtm|np|no problem|you're welcome|welcome|hi|hey|hello|yo|hiya|morning|good morning|bye|cya|see you|good night|same|agreed|exactly|true|indeed|lol|lmao|rofl|(?:ha)+h?|please|pls|wait|nvm|never ?mind|brb|omw|idk|\+1|1|a lot|so much|very much|much|man|mate|all|guys|team|again|then|very|too|that)$/

/** True when a message accepts the reply it answers: it opens with thanks and complains of nothing. */
export function accepts(text: string): boolean {
  const plain = steady(plainOf(text)).trim().slice(0, 300)
  return THANKS.test(plain) && !BUT.test(plain)
}

/** More words than this are never nothing but nods. */
export const NOD_WORDS = 8

/** True for "ok", "👍", "thanks, got it": nothing but nods. */
export function isNod(text: string): boolean {
  const parts = plainOf(text)
    .split(/[\s,.!?:;)(~-]+/, 10)
    .filter((part) => part.length > 0)
  if (parts.length > NOD_WORDS) return false
  const nods = parts.map(steady)
  for (let i = 0; i < nods.length; ) {
    const size = [3, 2, 1].find((n) => i + n <= nods.length && ACK.test(nods.slice(i, i + n).join(' ')))
    if (size === undefined) return false
    i += size
  }
  return true
}

/** Lower case without emoji. */
function plainOf(text: string): string {
  let plain = text.toLowerCase()
  if (/[^\t-~]/.test(plain)) plain = plain.replace(/\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}/gu, ' ')
  if (plain.includes(':')) plain = plain.replace(/:[a-z0-9_+-]{2,30}:/g, ' ')
  return plain
}

/** "sooo" as "so". */
function steady(text: string): string {
  return text.replace(/(.)\1{2,}/g, '$1')
}
