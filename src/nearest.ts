/** The known word that somebody probably meant. */

/** Null where none is within a third of its letters (at least one) of `word`; the first of equally near ones. */
export function nearest<T extends string>(word: string, candidates: readonly T[]): T | null {
  let best: T | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const edits = distance(word.slice(0, candidate.length * 2), candidate)
    if (edits < least && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate
      least = edits
    }
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function distance(from: string, to: string): number {
  let older: number[] = []
  let old = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = old[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(changed, old[j]! + 1, row[j - 1]! + 1, swapped ? older[j - 2]! + 1 : changed)
    }
    older = old
    old = row
  }
  return old[to.length]!
}
