/** Bars, sparklines and aligned columns of plain characters, for terminals and code blocks alike. */

const CELLS = 10
const LEVELS = [...'▁▂▃▄▅▆▇█']

/** A share from 0 to 1 as ten cells. */
export function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * CELLS)
  return '█'.repeat(full) + '░'.repeat(CELLS - full)
}

/** Shares from 0 to 1, oldest first, one character each; the height is absolute, so that little trembling looks little. */
export function sparkline(shares: readonly number[]): string {
  return shares
    .map((share) => LEVELS[Math.min(LEVELS.length - 1, Math.max(0, Math.floor(share * LEVELS.length)))])
    .join('')
}

/** Rows as lines whose columns begin below each other. The cells hold characters of one cell's width each. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length)
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** A code block; what is inside can't end it. */
export function block(text: string, language = ''): string {
  return `\`\`\`${language}\n${text.replaceAll('```', "'''")}\n\`\`\``
}

/** Somebody's text as a quotation; what is inside can't end it. */
export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
