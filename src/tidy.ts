/** Takes out of texts what a database can't hold: NUL characters and halves of surrogate pairs. */

import type { Letter } from './mailbox.ts'

/** A letter whose every text can be stored. */
export function tidy(letter: Letter): Letter {
  return { ...letter, message: tidyMessage(letter.message) } as Letter
}

/** Its time stays a time. */
export function tidyMessage<T extends { readonly sentAt: Date }>(message: T): T {
  return { ...(tidyValue(message) as T), sentAt: message.sentAt }
}

/** A text that can be stored. */
export function tidyText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function tidyValue(value: unknown): unknown {
  if (typeof value === 'string') return tidyText(value)
  if (Array.isArray(value)) return value.map(tidyValue)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tidyValue(inner)]))
}
