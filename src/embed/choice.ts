/** Which embedder the environment asks for. */

export type EmbedderChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'minilm' }
  | { readonly kind: 'ollama'; readonly model: string }

export const CHOICES = 'one of `none`, `minilm` or `ollama:` and the name of a model, such as `ollama:all-minilm`'

/** @throws RangeError Expected `EMBEDDER` to be …, got `…` */
export function parseChoice(text: string): EmbedderChoice {
  if (text === 'none' || text === 'minilm') return { kind: text }
  const model = /^ollama:([\w.:/-]{1,200})$/.exec(text)?.[1]
  if (model !== undefined) return { kind: 'ollama', model }
  throw new RangeError(`Expected \`EMBEDDER\` to be ${CHOICES}, got \`${text}\``)
}
