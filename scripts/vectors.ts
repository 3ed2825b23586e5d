/** Holds the estimator against files of test vectors: npm run vectors -- FILE… */

import { readFileSync } from 'node:fs'
import { parseVectors, type VectorFile } from './vector-file.ts'
import { type Difference, runStream } from './vector-run.ts'

const files = process.argv.slice(2)
if (files.length === 0) fail('Expected at least one file of vectors, got none. Usage: npm run vectors -- FILE…')

let passed = 0
let failed = 0
for (const file of files) {
  const { streams, tolerance } = load(file)
  for (const stream of streams) {
    const found = attempt(file, () => runStream(stream, tolerance))
    if (found === null) passed += 1
    else {
      failed += 1
      console.log(sentence(stream.name, found))
    }
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function load(file: string): VectorFile {
  return attempt(file, () => parseVectors(readFileSync(file, 'utf8')))
}

/** A file that cannot be read or understood ends the run with its name and the reason. */
function attempt<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return fail(`${file}: ${error instanceof Error ? error.message : error}`)
  }
}

function sentence(name: string, { turn, field, expected, got }: Difference): string {
  return `${name}: turn ${turn}: expected ${field} to be ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
