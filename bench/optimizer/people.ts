/**
 * People with a wish that nobody is told: they write a little as they like to be answered, and rate replies by it, some
 * of them the wrong way round. Every night their persona is improved as in the bot, by the same code.
 */

import { createAsker } from '../../src/persona/ask.ts'
import { improve, type Recipe } from '../../src/persona/improve.ts'
import type { Judged } from '../../src/persona/judged.ts'
import type { Material } from '../../src/persona/material.ts'
import { aimsOf, styleOf } from '../../src/persona/score.ts'
import { watch } from '../../src/persona/watch.ts'
import type { Analyse, Evidence } from '../../src/preference/analyser.ts'
import type { Dimension, Partly } from '../../src/preference/dimensions.ts'
import { type Learned, learn, NOTHING } from '../../src/preference/learn.ts'
import { PROFILES } from '../../src/preference/settings.ts'
import type { Prompts } from '../../src/prompts.ts'
import { type Chance, chance } from '../pamu/random.ts'
import { answer, createModel, type Read } from './model.ts'
import { type Manner, prose } from './prose.ts'

export interface World {
  readonly analyse: Analyse
  readonly prompts: Prompts
  /** Share of ratings that are the wrong way round. */
  readonly flipped: number
  readonly recipe: Recipe
}

/** How near replies are to the wish, from 0 to 1, before the first night and after the last. */
export interface Lived {
  readonly began: number
  readonly ended: number
  readonly accepted: number
  readonly refused: number
  readonly returned: number
}

const SCALES = ['length', 'density', 'formality'] as const satisfies readonly Dimension[]
const NIGHTS = 5
const TURNS_A_DAY = 10
const TEST_QUESTIONS = 60
/** How far what somebody writes is from how they like to be answered, and how often it shows. */
const OWN_NOISE = 0.12
const SHOWS = 0.7
/** A reply nearer to the wish than this is a good one. */
const GOOD = 0.78
const DAY_MS = 86_400_000

interface Person {
  readonly wish: Manner
  persona: string
  versions: { readonly persona: string; readonly at: Date }[]
  learned: Learned
  readonly turns: (Judged & { readonly askedAt: Date })[]
}

export function readWith(analyse: Analyse): Read {
  return (text) =>
    Object.fromEntries(
      SCALES.flatMap((scale) => {
        const value = styleOf(analyse, text)[scale]?.[0]
        return value === undefined ? [] : [[scale, value]]
      }),
    )
}

export async function live(world: World, seed: number): Promise<Lived> {
  const luck = chance(seed)
  const read = readWith(world.analyse)
  const first = world.prompts.render('persona', {})
  const person: Person = { wish: wishOf(read, luck), persona: first, versions: [], learned: NOTHING, turns: [] }
  const count = { accepted: 0, refused: 0, returned: 0 }
  for (let night = 1; night <= NIGHTS; night++) {
    spendDay(world, person, night, read, luck)
    const outcome = await spendNight(world, person, new Date(night * DAY_MS), read, luck)
    count[outcome] += 1
  }
  const near = (persona: string) => nearness(read, person.wish, persona, seed)
  return { began: near(first), ended: near(person.persona), ...count }
}

/** Something that a reply can be, as the analyser measures it. */
function wishOf(read: Read, luck: Chance): Manner {
  const wanted: Manner = {
    length: luck.between(0.15, 0.75),
    density: luck.between(0, 1),
    formality: luck.between(0, 1),
  }
  const samples = Array.from({ length: 12 }, () => read(prose(wanted, luck)))
  const mean = (scale: keyof Manner) =>
    samples.reduce((sum, sample) => sum + (sample[scale] ?? 0.5), 0) / samples.length
  return { length: mean('length'), density: mean('density'), formality: mean('formality') }
}

function near(read: Read, wish: Manner, reply: string): number {
  const style = read(reply)
  const away = SCALES.flatMap((scale) => (style[scale] === undefined ? [] : [Math.abs(style[scale] - wish[scale])]))
  return 1 - away.reduce((sum, value) => sum + value, 0) / Math.max(1, away.length)
}

/** Over questions of which nobody was asked, the same for every persona. */
function nearness(read: Read, wish: Manner, persona: string, seed: number): number {
  let sum = 0
  for (let i = 0; i < TEST_QUESTIONS; i++) sum += near(read, wish, answer(persona, seed * 1009 + i))
  return sum / TEST_QUESTIONS
}

function spendDay(world: World, person: Person, day: number, read: Read, luck: Chance): void {
  for (let i = 0; i < TURNS_A_DAY; i++) {
    const askedAt = new Date((day - 1) * DAY_MS + (i + 1) * 3_600_000)
    person.learned = learn(person.learned, written(person.wish, luck), PROFILES.adaptive, 'turn').learned
    const reply = answer(person.persona, luck.whole(0, 2 ** 31))
    const isGood = near(read, person.wish, reply) > GOOD
    const isUp = luck.uniform() < world.flipped ? !isGood : isGood
    if (isUp) person.learned = learn(person.learned, liked(read(reply)), PROFILES.adaptive, 'rating').learned
    person.turns.push({
      turnId: day * 100 + i,
      context: 'direct',
      question: `What about number ${i}?`,
      reply,
      rating: isUp ? 'up' : 'down',
      ratedAt: askedAt,
      signals: [],
      askedAt,
    })
  }
}

function written(wish: Manner, luck: Chance): Partly<Evidence> {
  return Object.fromEntries(
    SCALES.flatMap((scale) => {
      const value = Math.min(1, Math.max(0, wish[scale] + OWN_NOISE * luck.normal()))
      return luck.uniform() < SHOWS ? [[scale, { value: [value], label: '', evidence: 'words', because: '' }]] : []
    }),
  )
}

/** What a vote teaches: length and density of the reply, as in the bot. */
function liked({ length, density }: Partial<Manner>): Partly<Evidence> {
  const evidence = (value: number) => ({ value: [value], label: '', evidence: 'accepted' as const, because: '' })
  return {
    ...(length !== undefined && { length: evidence(length) }),
    ...(density !== undefined && { density: evidence(density) }),
  }
}

async function spendNight(world: World, person: Person, now: Date, read: Read, luck: Chance) {
  const last = person.versions.at(-1)
  if (last !== undefined && watch(person.turns, last.at)?.isWorse) {
    person.persona = last.persona
    person.versions.pop()
    return 'returned'
  }
  const asker = createAsker({
    llm: createModel(read, luck),
    prompts: world.prompts,
    signal: new AbortController().signal,
  })
  const { text } = await improve(asker, materialFor(world, person), world.recipe)
  if (text === null) return 'refused'
  person.versions.push({ persona: person.persona, at: now })
  person.persona = text
  return 'accepted'
}

/** The style is not put to the model: what the persona alone achieves is measured. */
function materialFor({ analyse }: World, { persona, turns, learned }: Person): Material {
  const aims = aimsOf(learned.own, learned.overall, {}, PROFILES.adaptive)
  return {
    persona,
    turns,
    flooded: 0,
    names: ['Ann'],
    texts: turns.map(({ question }) => question),
    placeOf: () => ({ scene: { style: '', length: undefined }, measure: { analyse, aims } }),
  }
}
