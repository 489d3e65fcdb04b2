import type { ReadDb } from '../../db/database.ts'
import type { Fragment } from './fragment.ts'

/**
 * How a large table is read on SQLite, which keeps no statistics here and would guess. A page is found in one of two ways:
 * the index of its sort is *walked* until enough rows have passed the filters, or all matches are *gathered* by the index of
 * a filter and sorted. The number of matches is known before, so that the cheaper way is known, too.
 */
export interface LargeTable {
  /** Sort column → the index in its order, then by id; with a minus, one in the descending order, then by ascending id. `id` has one of its own, narrower than the table. */
  readonly sortIndexes: Readonly<Record<string, string>> & { readonly id: string }
  /** Filter → the index that begins with its column, the most selective first. The indexes of `sortIndexes` hold these columns, too … */
  readonly filterIndexes: Readonly<Record<string, string>>
  /** … but for the ones of these sort columns … */
  readonly sortsWithoutFilterColumns: readonly string[]
  /** … and for the columns of these filters. */
  readonly filtersBesideIndexes: readonly string[]
  readonly search?: SearchIndex
}

/** A table beside the list's that finds texts by their parts. */
export interface SearchIndex {
  /** The filter that it serves. */
  readonly filter: string
  /** How these terms are best found among so many rows. */
  readonly source: (db: ReadDb, terms: readonly string[], rows: number) => Promise<SearchSource>
}

export interface SearchSource {
  /** The table and its column that is the list's id. */
  readonly table: string
  readonly id: string
  /** Whether its row matches. */
  readonly matches: Fragment
  /** Whether the text of the row `walked` does. */
  readonly check: Fragment
  /** What it costs to find all matches, beside what each match costs. */
  readonly scanCost: number
  /** True where it may take long, however few rows match. */
  readonly isCostly: boolean
}
