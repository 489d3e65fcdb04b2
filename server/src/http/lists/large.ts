import type { ReadDb } from '../../db/database.ts'
import { manyRows } from '../../db/direct.ts'
import { concat, type Fragment, fragment, limitTo, quoted, read, whereAll } from './fragment.ts'
import { costOf, indexStepCost, lookupCost, narrowLookupCost, type Plan, rowsOfIds, walkedIndex } from './large-plan.ts'
import { createSearchReader } from './large-search.ts'
import { walk } from './large-walk.ts'
import type { ListRequest } from './request.ts'
import { readRows } from './rows.ts'
import { beyond, columnsOf, idAndSort, isIndexOrder, type ListReader, orderBy, selectSlice } from './slice.ts'
import { filterConditions, type ListSpec } from './spec.ts'

/** Offsets up to this many rows are read directly. */
const nearby = 200
/** Walking this many entries of an index takes less than half a millisecond. */
const fewSteps = 200

/** Undefined if the list is not large, or the request is not one that this file handles. */
export async function createLargeReader<Row>(
  db: ReadDb,
  spec: ListSpec<Row>,
  request: ListRequest,
): Promise<ListReader<Row> | undefined> {
  const { large, countsTable } = spec
  if (large === undefined || countsTable === undefined) return undefined
  const names = [...request.filters.keys()]
  const { search } = large
  if (!names.every((name) => name in large.filterIndexes || name === search?.filter)) return undefined
  const facetNames = names.filter((name) => name in large.filterIndexes)
  const facets = filterConditions(
    spec.filters,
    [...request.filters].filter(([name]) => facetNames.includes(name)),
    db,
  )
  const count = async (conditions: readonly Fragment[]): Promise<number> => {
    const sum = fragment(`select coalesce(sum(count), 0) as total from ${quoted(countsTable.table)}`)
    const [row] = await read<{ total: number }>(db, concat(sum, whereAll(conditions)), 'quick')
    return row?.total ?? 0
  }
  const rowCount = await count([])
  const plan: Plan<Row> = { db, spec, large, request, rowCount, facets }
  const terms = search === undefined ? undefined : request.filters.get(search.filter)
  if (search !== undefined && terms !== undefined) return createSearchReader(plan, search, terms.map(String))
  const index = Object.entries(large.filterIndexes).find(([name]) => facetNames.includes(name))?.[1]
  if (index === undefined) return { total: rowCount, rows: readUnfiltered(plan) }
  const isKept = facetNames.every((name) => countsTable.filters.includes(name))
  const total = isKept ? await count(facets) : await countFacets(plan, index)
  const areIndexed = !facetNames.some((name) => large.filtersBesideIndexes.includes(name))
  return { total, rows: readFiltered(plan, total, areIndexed, index) }
}

async function countFacets<Row>({ db, spec, facets, rowCount }: Plan<Row>, index: string): Promise<number> {
  const counted = fragment(`select count(*) as total from ${quoted(spec.table)} indexed by ${quoted(index)}`)
  const [row] = await read<{ total: number }>(
    db,
    concat(counted, whereAll(facets)),
    rowCount > manyRows ? 'costly' : 'unsure',
  )
  return row?.total ?? 0
}

/** How the pages of a list without filters are read. */
function readUnfiltered<Row>(plan: Plan<Row>): ListReader<Row>['rows'] {
  const { spec, request, rowCount } = plan
  const table = quoted(spec.table)
  const walked = walkedIndex(plan)
  const by = walked === undefined ? '' : ` indexed by ${quoted(walked)}`
  return (slice) => {
    const { reversed, skip, limit } = slice
    const selecting = (what: string) =>
      selectSlice(request.sort, slice, (conditions) => concat(fragment(what), whereAll(conditions)))
    // If rows are skipped, first find out which ones remain; by id, no lookup is needed.
    const isById = request.sort[0]?.column === 'id'
    if (isById ? skip < nearby : skip === 0 && walked !== undefined && isIndexOrder(request.sort))
      return readRows(
        plan,
        selecting(`select ${columnsOf(spec, request.sort)} from ${table}${isById ? '' : by}`),
        'quick',
      )
    // Without an index of the whole sort, any number of rows with the same first value are sorted.
    const steps = walked === undefined ? rowCount : skip + limit
    return readRows(
      plan,
      rowsOfIds(plan, selecting(`select ${idAndSort(request.sort)} from ${table} as walked${by}`), reversed),
      costOf(steps * indexStepCost),
    )
  }
}

/**
 * The same with filters other than the search. `index` finds them; `areIndexed` says whether the narrow index has their
 * columns.
 */
function readFiltered<Row>(
  plan: Plan<Row>,
  total: number,
  areIndexed: boolean,
  index: string,
): ListReader<Row>['rows'] {
  const { spec, large, request, facets, rowCount } = plan
  const table = quoted(spec.table)
  const walked = walkedIndex(plan)
  const isCovered = areIndexed && !large.sortsWithoutFilterColumns.includes(request.sort[0]?.column ?? '')
  // If the index of the sort lacks the filter columns, the narrow index has them: a lookup there costs a quarter of a lookup of the row.
  const narrow = `select 1 from ${table} as narrow indexed by ${quoted(large.sortIndexes.id)} where narrow.id = walked.id and`
  const look = {
    tests:
      isCovered || !areIndexed
        ? facets
        : facets.map(({ sql, parameters }) => ({ sql: `exists (${narrow} ${sql})`, parameters })),
    stepCost: isCovered ? indexStepCost : areIndexed ? narrowLookupCost : lookupCost,
  }
  const gatherCost = total * lookupCost
  return async (slice) => {
    const { after, reversed, skip, limit } = slice
    // If the matches are spread evenly, a short walk finds them. If they are not, it ends when it has cost as much as gathering.
    const expected = ((skip + limit) * rowCount) / Math.max(1, total)
    const enough = gatherCost / look.stepCost
    if (walked !== undefined && expected < enough) {
      for (const steps of [expected * 4 + fewSteps, enough]) {
        const found = await walk(plan, walked, slice, Math.ceil(Math.min(steps, enough)), look)
        if (found !== undefined) return found
      }
    }
    const passed = after === null ? facets : [...facets, beyond(request.sort, after, reversed)]
    const from = fragment(`select ${columnsOf(spec, request.sort)} from ${table} indexed by ${quoted(index)}`)
    const rows = concat(from, whereAll(passed), fragment(orderBy(request.sort, reversed)), limitTo(limit, skip))
    return readRows(plan, rows, costOf(gatherCost))
  }
}
