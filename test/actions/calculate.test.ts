/** What calculate works out, and that nothing but arithmetic gets through. */

import { expect, test } from 'vitest'
import type { ActionContext } from '../../src/actions/action.ts'
import { calculate } from '../../src/actions/calculate.ts'

/** It asks for nothing of it. */
const context = {} as ActionContext
const worked = (given: unknown) => calculate.run(given, context).then(({ text }) => text)

test.each([
  ['17.5/100*(240+60)', '52.5'],
  ['2**10', '1024'],
  ['1,234.5*2', '2469'],
  ['17.5% of 240', '42'],
  ['20% * 50', '10'],
  ['0.1+0.2', '0.3'],
  ['10 % 3', '1'],
  ['12 × 3 ÷ 4 =', '9'],
  ['37 x 43', '1591'],
  ['sqrt(2)^2', '2'],
  ['max(1, 2) + abs(-3)', '5'],
])('%s is %s', async (expression, value) => {
  expect(await worked({ expression })).toBe(`${expression} = ${value}`)
})

test.each(
  'constructor|toString()|__proto__|"a"+"b"|[1,2]|f(x)=1|x=3|1;2|x+1|1/0|map(sqrt,1)|if(1,2,3)|random()|process.exit()|(1+2'.split(
    '|',
  ),
)('%s is refused', async (expression) => {
  await expect(worked({ expression })).rejects.toThrow(
    `Expected \`expression\` to be an arithmetic expression with a finite value, got \`${expression}\``,
  )
})

test('arguments that are none are refused in words', async () => {
  const is = 'Expected `expression` to be an arithmetic expression of numbers, + - * / ^ and brackets, got'
  await expect(worked({})).rejects.toThrow(`${is} nothing`)
  await expect(worked({ expression: 5 })).rejects.toThrow(`${is} \`5\``)
  await expect(worked({ expression: '1'.repeat(201) })).rejects.toThrow(is)
  await expect(worked({ expression: '1', person: 'ben' })).rejects.toThrow(
    'Expected `calculate` to get no arguments but `expression`, got `expression, person`',
  )
  await expect(worked('1+1')).rejects.toThrow('Expected the arguments of `calculate` to be an object, got `1+1`')
})
