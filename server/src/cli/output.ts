/** A line of text for people. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Data as JSON for programs, or as an aligned table for people. */
export function printRows(rows: readonly Record<string, unknown>[], columns: readonly string[], json: boolean): void {
  if (json) {
    printJson(rows)
    return
  }
  const cells = rows.map((row) => columns.map((column) => printable(row[column])))
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
  )
  const write = (line: readonly string[]) =>
    process.stdout.write(
      `${line
        .map((cell, index) => cell.padEnd(widths[index] as number))
        .join('  ')
        .trimEnd()}\n`,
    )
  write(columns)
  for (const line of cells) write(line)
}

/** JSON leaves some control and format characters as they are; here all of them become \uXXXX. */
export function printJson(value: unknown): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const json = JSON.stringify(value, null, 2)
  process.stdout.write(`${json.replaceAll(/[^\P{C}\n]/gu, (character) => character.replace(/./gs, escaped))}\n`)
}

/** Names come from users: nothing in them may control the terminal. */
function printable(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return (Array.isArray(value) ? value.join(',') : String(value)).replaceAll(/\p{C}/gu, '�')
}
