/** Statements that the embedded database plans once and then only runs: planning takes longer than most of them run. */

import type { PGlite, QueryOptions, Results, Transaction } from '@electric-sql/pglite'
import { parse, protocol } from '@electric-sql/pglite'

/** Most statements that are kept planned; the text of a few depends on how many ids there are. */
const KEPT = 200

type Query = PGlite['query']

/** What drizzle asks of its client, which by itself plans every statement anew. */
export function prepared(client: PGlite): Pick<PGlite, 'query' | 'transaction'> {
  const statementFor = createStatements(client)
  const run: Query = (text, parameters = [], options) =>
    client.runExclusive(async () => {
      const { name, types } = await statementFor(text)
      const values = parameters.map((value, i) => serialized(client, value, types[i]!))
      const { serialize } = protocol
      const asked = [
        serialize.bind({ statement: name, values }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
      ]
      return parse.parseResults(await exchange(client, asked), client.parsers, options)[0] as Results<never>
    })
  return {
    query: (text, parameters, options) => client._runExclusiveTransaction(() => run(text, parameters, options)),
    transaction: (work) => client.transaction((transaction) => work(within(transaction, run))),
  }
}

/** A transaction that is closed runs nothing more. */
function within(transaction: Transaction, run: Query): Transaction {
  const query: Query = async (text, parameters, options?: QueryOptions) => {
    if (transaction.closed) throw new Error('Expected the transaction to be open, got a closed one')
    return run(text, parameters, options)
  }
  return Object.create(transaction, { query: { value: query } }) as Transaction
}

interface Statement {
  readonly name: string
  /** The type of each parameter. */
  readonly types: readonly number[]
}

/** Prepares what is asked for the first time; the one that was prepared first makes room for it. */
function createStatements(client: PGlite): (text: string) => Promise<Statement> {
  const { serialize } = protocol
  const known = new Map<string, Statement>()
  let count = 0
  return async (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const [oldest] = known
    if (known.size >= KEPT && oldest !== undefined) {
      await exchange(client, [serialize.close({ type: 'S', name: oldest[1].name })])
      known.delete(oldest[0])
    }
    const name = `attune_${++count}`
    const described = await exchange(client, [serialize.parse({ name, text }), serialize.describe({ type: 'S', name })])
    const statement = { name, types: parse.parseDescribeStatementResults(described) }
    known.set(text, statement)
    return statement
  }
}

function serialized(client: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null
  return client.serializers[type]?.(value) ?? String(value)
}

/** One round of messages; a failed one is followed by a sync as well, or the next would be ignored. */
async function exchange(client: PGlite, messages: readonly Uint8Array[]) {
  const sync = protocol.serialize.sync()
  try {
    return (await client.execProtocol(Buffer.concat([...messages, sync]), { syncToFs: false })).messages
  } catch (error) {
    await client.execProtocol(sync, { syncToFs: false })
    throw error
  }
}
