import type { Position } from './cursor.ts'
import { concat, type Fragment, fragment, limitTo, notNull, quoted } from './fragment.ts'
import type { SortTerm } from './request.ts'

/** A slice of a sorted list. */
export interface Slice {
  /** The sort values of the row after which it begins; null for the start of the list. */
  readonly after: Position['values'] | null
  /** True if the list is walked from its end. */
  readonly reversed: boolean
  readonly skip: number
  readonly limit: number
}

/** How the rows of one request are counted, and read from a position. */
export interface ListReader<Row> {
  readonly total: number | Promise<number>
  readonly rows: (slice: Slice) => Promise<Row[]>
}

const columnsOfLists = new WeakMap<object, string>()

/** The columns to read of each row: what the list shows, and what a cursor needs. */
export function columnsOf(
  spec: { table: string; columns: readonly string[]; json?: string },
  sort: readonly SortTerm[],
): string {
  const named = (columns: readonly string[]) =>
    columns.map((column) => `${quoted(spec.table)}.${quoted(column)}`).join(', ')
  if (spec.json !== undefined) return `${spec.json} as json, ${named(sort.map(({ column }) => column))}`
  const shown = columnsOfLists.get(spec) ?? named(spec.columns)
  columnsOfLists.set(spec, shown)
  const sorted = sort.map(({ column }) => column).filter((column) => !spec.columns.includes(column))
  return sorted.length === 0 ? shown : `${shown}, ${named(sorted)}`
}

/**
 * True if an index of the column and the id has exactly this order, forwards or backwards. If the directions differ, rows
 * with the same value must be sorted.
 */
export const isIndexOrder = (sort: readonly SortTerm[]): boolean =>
  sort.length <= 2 && sort.every(({ descending }) => descending === sort[0]?.descending)

/** The expression of a sort's column that is compared; `table` is needed if several have the column. */
function compared({ column, isNullable }: SortTerm, table: string | undefined): string {
  const named = table === undefined ? quoted(column) : `${quoted(table)}.${quoted(column)}`
  return isNullable === true ? notNull(named) : named
}

/** `table` is needed if several have the columns. */
export const orderBy = (sort: readonly SortTerm[], reversed: boolean, table?: string): string => {
  const terms = sort.map((term) => `${compared(term, table)}${term.descending !== reversed ? ' desc' : ''}`)
  return `order by ${terms.join(', ')}`
}

/** The values of a row for each term of a sort. */
export const sortValues = (sort: readonly SortTerm[], row: object): (string | number)[] =>
  sort.map(({ column }) => (row as Record<string, string | number | null>)[column] ?? '')

/**
 * The rows after a position in a sort whose terms may have different directions: `a >= x and (a > x or (b >= y and (b > y
 * …)))`. The outer bound of each term lets the index start at the position.
 */
export function beyond(
  [term, ...rest]: readonly SortTerm[],
  [value, ...others]: Position['values'],
  reversed: boolean,
  table?: string,
): Fragment {
  if (term === undefined) return fragment('1 = 0')
  const column = compared(term, table)
  const operator = term.descending !== reversed ? '<' : '>'
  if (rest.length === 0) return fragment(`${column} ${operator} ?`, value)
  const tied = beyond(rest, others, reversed, table)
  return {
    sql: `${column} ${operator}= ? and (${column} ${operator} ? or (${tied.sql}))`,
    parameters: [value, value, ...tied.parameters],
  }
}

/** A range of the index of a sort: its conditions, and the order within. */
interface Range {
  readonly conditions: readonly Fragment[]
  readonly sort: readonly SortTerm[]
}

/**
 * The rows after a position as ranges of the index of the sort, in order: those with the same first value, then the others. With
 * a single condition, both databases would step through all rows that have that value.
 */
function rangesBeyond(sort: readonly SortTerm[], values: Position['values'], reversed: boolean): Range[] {
  const [first, ...rest] = sort
  if (first === undefined || rest.length !== 1) return [{ conditions: [beyond(sort, values, reversed)], sort }]
  const same = fragment(`${compared(first, undefined)} = ?`, values[0])
  return [
    { conditions: [same, beyond(rest, values.slice(1), reversed)], sort: rest },
    { conditions: [beyond([first], values, reversed)], sort },
  ]
}

/**
 * The query of a slice: up to `limit` rows of each range of the index, and the first `limit` of those. `select` must select the
 * columns of the sort, too.
 */
export function selectSlice(
  sort: readonly SortTerm[],
  { after, reversed, skip, limit }: Slice,
  select: (conditions: readonly Fragment[]) => Fragment,
): Fragment {
  const ranges = after === null ? [{ conditions: [], sort }] : rangesBeyond(sort, after, reversed)
  const order = (terms: readonly SortTerm[]) => fragment(orderBy(terms, reversed))
  const selectIn = (range: Range, end: Fragment) => concat(select(range.conditions), order(range.sort), end)
  const [only, ...others] = ranges
  if (only !== undefined && others.length === 0) return selectIn(only, limitTo(limit, skip))
  const parts = ranges.flatMap((range, index) => [
    fragment(index === 0 ? 'select * from (' : 'union all select * from ('),
    selectIn(range, limitTo(skip + limit)),
    fragment(`) as part${index}`),
  ])
  return concat(fragment('select * from ('), ...parts, fragment(') as page'), order(sort), limitTo(limit, skip))
}

/** The id and what the list is sorted by. */
export const idAndSort = (sort: readonly SortTerm[]): string =>
  [...new Set(['id', ...sort.map(({ column }) => column)])].map(quoted).join(', ')
