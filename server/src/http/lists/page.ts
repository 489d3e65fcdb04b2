import type { RawBuilder, SqlBool } from 'kysely'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { type Cost, manyRows } from '../../db/direct.ts'
import { decodeCursor, encodeCursor, type Position } from './cursor.ts'
import { concat, type Fragment, fragment, quoted, read, toFragment, whereAll } from './fragment.ts'
import { hasFewMatches } from './gather.ts'
import { createLargeReader } from './large.ts'
import type { ListRequest } from './request.ts'
import { readRows } from './rows.ts'
import { columnsOf, isIndexOrder, type ListReader, selectSlice, sortValues } from './slice.ts'
import { filterConditions, type ListSpec } from './spec.ts'

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The exact number of rows that match the filter. */
  readonly total: number
  readonly nextCursor: string | null
  readonly previousCursor: string | null
}

/** Offsets up to this many rows cost nothing noticeable, from either end. */
const nearby = 1_000

/**
 * Reads one page. `scope` restricts the list to what the path or the caller allows, and applies to the total. A numbered
 * page is found by offset from the nearer end; a cursor by the index, at any place.
 */
export async function fetchPage<Row>(
  db: ReadDb,
  spec: ListSpec<Row>,
  request: ListRequest,
  scope?: RawBuilder<SqlBool>,
): Promise<Page<Row>> {
  const position = request.cursor === null ? null : decodeCursor(request, request.cursor)
  const large = scope === undefined && !isPostgres(db) ? await createLargeReader(db, spec, request) : undefined
  const reader = large ?? createReader(db, spec, request, await costOfFilters(db, spec, request), scope)
  return position === null ? fetchNumbered(reader, request) : fetchFrom(reader, request, position)
}

/** What it may cost to filter, count and sort: how many rows the database will look at is not known beforehand. */
async function costOfFilters<Row>(db: ReadDb, spec: ListSpec<Row>, { filters }: ListRequest): Promise<Cost> {
  if (isPostgres(db) || [...filters.keys()].some((name) => spec.filters[name]?.isUnique === true)) return 'unsure'
  const last = fragment(`select max(id) as id from ${quoted(spec.table)}`)
  const [row] = await read<{ id: number | null }>(db, last, 'quick')
  return (row?.id ?? 0) > manyRows ? 'costly' : 'unsure'
}

/** The default reader: the database plans the query itself. */
function createReader<Row>(
  db: ReadDb,
  spec: ListSpec<Row>,
  request: ListRequest,
  cost: Cost,
  scope?: RawBuilder<SqlBool>,
): ListReader<Row> {
  const scoped = scope === undefined ? [] : [toFragment(scope, db)]
  const conditionsOf = (isGathered: boolean) => [
    ...scoped,
    ...filterConditions(spec.filters, request.filters, db, isGathered),
  ]
  const conditions = conditionsOf(false)
  const columns = columnsOf(spec, request.sort)
  const { countsTable } = spec
  const isKept =
    scope === undefined &&
    countsTable !== undefined &&
    [...request.filters.keys()].every((name) => countsTable.filters.includes(name))
  const [alone, ...others] = scope === undefined ? request.filters : []
  const ownTotal = alone === undefined || others.length > 0 ? undefined : spec.filters[alone[0]]?.total?.(alone[1], db)
  const counted = isKept
    ? fragment(`select coalesce(sum(count), 0) as total from ${quoted(countsTable.table)}`)
    : fragment(`select count(*) as total from ${quoted(spec.table)}`)
  const total = read<{ total: number }>(
    db,
    ownTotal ?? concat(counted, whereAll(conditions)),
    isKept ? 'quick' : cost,
  ).then(([row]) => row?.total ?? 0)
  const isOrdered = conditions.length === 0 && isIndexOrder(request.sort)
  const mayGather = scope === undefined && request.filters.size > 0 && isPostgres(db)
  return {
    total,
    rows: async (slice) => {
      const { after, skip } = slice
      const wanted = mayGather && (await hasFewMatches(db, spec, request, total)) ? conditionsOf(true) : conditions
      const select = (range: readonly Fragment[]) =>
        concat(fragment(`select ${columns} from ${quoted(spec.table)}`), whereAll([...wanted, ...range]))
      return readRows<Row>(
        { db, spec, request },
        selectSlice(request.sort, slice, select),
        isOrdered && skip < nearby && (after === null || request.sort.length === 1) ? 'quick' : cost,
      )
    },
  }
}

async function fetchNumbered<Row>(reader: ListReader<Row>, request: ListRequest): Promise<Page<Row>> {
  const offset = (request.page - 1) * request.perPage
  const page = (total: number, rows: Row[]): Page<Row> => ({
    rows,
    total,
    ...cursors(request, rows, { before: offset > 0, after: offset + rows.length < total }),
  })
  const fromStart = { after: null, reversed: false, skip: offset, limit: request.perPage }
  // Near the start there is nothing to choose, so the total is not waited for.
  const early = typeof reader.total === 'number' || offset >= nearby ? undefined : reader.rows(fromStart)
  const [total, found] = await Promise.all([reader.total, early])
  if (offset >= total) return { rows: [], total, nextCursor: null, previousCursor: null }
  if (found !== undefined) return page(total, found)
  const limit = Math.min(request.perPage, total - offset)
  const behind = total - offset - limit
  if (behind >= offset) return page(total, await reader.rows({ ...fromStart, limit }))
  const reversed = await reader.rows({ after: null, reversed: true, skip: behind, limit })
  return page(total, reversed.reverse())
}

/** Reads from a position. One extra row tells whether the list ends here. */
async function fetchFrom<Row>(
  reader: ListReader<Row>,
  request: ListRequest,
  { direction, values }: Position,
): Promise<Page<Row>> {
  const backward = direction === 'backward'
  const slice = { after: values, reversed: backward, skip: 0, limit: request.perPage + 1 }
  const [total, found] = await Promise.all([reader.total, reader.rows(slice)])
  const more = found.length > request.perPage
  const rows = found.slice(0, request.perPage)
  if (backward) rows.reverse()
  return { rows, total, ...cursors(request, rows, { before: !backward || more, after: backward || more }) }
}

function cursors<Row>(
  request: ListRequest,
  rows: readonly Row[],
  there: { before: boolean; after: boolean },
): Pick<Page<Row>, 'nextCursor' | 'previousCursor'> {
  const at = (row: Row | undefined, direction: Position['direction']): string | null => {
    if (row === undefined) return null
    return encodeCursor(request, { direction, values: sortValues(request.sort, row as object) })
  }
  return {
    nextCursor: there.after ? at(rows.at(-1), 'forward') : null,
    previousCursor: there.before ? at(rows[0], 'backward') : null,
  }
}
