import { ArchiveError } from './archive.ts'
import { sumOf, type Table, type TableSum } from './snapshot.ts'
import type { Target } from './target.ts'

/** The sums of the source. */
export interface Expected {
  readonly tables: Readonly<Record<string, TableSum>>
  readonly sequences: Readonly<Record<string, number>>
}

/** Compares every row, id, hash and total of a filled target with the source; throws where one differs. */
export async function compare(
  target: Target,
  tables: readonly Table[],
  expected: Expected,
  onRows: (rows: number) => void,
): Promise<void> {
  for (const table of tables) {
    const found = await sumOf(target.snapshot, table, onRows)
    const wanted = expected.tables[table.name]
    if (found.rows !== wanted?.rows)
      throw new ArchiveError(`the table ${table.name} has ${found.rows} rows now instead of ${wanted?.rows}`)
    if (found.sha256 !== wanted.sha256) throw new ArchiveError(`a row of the table ${table.name} is not what it was`)
  }
  const sequences = await target.snapshot.sequences()
  for (const [table, last] of Object.entries(expected.sequences))
    if ((sequences[table] ?? 0) < last) throw new ArchiveError(`the table ${table} would give the id ${last} again`)
}
