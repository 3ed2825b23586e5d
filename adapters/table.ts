/** A Markdown table as lines of text whose columns stand under each other, for a code block. */

import stringWidth from 'fast-string-width'
import type { Tokens } from 'marked'
import { known, plain } from './markdown.ts'

/** Columns are as wide as they are shown, so that Chinese, Japanese and emoji line up. A row may lack cells. */
export function tableLines(table: Tokens.Table): string[] {
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => plain(known(cell.tokens))))
  const widths = table.header.map((_, column) => Math.max(3, ...rows.map((row) => stringWidth(row[column] ?? ''))))
  const lines = rows.map((row) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width, table.align[column] ?? null))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0] ?? '', widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)]
}

function padded(cell: string, width: number, align: 'left' | 'center' | 'right' | null): string {
  const room = width - stringWidth(cell)
  const left = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return ' '.repeat(left) + cell + ' '.repeat(room - left)
}
