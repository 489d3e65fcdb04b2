import type { ReadDb } from '../../db/database.ts'
import type { Fragment } from './fragment.ts'

/**
 * How to read a large table on SQLite, which has no statistics here and would guess. A page is found in one of two ways: the
 * index of its sort is *walked* until enough rows have passed the filters, or all matches are *gathered* by the index of a
 * filter and sorted. The number of matches is known first, which decides what is cheaper.
 */
export interface LargeTable {
  /**
   * Sort column → the index in its order, then by id; with a minus, one in descending order, then by ascending id. `id` has
   * its own index, narrower than the table.
   */
  readonly sortIndexes: Readonly<Record<string, string>> & { readonly id: string }
  /**
   * Filter → the index that begins with its column, the most selective first. The indexes of `sortIndexes` contain these
   * columns, too …
   */
  readonly filterIndexes: Readonly<Record<string, string>>
  /** … except the indexes of these sort columns … */
  readonly sortsWithoutFilterColumns: readonly string[]
  /** … and except the columns of these filters. */
  readonly filtersBesideIndexes: readonly string[]
  readonly search?: SearchIndex
}

/** A separate table that finds texts by substrings. */
export interface SearchIndex {
  /** The filter that uses it. */
  readonly filter: string
  /** The best way to find these terms among this many rows. */
  readonly source: (db: ReadDb, terms: readonly string[], rows: number) => Promise<SearchSource>
}

export interface SearchSource {
  /** The table, and its column that is the list's id. */
  readonly table: string
  readonly id: string
  /** The condition that its row matches. */
  readonly matches: Fragment
  /** The condition that the text of the row `walked` matches. */
  readonly check: Fragment
  /** The fixed cost of finding all matches, in addition to the cost per match. */
  readonly scanCost: number
  /** True if it may take long, however few rows match. */
  readonly isCostly: boolean
}
