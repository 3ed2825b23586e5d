/** The styles of the terminal, or none of them. */

export interface Paint {
  dim(text: string): string
  bold(text: string): string
  italic(text: string): string
  accent(text: string): string
}

export function createPaint(colour: boolean): Paint {
  const style = (on: number, off: number) => (text: string) => (colour ? `\u001b[${on}m${text}\u001b[${off}m` : text)
  return { dim: style(2, 22), bold: style(1, 22), italic: style(3, 23), accent: style(36, 39) }
}
