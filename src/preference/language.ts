/** Whether a text is English, so that heads trained on English may read it. */
import { isWord, tokensOf } from './features.ts'

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
export function createEnglish(vocabulary: string): (text: string) => boolean {
  const known = new Set(vocabulary.split(' '))
  return (text) => {
    if (!isLatin(text)) return false
    let [words, english, foreign] = [0, 0, 0]
    for (const token of tokensOf(text)) {
      if (!isWord(token)) continue
      words++
      if (FOREIGN.has(token)) foreign++
      else if (known.has(token)) english++
    }
    return words > 0 && english >= 0.4 * words && foreign * 3 <= english
  }
}
