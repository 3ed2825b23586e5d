/** The five dimensions of a preference (PAMU, section 3.1). Every value is a vector; a scale's has length one. */

export const DIMENSIONS = {
  tone: { kind: 'category', labels: ['humorous', 'warm', 'neutral', 'serious', 'blunt'] },
  length: { kind: 'scale', labels: ['brief', 'moderate', 'detailed'] },
  emotion: {
    kind: 'category',
    labels: ['joyful', 'neutral', 'curious', 'focused', 'sad', 'angry', 'anxious', 'surprised'],
  },
  density: { kind: 'scale', labels: ['sparse', 'moderate', 'dense'] },
  formality: { kind: 'scale', labels: ['casual', 'neutral', 'formal'] },
} as const satisfies Record<string, Scheme>

/** What a dimension's values are: a point of [0, 1] cut into labels, or a distribution over them. */
export interface Scheme {
  readonly kind: 'scale' | 'category'
  readonly labels: readonly string[]
}

export type Dimension = keyof typeof DIMENSIONS

/** In the order in which they are stepped. */
export const dimensions = Object.keys(DIMENSIONS) as Dimension[]

/** A scale: one number from 0 to 1. A category: as many weights as labels, summing to 1. */
export type Vector = readonly number[]

/** Something known of some of the dimensions; a dimension that is absent is missing, which is not zero. */
export type Partly<T> = { readonly [D in Dimension]?: T }
