/**
 * Made-up messages in English, from a fixed seed. Words of content follow Zipf's law with Mandelbrot's offset, so that a
 * full text search meets common and rare words as in a real chat: the commonest is in about one message in six.
 */

import type { Chance } from '../pamu/random.ts'

export interface Writer {
  /** What somebody says: 5 to 60 words, most of them short. */
  message(): string
  /** What a model answers: 15 to 160 words. */
  reply(): string
}

const FUNCTION_WORDS = `the a to of i you is it in and that for on my this have with be do not are was can we what at
how if but so or me as just they from there will about would all when your out up some which then by an had our here
did has should could been their more also because into only than very where who why does them after before while`
  .trim()
  .split(/\s+/)

const CONTENT_WORDS = `know get think work need time make want good try look use go day thing see people week problem
code file server team run change start question meeting test find call help write idea plan read project line friend
book school house data morning error query table index update version release branch build function list report
customer order price contract budget email letter phone train ticket flight hotel garden kitchen dinner recipe bread
cheese coffee weather rain winter summer holiday weekend birthday present sister brother mother father doctor hospital
medicine sleep dream music song guitar piano concert film story character chapter author paper science physics energy
water river mountain forest bird dog cat horse fish tree flower seed soil paint colour picture camera video screen
keyboard laptop battery cable network router password account login database backup storage memory processor thread
lock queue message channel thread topic answer reason example detail summary draft review comment approval deadline
estimate risk goal result figure chart graph average rate growth market share stock bank loan interest tax invoice
payment salary office manager colleague interview job career training lesson teacher student exam grade language grammar
word sentence meaning translation culture history war peace king city country street bridge station bus bicycle car
engine fuel road traffic police court law judge right vote party election government minister policy health food sport
match player goal score coach race marathon swim climb walk dance art museum theatre stage actor design font layout page
button form menu link image icon style theme feature bug crash log trace metric alert monitor cluster container image
deploy pipeline script module package library framework compiler parser syntax type variable constant loop array string
number integer matrix vector model weight layer gradient sample noise signal filter frequency wave light sound heat cold
metal glass wood stone brick wall roof door window floor carpet chair desk lamp clock box bag shoe shirt coat hat ring
gold silver coin note card gift prize luck chance game rule move turn board piece dice puzzle riddle joke laugh smile cry
fear anger joy hope love trust doubt habit effort focus patience courage skill talent`
  .trim()
  .split(/\s+/)

const OPENERS = ['please', 'hey', 'thanks,', 'can you', 'quick question:', 'ok so', 'could you please', 'hmm']
const SYLLABLES = 'ba ke lo mi nu ra se to vi za cor den fal gim har jol kest lun mor pel'.split(' ')
/** Names, products and the like: the long tail. */
const RARE_WORDS = 4000
const OFFSET = 8

export function createWriter(by: Chance): Writer {
  const drawFunction = zipf(by, FUNCTION_WORDS, 2)
  const drawContent = zipf(by, [...new Set(CONTENT_WORDS), ...rareWords()], OFFSET)
  const word = () => (by.uniform() < 0.5 ? drawFunction() : drawContent())

  function sentence(count: number): string {
    const [first = '', ...rest] = Array.from({ length: count }, word)
    const end = by.uniform() < 0.25 ? '?' : '.'
    return `${first.charAt(0).toUpperCase()}${first.slice(1)}${rest.map((next) => ` ${next}`).join('')}${end}`
  }
  function text(count: number): string {
    const sentences: string[] = []
    for (let left = count; left > 0; ) {
      const length = Math.min(left, by.whole(4, 14))
      sentences.push(sentence(length))
      left -= length
    }
    return sentences.join(' ')
  }
  return {
    message() {
      const opener = by.uniform() < 0.2 ? `${OPENERS[by.whole(0, OPENERS.length - 1)]} ` : ''
      return opener + text(5 + Math.floor(54 * by.uniform() ** 2))
    },
    reply: () => text(15 + Math.floor(146 * by.uniform() ** 2)),
  }
}

function rareWords(): string[] {
  const count = SYLLABLES.length
  const syllable = (i: number) => SYLLABLES[i % count]
  return Array.from(
    { length: RARE_WORDS },
    (_, i) => `${syllable(i)}${syllable(Math.floor(i / count))}${syllable(Math.floor(i / count ** 2))}`,
  )
}

/** Draws the word of rank r (from 1) with a probability in proportion to 1 / (r + offset). */
export function zipf<T>(by: Chance, ranked: readonly T[], offset: number): () => T {
  let sum = 0
  const sums = ranked.map((_, rank) => {
    sum += 1 / (rank + 1 + offset)
    return sum
  })
  return () => ranked[firstAbove(sums, by.uniform() * sum)]!
}

/** Index of the first of these rising numbers that is above `value`. */
function firstAbove(rising: readonly number[], value: number): number {
  let [low, high] = [0, rising.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle]! > value) high = middle
    else low = middle + 1
  }
  return low
}
