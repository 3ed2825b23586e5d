/** Lines on stdin, each a message or {"text", "reply"?}; one JSON line each on stdout: what the analyser reads. */
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Analyse, type Evidence, loadAnalyser } from '../src/preference/analyser.ts'
import { DIMENSIONS, type Dimension } from '../src/preference/dimensions.ts'

const Input = z.object({ text: z.string(), reply: z.string().nullish() })

function answer(line: string, analyse: Analyse): object {
  if (!line.trimStart().startsWith('{')) return read(line, null, analyse)
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return {
      error: `Expected a line to be text or JSON, got broken JSON: ${error instanceof Error ? error.message : error}`,
    }
  }
  const input = Input.safeParse(json)
  if (!input.success) return { error: 'Expected a JSON line to be {"text": string, "reply"?: string}' }
  return read(input.data.text, input.data.reply ?? null, analyse)
}

function read(text: string, reply: string | null, analyse: Analyse): object {
  const { observed, once, skipped } = analyse(text, reply)
  const entries = Object.entries(observed) as [Dimension, Evidence][]
  return {
    text,
    observed: Object.fromEntries(entries.map(([dimension, evidence]) => [dimension, shown(dimension, evidence)])),
    skipped,
    ...(Object.keys(once).length > 0 ? { once } : {}),
  }
}

function shown(dimension: Dimension, { value, label, evidence, because }: Evidence): object {
  const { kind, labels } = DIMENSIONS[dimension]
  const rounded = value.map((number) => Number(number.toFixed(4)))
  const seen =
    kind === 'scale'
      ? { value: rounded[0] }
      : { probabilities: Object.fromEntries(labels.map((l, i) => [l, rounded[i]])) }
  return { ...seen, label, evidence, because }
}

const analyse = loadAnalyser()
for await (const line of createInterface({ input: process.stdin }))
  if (line.trim().length > 0) process.stdout.write(`${JSON.stringify(answer(line, analyse))}\n`)
