/** Whether a text is English, so that heads trained on English may read it. */
import { hashOf, type Token } from './features.ts'

/** Words that are common in one of the neighbours and no English word. */
const FOREIGN = new Set(
  (
    'der das und ist nicht ich du wir ihr sie ein eine einen mit auf für von zu bitte kannst mir mich dass auch aber wie noch ' +
    'le les des une est pas je tu nous vous ils avec pour dans sur que qui ce cette mais très plus merci peux ' +
    'el los las una es no está por para con pero muy como qué puedes gracias más del se lo al ' +
    'il gli che non di per sono è questo anche grazie della come più ' +
    'os um uma não em você obrigado isso muito ' +
    'de het een niet ik je wij van met voor dat dit maar ook kun och att det är inte jag på som ' +
    'nie jest się na to że jak ale proszę bir ve bu için çok'
  )
    .split(' ')
    .filter((word) => !['no', 'to', 'die', 'du', 'se', 'plus', 'me', 'an', 'on'].includes(word)),
)
const ASCII = /^[\t-~]*$/
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu

/** False for a text mostly in another script, which may hold no spaces to count words by. True for no letters. */
export function isLatin(text: string): boolean {
  if (ASCII.test(text)) return true
  const letters = text.match(LETTER)?.length ?? 0
  return (text.match(LATIN)?.length ?? 0) >= 0.8 * letters
}

/** True when at least 40 % of the words are in the vocabulary and hardly any is another language's. */
export function createEnglish(vocabulary: string): (tokens: readonly Token[]) => boolean {
  // By the hashes, which are at hand: a Map of strings would hash each token once more.
  const english = new Map(vocabulary.split(' ').map((word) => [hashOf(word), true]))
  for (const word of FOREIGN) english.set(hashOf(word), false)
  return (tokens) => {
    let words = 0
    let known = 0
    let foreign = 0
    for (const { hash, isWord } of tokens) {
      if (!isWord) continue
      words++
      const its = english.get(hash)
      if (its === true) known++
      else if (its === false) foreign++
    }
    return words > 0 && known >= 0.4 * words && foreign * 3 <= known
  }
}
