/** How far a weight may move: buckets that tell a label from the rest further, buckets that are in every text less. */
import type { Matrix } from './solver.ts'

/**
 * (.3 + |log(share among the label / share among the rest)|) * log(rows / rows with the bucket) / 4, per bucket: the
 * log-count ratio of NB-SVM (Wang and Manning 2012) times an inverse document frequency.
 */
export function tellingWeights({ rows, width, starts, columns }: Matrix, targets: Float64Array): Float64Array {
  const [among, rest] = [new Float64Array(width).fill(1), new Float64Array(width).fill(1)]
  let positives = 0
  for (let i = 0; i < rows; i++) {
    const yes = targets[i]! > 0
    if (yes) positives++
    for (let k = starts[i]!; k < starts[i + 1]!; k++) (yes ? among : rest)[columns[k]!]!++
  }
  return among.map((with_, j) => {
    const ratio = Math.log(with_ / positives / (rest[j]! / (rows - positives)))
    return ((0.3 + Math.abs(ratio)) * Math.log(rows / (with_ + rest[j]! - 1))) / 4
  })
}

/** The matrix with each column multiplied by its scale. */
export function scaled(matrix: Matrix, scales: Float64Array): Matrix {
  return { ...matrix, values: matrix.values.map((value, k) => value * scales[matrix.columns[k]!]!) }
}
