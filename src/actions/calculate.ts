/** calculate: arithmetic, by a parser that knows numbers, operators and a few functions, and nothing else. */

import { Parser } from 'expr-eval-fork'
import { z } from 'zod'
import { action, shortly } from './action.ts'

const LONGEST = 200
/** A billionth part is what floating point gets wrong; more digits would only show that. */
const DIGITS = 12
const FUNCTIONS = ['min', 'max', 'pow', 'hypot']

const parser = new Parser({
  allowMemberAccess: false,
  operators: {
    assignment: false,
    fndef: false,
    in: false,
    random: false,
    concatenate: false,
    conditional: false,
    logical: false,
    comparison: false,
    length: false,
  },
})
for (const name of Object.keys(parser.functions)) if (!FUNCTIONS.includes(name)) delete parser.functions[name]
for (const name of Object.keys(parser.consts)) if (!['E', 'PI'].includes(name)) delete parser.consts[name]

export const calculate = action({
  name: 'calculate',
  description: 'Works out an arithmetic expression exactly. Use it for every calculation instead of guessing.',
  parameters: z.strictObject({
    expression: z.string().max(LONGEST).describe('an arithmetic expression of numbers, + - * / ^ and brackets'),
  }),
  mayHelp: ({ text }) => CALCULATES.test(text.replace(DATES, ' ')),
  run: ({ expression }) => ({ text: `${expression} = ${resultOf(expression)}` }),
})

const DATES = /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\b\d+(?:-\d+){2,}\b/g
const CALCULATES =
  /\d\s*(?:[+*×÷^%]|[-/] ?(?=[\d(])|plus\b|minus\b|times\b|x\b|divided by\b|multiplied by\b|percent\b|per cent\b)|\b(?:calculate|compute|square root|sqrt|multiply|divide|subtract|add up|average of|sum of)\b.*\d|\bhow (?:much|many)\b.*\d.*\d/i

function resultOf(expression: string): string {
  const value = evaluated(expression)
  if (typeof value === 'number' && Number.isFinite(value)) return String(Number(value.toPrecision(DIGITS)))
  throw wrong(expression)
}

function evaluated(expression: string): unknown {
  const plain = expression
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[×·]/g, '*')
    .replace(/÷/g, '/')
    .replace(/−/g, '-')
    .replace(/\*\*/g, '^')
    .replace(/=\s*\??\s*$/, '')
    .replace(/%\s*of\b/gi, '/100*')
    .replace(/(?<=\d)\s*x\s*(?=\d)/gi, '*')
    .replace(/(\d+(?:\.\d+)?)\s*%(?!\s*[\d(])/g, '($1/100)')
    .replace(/\bpi\b/gi, 'PI')
  if (/["'[\]{};]/.test(plain)) throw wrong(expression)
  try {
    return parser.parse(plain).evaluate({})
  } catch (error) {
    throw new RangeError(wrong(expression).message, { cause: error })
  }
}

function wrong(expression: string): RangeError {
  return new RangeError(
    `Expected \`expression\` to be an arithmetic expression with a finite value, got ${shortly(expression)}`,
  )
}
