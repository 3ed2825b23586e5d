/** How good a head is: F1 at the best threshold, and rank correlation. */

export function f1(scores: ArrayLike<number>, targets: ArrayLike<number>, threshold: number): number {
  let [hit, said, true_] = [0, 0, 0]
  for (let i = 0; i < scores.length; i++) {
    const yes = scores[i]! >= threshold
    if (yes) said++
    if (targets[i]! > 0) true_++
    if (yes && targets[i]! > 0) hit++
  }
  return said + true_ === 0 ? 0 : (2 * hit) / (said + true_)
}

/**
 * The threshold with the best F1, the F1 of a rank averaged over 15 % of its rank to both sides: the peak of a rare
 * label's curve is noise. At least ten rows lie above it.
 */
export function bestThreshold(scores: ArrayLike<number>, targets: ArrayLike<number>): number {
  const order = Array.from(scores, (_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
  const positives = order.filter((i) => targets[i]! > 0).length
  const sums = [0]
  let hit = 0
  order.forEach((i, rank) => {
    if (targets[i]! > 0) hit++
    sums.push(sums[rank]! + (2 * hit) / (rank + 1 + positives))
  })
  let [best, at] = [-1, 0]
  for (let rank = 10; rank < order.length; rank++) {
    const reach = Math.floor((rank + 1) * 0.15)
    const [from, to] = [Math.max(0, rank - reach), Math.min(order.length, rank + reach + 1)]
    const smooth = (sums[to]! - sums[from]!) / (to - from)
    if (smooth > best) [best, at] = [smooth, rank]
  }
  return scores[order[at]!]!
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}

/** Spearman's rank correlation, ties sharing their mean rank. */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y] = [ranks(a), ranks(b)]
  const [mx, my] = [mean(x), mean(y)]
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - mx) * (y[i]! - my)
    xx += (x[i]! - mx) ** 2
    yy += (y[i]! - my) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}

/** From 0, ties sharing their mean rank. */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const result = new Float64Array(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++
    for (let k = start; k <= end; k++) result[order[k]!] = (start + end) / 2
    start = end + 1
  }
  return result
}
