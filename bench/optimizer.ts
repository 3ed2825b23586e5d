/**
 * What the nightly change of personas is worth when raters err: npm run bench:optimizer -- [SEED…]
 * 50 people a seed with hidden wishes (optimizer/people.ts) and a scripted model (optimizer/model.ts); 30 % of ratings are
 * the wrong way round. Each seed is lived through with the gate and without it.
 */

import { RECIPE, type Recipe } from '../src/persona/improve.ts'
import { loadAnalyser } from '../src/preference/analyser.ts'
import { loadPrompts } from '../src/prompts.ts'
import { type Lived, live, type World } from './optimizer/people.ts'

const PEOPLE = 50
const FLIPPED = 0.3
const SEEDS = [11, 12, 13]

const RECIPES: readonly (readonly [string, Recipe])[] = [
  ['with the gate', RECIPE],
  ['without', { ...RECIPE, hasGate: false }],
]

const prompts = loadPrompts()
const analyse = loadAnalyser()

async function crowd(recipe: Recipe, seed: number): Promise<readonly Lived[]> {
  const world: World = { analyse, prompts, flipped: FLIPPED, recipe }
  const lives: Lived[] = []
  for (let i = 0; i < PEOPLE; i++) lives.push(await live(world, seed * 1000 + i))
  return lives
}

function print(name: string, seed: string, lives: readonly Lived[]): void {
  const sum = (part: (life: Lived) => number) => lives.reduce((total, life) => total + part(life), 0)
  const changed = lives.filter(({ began, ended }) => began !== ended)
  const below = lives.filter(({ began, ended }) => ended < began)
  const worst = Math.min(0, ...lives.map(({ began, ended }) => ended - began))
  const gain = changed.reduce((total, { began, ended }) => total + ended - began, 0) / Math.max(1, changed.length)
  const figures = [
    seed,
    (sum(({ began }) => began) / lives.length).toFixed(3),
    (sum(({ ended }) => ended) / lives.length).toFixed(3),
    changed.length,
    gain.toFixed(3),
    below.length,
    worst.toFixed(3),
    `${sum(({ accepted }) => accepted)}/${sum(({ refused }) => refused)}/${sum(({ returned }) => returned)}`,
  ]
  console.log(name.padEnd(15) + figures.map((figure) => String(figure).padStart(11)).join(''))
}

const seeds = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SEEDS
console.log(
  `${PEOPLE} people a seed, ${100 * FLIPPED} % of ratings flipped; how near replies are to the wish, from 0 to 1`,
)
const titles = ['seed', 'began', 'ended', 'changed', 'gain', 'below', 'worst', 'acc/ref/ret']
console.log(''.padEnd(15) + titles.map((title) => title.padStart(11)).join(''))
const all = new Map<string, Lived[]>()
for (const seed of seeds) {
  for (const [name, recipe] of RECIPES) {
    const lives = await crowd(recipe, seed)
    print(name, String(seed), lives)
    all.set(name, [...(all.get(name) ?? []), ...lives])
  }
}
for (const [name, lives] of all) print(name, 'all', lives)
