/** Raw observations become values of a dimension, or nothing: what cannot be read is missing, never guessed. */

import type { Scheme, Vector } from './dimensions.ts'

/**
 * A scale takes a finite number, clamped to [0, 1]. A category takes weights in the order of its labels, a map from
 * label to weight (an absent label weighs nothing), or `{ label, prob }`, whose rest is spread evenly over the others.
 * Null for everything else: strings, booleans, NaN, infinities, wrong length, unknown label, negative weight, no mass.
 */
export function clean(raw: unknown, scheme: Scheme): Vector | null {
  if (scheme.kind === 'scale') return isNumber(raw) ? [clamp(raw)] : null
  if (Array.isArray(raw)) return raw.length === scheme.labels.length ? distribution(raw) : null
  if (typeof raw !== 'object' || raw === null) return null
  const weights = new Map<string, unknown>(Object.entries(raw))
  const label = weights.get('label')
  if (typeof label === 'string') return topOne(label, weights.get('prob'), scheme.labels)
  for (const name of weights.keys()) if (!scheme.labels.includes(name)) return null
  return distribution(scheme.labels.map((name) => (weights.has(name) ? weights.get(name) : 0)))
}

function topOne(label: string, prob: unknown, labels: readonly string[]): Vector | null {
  const top = labels.indexOf(label)
  if (top < 0 || !isNumber(prob)) return null
  const weight = clamp(prob)
  return distribution(labels.map((_, j) => (j === top ? weight : (1 - weight) / (labels.length - 1))))
}

/** Divided by the sum. Minus zero becomes zero, because JSON would not keep it. */
function distribution(weights: readonly unknown[]): Vector | null {
  const numbers = weights.filter(isNumber).filter((weight) => weight >= 0)
  const mass = numbers.reduce((sum, weight) => sum + weight, 0)
  if (numbers.length < weights.length || mass <= 0 || !isNumber(mass)) return null
  return numbers.map((weight) => Math.max(0, weight / mass))
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1)
}
