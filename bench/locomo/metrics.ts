/** LoCoMo's measures: evidence found, the official F1, and F1 and BLEU-1 as A-MEM and PAMU report them. */

import { stemmer } from 'stemmer'

/** Share of the evidence among the first k that were shown. */
export function recallAt(k: number, evidence: readonly string[], shown: readonly string[]): number {
  const first = new Set(shown.slice(0, k))
  return evidence.filter((id) => first.has(id)).length / evidence.length
}

/** The official score of one answer, from 0 to 1. @param category from 1 to 5 */
export function officialF1(predicted: string, gold: string, category: number): number {
  if (category === 5) return /no information available|not mentioned/i.test(predicted) ? 1 : 0
  if (category === 1) {
    const [answers, parts] = [predicted.split(','), gold.split(',')]
    return mean(parts.map((part) => Math.max(...answers.map((answer) => stemmedF1(answer, part)))))
  }
  return stemmedF1(predicted, category === 3 ? gold.split(';')[0]!.trim() : gold)
}

function stemmedF1(predicted: string, gold: string): number {
  const [a, b] = [officialTokens(predicted), officialTokens(gold)]
  const left = new Map<string, number>()
  for (const token of b) left.set(token, (left.get(token) ?? 0) + 1)
  let same = 0
  for (const token of a) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    left.set(token, count - 1)
    same++
  }
  return harmonic(same / a.length, same / b.length)
}

function officialTokens(text: string): string[] {
  const plain = text
    .replaceAll(',', '')
    .toLowerCase()
    .replaceAll(/[!-/:-@[-`{-~]/g, '')
    .replaceAll(/\b(?:a|an|the|and)\b/g, ' ')
  return tokensOf(plain).map((token) => stemmer(token))
}

/** F1 on sets of words. */
export function amemF1(predicted: string, gold: string): number {
  const [a, b] = [new Set(amemTokens(predicted)), new Set(amemTokens(gold))]
  const same = [...a].filter((token) => b.has(token)).length
  return harmonic(same / a.size, same / b.size)
}

/** Clipped precision of single words with brevity penalty; none in common counts .1 of a word (smoothing method 1). */
export function bleu1(predicted: string, gold: string): number {
  const [a, b] = [amemTokens(predicted), amemTokens(gold)]
  if (a.length === 0) return 0
  const count = (tokens: readonly string[], token: string) => tokens.filter((one) => one === token).length
  const clipped = [...new Set(a)].reduce((sum, token) => sum + Math.min(count(a, token), count(b, token)), 0)
  const brevity = a.length > b.length ? 1 : Math.exp(1 - b.length / a.length)
  return (brevity * (clipped || 0.1)) / a.length
}

function amemTokens(text: string): string[] {
  return tokensOf(text.toLowerCase().replaceAll(/[.,!?]/g, ' '))
}

function tokensOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

/** 0 where either is 0 or not a number: nothing was said, or nothing in common. */
function harmonic(precision: number, recall: number): number {
  return precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
