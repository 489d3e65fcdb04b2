let failure: NodeJS.ErrnoException | undefined

/** Writes to standard output. What could not be written, `allPrinted` says. */
export function print(text: string): void {
  process.stdout.write(text, (error) => {
    failure ??= error ?? undefined
  })
}

/** Resolves once all of it is written, or nobody reads it any more (`| head`). Rejects with what prevented it, such as a full disk. */
export const allPrinted = (): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write('', () => {
      if (failure === undefined || failure.code === 'EPIPE') resolve()
      else reject(Object.assign(failure, { path: 'standard output' }))
    })
  })

/** A line of text for people. */
export function printLine(text: string): void {
  print(`${text}\n`)
}

/** “1 user”, “2 users”. A verb that follows belongs to both forms: `counted(n, 'user was', 'users were')`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

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
    print(
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
  print(`${json.replaceAll(/[^\P{C}\n]/gu, (character) => character.replace(/./gs, escaped))}\n`)
}

/** Names come from users: nothing in them may control the terminal. */
function printable(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return (Array.isArray(value) ? value.join(',') : String(value)).replaceAll(/\p{C}/gu, '�')
}
