/** Who may print: whatever is open at once, one has the floor and the others wait in line. */

export interface Floor {
  /** Begins at once, or when all that came before have left. */
  take(speaker: Speaker): void
  leave(speaker: Speaker): void
}

export interface Speaker {
  /** It has the floor. */
  begin(): void
}

/** What is told before the first speaker takes the floor and after the last one left it. */
export interface Prompt {
  hide(): void
  show(): void
}

export function createFloor(prompt: Prompt): Floor {
  const line: Speaker[] = []
  return {
    take(speaker) {
      line.push(speaker)
      if (line.length > 1) return
      prompt.hide()
      speaker.begin()
    },
    leave(speaker) {
      const at = line.indexOf(speaker)
      if (at < 0) return
      line.splice(at, 1)
      const next = line[0]
      if (at === 0) next?.begin()
      if (!next) prompt.show()
    },
  }
}
