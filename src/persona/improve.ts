/** One person's persona, from judged turns to a verdict: split, gradient, update, limits, gate. Touches no store. */

import { dimensions } from '../preference/dimensions.ts'
import type { Asker } from './ask.ts'
import { gate, type Pair, type Verdict } from './gate.ts'
import { gradient } from './gradient.ts'
import type { Judged } from './judged.ts'
import { check } from './limits.ts'
import type { Material } from './material.ts'
import { score } from './score.ts'
import { simulate } from './simulate.ts'
import { BATCH, HELD_OUT, split } from './split.ts'
import { unfit } from './unfit.ts'
import { update } from './update.ts'

/** How it is done; what is not the default is there to measure what the default is worth. */
export interface Recipe {
  /** Without it everything that keeps to the limits is accepted, as in the paper. */
  readonly hasGate: boolean
  /** Turns of one gradient, from 3 to 6. */
  readonly batch: number
  /** From 1 to 3; gains flatten there. */
  readonly iterations: number
}

export const RECIPE: Recipe = { hasGate: true, batch: BATCH.most, iterations: 3 }

export interface Improvement {
  /** The new persona; null where none was good enough. */
  readonly text: string | null
  /** Why not; empty when there is one. */
  readonly reason: string
  /** What was compared, accepted or not; null: nothing got that far. */
  readonly proposed: string | null
  readonly turnIds: readonly number[]
  readonly advice: readonly string[]
  readonly pairs: readonly Pair[]
  readonly verdict: Verdict | null
}

const NOTHING: Omit<Improvement, 'reason'> = {
  text: null,
  proposed: null,
  turnIds: [],
  advice: [],
  pairs: [],
  verdict: null,
}

/** @throws what a failed call, an unreadable answer or a time-out throws; nothing was changed then */
export async function improve(asker: Asker, material: Material, recipe: Recipe = RECIPE): Promise<Improvement> {
  const parts = split(material.turns, recipe.batch)
  if (parts === null) return { ...NOTHING, reason: tooFew(material) }
  if (parts.heldOut.every((turn) => hasNoAim(material, turn))) {
    return { ...NOTHING, reason: 'nothing is known yet of how they like to be answered' }
  }
  const rewritten = await rewrite(asker, material, parts.batch, recipe.iterations)
  const { proposed, reason } = rewritten
  if (proposed === null || reason !== '') return { ...NOTHING, ...rewritten }
  if (!recipe.hasGate) return { ...NOTHING, ...rewritten, text: proposed }
  const pairs = await compare(asker, material, proposed, parts.heldOut)
  const verdict = gate(pairs)
  const text = verdict.isAccepted ? proposed : null
  return { ...rewritten, text, reason: verdict.reason, pairs, verdict }
}

function tooFew({ turns, flooded }: Material): string {
  const flood = flooded === 0 ? '' : ` (${flooded} votes came in a flood and don't count)`
  return `${turns.length} judged turns, of at least ${BATCH.least + HELD_OUT.least}${flood}`
}

function hasNoAim({ placeOf }: Material, { context }: Judged): boolean {
  const { aims } = placeOf(context).measure
  return dimensions.every((dimension) => aims[dimension] === undefined)
}

type Rewritten = Pick<Improvement, 'proposed' | 'reason' | 'turnIds' | 'advice'>

/** Gradient and update, again and again until there is no more advice; one that breaks a limit ends it all. */
async function rewrite(asker: Asker, material: Material, batch: readonly Judged[], iterations: number) {
  let persona = material.persona
  const turnIds = new Set<number>()
  const advice: string[] = []
  const result = (proposed: string | null, reason: string): Rewritten => ({
    proposed,
    reason,
    turnIds: [...turnIds].toSorted((a, b) => a - b),
    advice,
  })
  for (let i = 0; i < iterations; i++) {
    const given = await adviceFrom(asker, material, persona, batch)
    if (given.byTurn.size === 0 && i > 0) break
    if (given.byTurn.size === 0) return result(null, given.refused ?? 'no advice: replies are as they should be')
    advice.push(...[...given.byTurn].flatMap(([turnId, lines]) => lines.map((line) => `[${turnId}] ${line}`)))
    const surroundings = { persona, texts: material.texts, names: material.names, advice: given.byTurn }
    const checked = check(await update(asker, persona, given.byTurn), surroundings)
    if (checked.text === null) return result(null, checked.reason)
    if (checked.text === persona) break
    persona = checked.text
    for (const turnId of checked.turnIds) turnIds.add(turnId)
  }
  return persona === material.persona ? result(null, 'the model left it as it was') : result(persona, '')
}

/** Advice that could not stand in a persona is none: somebody may have put it into a message. */
async function adviceFrom(asker: Asker, material: Material, persona: string, batch: readonly Judged[]) {
  const byTurn = new Map<number, readonly string[]>()
  let refused: string | null = null
  for (const turn of batch) {
    const simulated = await simulate(asker, persona, turn.question, material.placeOf(turn.context).scene)
    const lines = await gradient(asker, persona, turn, simulated)
    const fit = lines.filter((line) => {
      const reason = unfit(line, { ...material, persona })
      if (reason !== null) refused = `advice holds ${reason}`
      return reason === null
    })
    if (fit.length > 0) byTurn.set(turn.turnId, fit)
  }
  return { byTurn, refused: refused as string | null }
}

async function compare(asker: Asker, material: Material, proposed: string, heldOut: readonly Judged[]) {
  const pairs: Pair[] = []
  for (const turn of heldOut) {
    const { scene, measure } = material.placeOf(turn.context)
    const worth = async (persona: string) =>
      score(measure, persona, turn, await simulate(asker, persona, turn.question, scene))
    pairs.push({ turnId: turn.turnId, before: await worth(material.persona), after: await worth(proposed) })
  }
  return pairs
}
