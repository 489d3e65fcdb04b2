import type { ReadDb } from '../../db/database.ts'
import type { Cost } from '../../db/direct.ts'
import { concat, type Fragment, fragment, quoted } from './fragment.ts'
import type { LargeTable } from './large-table.ts'
import type { ListRequest } from './request.ts'
import { columnsOf, orderBy } from './slice.ts'
import type { ListSpec } from './spec.ts'

/** What is known about a request before its page is read. */
export interface Plan<Row> {
  readonly db: ReadDb
  readonly spec: ListSpec<Row>
  readonly large: LargeTable
  readonly request: ListRequest
  /** All rows of the table. */
  readonly rowCount: number
  /** The conditions of the filters that are set. */
  readonly facets: readonly Fragment[]
}

/*
 * Costs are in microseconds, measured on two cores of a server with the database in the page cache. They need not be exact:
 * they choose between ways that give the same answer.
 */
export const lookupCost = 2
export const narrowLookupCost = 0.5
export const indexStepCost = 0.06
/** Queries above this cost may delay other requests. */
export const costOf = (microseconds: number): Cost => (microseconds > 1_500 ? 'costly' : 'unsure')
/** Tables up to this size are fast for any query. */
export const smallTable = 2_000

/** The index that has the whole sort, if any: sorts by several columns have none. */
export function walkedIndex<Row>({ large, request: { sort } }: Plan<Row>): string | undefined {
  const [first, second] = sort
  if (first === undefined || sort.length > 2 || (second !== undefined && second.column !== 'id')) return undefined
  const { sortIndexes } = large
  const ownIndex = first.descending && second?.descending !== true ? sortIndexes[`-${first.column}`] : undefined
  return ownIndex ?? sortIndexes[first.column]
}

/** Reads the whole rows of the ids that `ids` selects, in the order of the list. */
export const rowsOfIds = <Row>({ spec, request }: Plan<Row>, ids: Fragment, reversed: boolean): Fragment => {
  const table = quoted(spec.table)
  return concat(
    fragment(`select ${columnsOf(spec, request.sort)} from (`),
    ids,
    fragment(`) as found cross join ${table} on ${table}.id = found.id`),
    fragment(orderBy(request.sort, reversed, spec.table)),
  )
}
