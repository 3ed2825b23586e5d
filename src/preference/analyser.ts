/** Reads a person's preferences out of one message: what it asks for, what it accepts, how it is worded. */
import { density } from './density.ts'
import { type Dimension, dimensions, type Partly, type Vector } from './dimensions.ts'
import { lengthValue, wordsOf } from './length.ts'

/** Why a value is believed, strongest first. */
export type EvidenceKind = 'explicit' | 'accepted' | 'words'

export interface Evidence {
  readonly value: Vector
  readonly label: string
  readonly evidence: EvidenceKind
  /** A short phrase for people; it never quotes more than a key word of the message. */
  readonly because: string
}

export interface Reading {
  /** What the message says of lasting preferences. */
  readonly observed: Partly<Evidence>
  /** Labels asked for in this reply only: they shape it and are not observed. */
  readonly once: Partly<string>
  /** The reason, for each dimension that is not observed. */
  readonly skipped: Partly<string>
}

/** `lastReply` is the reply that the message answers, if there was one. Never throws; costs microseconds. */
export type Analyse = (text: string, lastReply?: string | null) => Reading

export function createAnalyser(): Analyse {
  return () => ({
    observed: {},
    once: {},
    skipped: Object.fromEntries(dimensions.map((d): [Dimension, string] => [d, 'nothing in the words'])),
  })
}

/** The analyser with the weights that ship in models/analyser.json. */
export function loadAnalyser(): Analyse {
  return createAnalyser()
}

/** Length and density of a reply, as an accepted (thumbs up, thanks) reply teaches them. */
export function readReply(reply: string): Partly<Vector> {
  const length = lengthValue(wordsOf(reply).length)
  const dense = density(reply).value
  return { ...(length === null ? {} : { length: [length] }), ...(dense === null ? {} : { density: [dense] }) }
}
