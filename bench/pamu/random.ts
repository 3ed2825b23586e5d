/** Reproducible chance: a generator with a seed, and the distributions that simulated users are made of. */

export interface Chance {
  /** From 0 to below 1. */
  readonly uniform: () => number
  readonly between: (low: number, high: number) => number
  /** Whole, from low to high, both included. */
  readonly whole: (low: number, high: number) => number
  readonly normal: () => number
  /** A distribution around `mean`; the larger `concentration`, the nearer. */
  readonly dirichlet: (mean: readonly number[], concentration: number) => number[]
}

/** Mulberry32 (Tommy Ettinger, public domain). */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    normal,
    between: (low, high) => low + (high - low) * uniform(),
    whole: (low, high) => low + Math.floor((high - low + 1) * uniform()),
    dirichlet: (mean, concentration) => {
      const parts = mean.map((part) => gamma(part * concentration, uniform, normal))
      const sum = parts.reduce((total, part) => total + part, 0)
      return sum > 0 ? parts.map((part) => part / sum) : [...mean]
    },
  }
}

/** Marsaglia and Tsang 2000; below shape 1 by their boost. */
function gamma(shape: number, uniform: () => number, normal: () => number): number {
  if (shape < 1) return gamma(shape + 1, uniform, normal) * uniform() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal()
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
