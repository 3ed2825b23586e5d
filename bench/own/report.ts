/** How figures are told: quantiles, and a line for each target with whether it was met. */

export interface Target {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly bound: number
  /** The bound is the least that will do; else the most. */
  readonly atLeast?: boolean
}

/** `ok` or `MISSED`, the figure, its bound, and the figure as a multiple of the bound. */
export function targetLine({ what, value, unit, bound, atLeast = false }: Target): string {
  const met = atLeast ? value >= bound : value <= bound
  const figure = `${rounded(value)} ${unit}`.padStart(13)
  const limit = `${atLeast ? '>=' : '<='} ${bound} ${unit}`.padEnd(15)
  return `${met ? 'ok    ' : 'MISSED'} ${what.padEnd(72)}${figure}  ${limit}${(value / bound).toFixed(2)}x`
}

/** The value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Three digits that mean something. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

export function row(cells: readonly (string | number)[]): string {
  const [first = '', ...rest] = cells.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell))
  return first.padEnd(16) + rest.map((cell) => cell.padStart(16)).join('')
}
