/** Checks recorded requests against Discord's own description of its HTTP API, where that file lies beside this project. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isRecord } from './body.ts'
import type { RestRequest } from './rest.ts'
import type { Payload } from './world.ts'

const FILE = fileURLToPath(new URL('../../../../shared/specs/discord-openapi.json', import.meta.url))

/** False: the description is not here, and a test that needs it is to be skipped. */
export const hasContract = existsSync(FILE)

/** Where the description is known to be wrong about a field, what is right. */
const CORRECTIONS: Readonly<Record<string, (schema: Payload) => Payload>> = {
  // Said to be an integer; sent and answered as a string, as it has more bits than a JSON number.
  default_member_permissions: () => ({ type: ['string', 'null'], pattern: '^[0-9]+$' }),
  // 4000 is for people who pay; a bot has 2000.
  content: (schema) => (schema['maxLength'] === 4000 ? { ...schema, maxLength: 2000 } : schema),
}

interface Contract {
  readonly paths: readonly { readonly path: string; readonly match: RegExp; readonly methods: Payload }[]
  readonly validate: (pointer: string) => ValidateFunction
}

let opened: Contract | null = null

/** One line per fault: unknown route, missing body, wrong field. Throws where the description is not here. */
export function contractFaults(requests: readonly RestRequest[]): string[] {
  opened ??= open()
  const contract = opened
  return requests.flatMap((request) =>
    faultsOf(contract, request).map((fault) => `${request.method} ${request.path}: ${fault}`),
  )
}

function open(): Contract {
  const document: unknown = JSON.parse(readFileSync(FILE, 'utf8'), corrected)
  if (!isRecord(document) || !isRecord(document['paths']))
    throw new Error(`Expected ${FILE} to be an OpenAPI description`)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  // Formats of Discord's that are no formats of JSON: ids are strings of digits, the rest is told by the type.
  ajv.addFormat('snowflake', /^(0|[1-9]\d*)$/)
  for (const name of ['nonce', 'int53']) ajv.addFormat(name, true)
  ajv.addSchema(document, 'discord')
  const compiled = new Map<string, ValidateFunction>()
  return {
    paths: Object.entries(document['paths'])
      .map(([path, methods]) => ({ path, match: pattern(path), methods: isRecord(methods) ? methods : {} }))
      // The path with the fewest open places is meant: `@original` before any message.
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length),
    validate: (pointer) => {
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `discord#${pointer}` })
      compiled.set(pointer, validate)
      return validate
    },
  }
}

const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

function faultsOf(contract: Contract, request: RestRequest): string[] {
  const path = decodeURIComponent(request.path)
  const method = request.method.toLowerCase()
  const found = contract.paths.find(({ match, methods }) => match.test(path) && isRecord(methods[method]))
  if (found === undefined) return ['no such route']
  const operation = found.methods[method]
  const expected = isRecord(operation) && isRecord(operation['requestBody']) ? operation['requestBody'] : null
  if (expected === null) return request.body === undefined ? [] : ['a body, where none is described']
  if (request.body === undefined) return expected['required'] === true ? ['no body'] : []
  const place = `/paths/${escaped(found.path)}/${method}/requestBody/content/${escaped('application/json')}/schema`
  const validate = contract.validate(place)
  return validate(request.body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** Fields of an object's `properties` only: an example may have a field of the same name. */
function corrected(key: string, value: unknown): unknown {
  if (key !== 'properties' || !isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => {
      const correct = Object.hasOwn(CORRECTIONS, name) ? CORRECTIONS[name] : undefined
      return [name, correct !== undefined && isRecord(schema) ? correct(schema) : schema]
    }),
  )
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
