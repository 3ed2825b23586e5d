/** Reads what a scan for recall brings: of every turn a few bytes, one after another. The database makes them (`attune_trace`). */

/** By columns, in the order of the traces. */
export interface Traces {
  readonly ids: readonly number[]
  /** Minutes since 1970. */
  readonly at: readonly number[]
  /** Equal for turns of one conversation, and hardly ever for those of two. */
  readonly conversations: readonly number[]
  /** Bit i is set where the turn has the i-th word that is looked for; hashes of words may collide. */
  readonly matches: readonly number[]
  /** Different words. */
  readonly lengths: readonly number[]
  /** 1: holds a question mark. */
  readonly asks: readonly number[]
}

/** Id, minute, conversation, count of words. */
const HEAD_BYTES = 16
const HASH_BYTES = 4

/** `hashes`: of the words that are looked for, at most 31. */
export function readTraces(bytes: Uint8Array, hashes: readonly number[]): Traces {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bitsOf = lookup(hashes)
  const ids: number[] = []
  const at: number[] = []
  const conversations: number[] = []
  const matches: number[] = []
  const lengths: number[] = []
  const asks: number[] = []
  for (let from = 0; from < bytes.byteLength; ) {
    ids.push(Number(view.getBigInt64(from)))
    at.push(view.getInt32(from + 8))
    conversations.push(view.getInt16(from + 12))
    const counts = view.getInt16(from + 14)
    lengths.push(counts >> 1)
    asks.push(counts & 1)
    const end = from + HEAD_BYTES + (counts >> 1) * HASH_BYTES
    let bits = 0
    for (let word = from + HEAD_BYTES; word < end; word += HASH_BYTES) bits |= bitsOf(view.getInt32(word))
    matches.push(bits)
    from = end
  }
  return { ids, at, conversations, matches, lengths, asks }
}

/** Most words are none of those looked for, which their last byte tells. */
function lookup(hashes: readonly number[]): (hash: number) => number {
  const near = new Uint8Array(256)
  const bits = new Map(hashes.map((hash, i) => [hash, 1 << i]))
  for (const hash of hashes) near[hash & 255] = 1
  return (hash) => (near[hash & 255] === 0 ? 0 : (bits.get(hash) ?? 0))
}
