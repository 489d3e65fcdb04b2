/** What generated pages begin with. */
export const origin = 'Generated from the server by `npm run generate`: do not edit.'

/** A Markdown table as the formatter wants it. */
export function writeTable(header: string[], rows: string[][]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: string[], fill = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  const rule = line(
    header.map(() => ''),
    '-',
  )
  return [line(header), rule, ...rows.map((row) => line(row))].join('\n')
}
