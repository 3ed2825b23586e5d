/** Text that has about the length, density and formality it is asked to have, as the analyser measures them. */

import type { Chance } from '../pamu/random.ts'

/** From 0 to 1 on the scales of the analyser. */
export interface Manner {
  readonly length: number
  readonly density: number
  readonly formality: number
}

type Bank = readonly [sparse: readonly string[], dense: readonly string[]]

const CASUAL: Bank = [
  [
    "yeah so it's pretty easy, you just kinda go and try it and see how it feels.",
    "honestly i wouldn't worry, it's gonna be fine and you can always do it again.",
    "hey so you can just do that first and then we'll see, no big deal lol.",
    "ok cool, it's not hard at all, just do it slowly and you'll get there.",
  ],
  [
    'so grab python, numpy, the csv file and two gigs of memory, then sort rows by key, lol.',
    "yeah the cache eats memory, the disk gets logs, and the server's cpu hits 90 percent, no biggie.",
    'hey just put tomatoes, onions, garlic, oil and 200 grams of pasta in a pot for ten minutes.',
    'ok so trains leave at 9 and 11, buses at 10, tickets cost 12 bucks, kids pay half, cool.',
  ],
]
const NEUTRAL: Bank = [
  [
    'You can do it in the way that seems best and then look at whether it worked.',
    'It is best to begin slowly and to change only what really has to be changed.',
    'There are several ways to do this, and most of them will work well enough.',
    'Try it once, see how it goes, and then do it again if you have to.',
  ],
  [
    'The script reads rows from the file, sorts keys in memory, and writes results to disk in 3 steps.',
    'The server stores sessions in a table, sends logs to storage, and restarts workers after 60 seconds.',
    'The recipe needs flour, butter, eggs, sugar and salt, a pan, an oven and 40 minutes.',
    'The train leaves the station at 9, reaches the city at 11, and a ticket costs 12 euros.',
  ],
]
const FORMAL: Bank = [
  [
    'It would therefore appear advisable to proceed cautiously and to consider whether this is indeed what is required.',
    'One should nevertheless ensure that whatever has been undertaken can subsequently be reversed where it proves necessary.',
    'We would respectfully suggest that you consider carefully how best to proceed before doing so.',
    'Furthermore, it should be noted that it is generally preferable to act only once it has been properly verified.',
  ],
  [
    'The administrator configures the index, the schema, the replication interval, and the retention policy in accordance with the specification.',
    'Pursuant to the regulations, applicants submit the certificate, the contract, the invoice, and 2 photographs to the department.',
    'The committee evaluates the proposal, the budget, the timeline, and the methodology, and the board subsequently approves the expenditure.',
    'The procedure requires a processor, a network interface, storage capacity, and 4 credentials of the organisation.',
  ],
]

const words = (text: string) => text.split(' ').length

/** Sentences until there are enough words; between two manners some sentences are of one, some of the other. */
export function prose({ length, density, formality }: Manner, chance: Chance): string {
  const wanted = Math.round(8 * 64 ** Math.min(1, Math.max(0, length)))
  const parts: string[] = []
  for (let count = 0; count < wanted; ) {
    const place = Math.min(1.999, Math.max(0, 2 * formality))
    const at = Math.floor(place) + (chance.uniform() < place % 1 ? 1 : 0)
    const bank = [CASUAL, NEUTRAL, FORMAL][at] ?? NEUTRAL
    const sentences = bank[chance.uniform() < density ? 1 : 0]
    const sentence = sentences[chance.whole(0, sentences.length - 1)] ?? ''
    parts.push(sentence)
    count += words(sentence)
  }
  return parts.join(' ').split(' ').slice(0, Math.max(4, wanted)).join(' ')
}
