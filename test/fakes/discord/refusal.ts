/** The answers with which Discord refuses a request. */

import type { Payload } from './world.ts'

export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly errors: Payload | undefined

  constructor(status: number, code: number, message: string, errors?: Payload) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

export const unknownChannel = () => new Refusal(404, 10003, 'Unknown Channel')
export const unknownMessage = () => new Refusal(404, 10008, 'Unknown Message')
export const unknownInteraction = () => new Refusal(404, 10062, 'Unknown interaction')

/** 50035 with the reason at one field of the body. */
export function invalid(field: string, code: string, message: string): Refusal {
  return new Refusal(400, 50035, 'Invalid Form Body', { [field]: { _errors: [{ code, message }] } })
}
