import type { ReadDb } from '../../db/database.ts'
import { manyRows } from '../../db/direct.ts'
import { concat, type Fragment, fragment, limitTo, quoted, read, whereAll } from './fragment.ts'
import { costOf, indexStepCost, lookupCost, narrowLookupCost, type Plan, rowsOfIds, walkedIndex } from './large-plan.ts'
import { createSearchReader } from './large-search.ts'
import type { ListRequest } from './request.ts'
import { beyond, columnsOf, isIndexOrder, type ListReader, orderBy, type Slice } from './slice.ts'
import { filterConditions, type ListSpec } from './spec.ts'

/** Offsets up to this many rows are read directly. */
const nearby = 200

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
  if (facets.length === 0) return createFacetReader(plan, rowCount, true, undefined)
  const index = large.filterIndexes[Object.keys(large.filterIndexes).find((name) => facetNames.includes(name)) ?? '']
  const isKept = facetNames.every((name) => countsTable.filters.includes(name))
  const total = isKept ? await count(facets) : await countFacets(plan, index as string)
  const areIndexed = !facetNames.some((name) => large.filtersBesideIndexes.includes(name))
  return createFacetReader(plan, total, areIndexed, index)
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

/**
 * A list with only filters other than the search, or none. `index` finds them; `areIndexed` says whether the narrow index
 * has their columns.
 */
function createFacetReader<Row>(
  plan: Plan<Row>,
  total: number,
  areIndexed: boolean,
  index: string | undefined,
): ListReader<Row> {
  const { db, spec, large, request, facets, rowCount } = plan
  const table = quoted(spec.table)
  const walked = walkedIndex(plan)
  const isCovered =
    facets.length === 0 || (areIndexed && !large.sortsWithoutFilterColumns.includes(request.sort[0]?.column ?? ''))
  const rows = async ({ after, reversed, skip, limit }: Slice): Promise<Row[]> => {
    const passed = after === null ? [] : [beyond(request.sort, after, reversed)]
    const conditions = [...facets, ...passed]
    const order = orderBy(request.sort, reversed)
    const page = limitTo(limit, skip)
    const share = rowCount / Math.max(1, total)
    const walkCost = (skip + limit) * share * (isCovered ? indexStepCost : areIndexed ? narrowLookupCost : lookupCost)
    const gatherCost = total * lookupCost
    const by = walked === undefined ? '' : ` indexed by ${quoted(walked)}`
    // If rows are skipped, first find out which ones remain; by id, no lookup is needed.
    const isById = request.sort[0]?.column === 'id'
    if (
      facets.length === 0 &&
      (isById ? skip < nearby : skip === 0 && walked !== undefined && isIndexOrder(request.sort))
    ) {
      const from = fragment(`select ${columnsOf(spec, request.sort)} from ${table}${isById ? '' : by}`)
      const isQuick = isById || after === null // behind a cursor, all rows with the same value are passed
      return read(db, concat(from, whereAll(conditions), fragment(order), page), isQuick ? 'quick' : 'unsure')
    }
    if (index !== undefined && (walked === undefined || gatherCost < walkCost)) {
      const from = `select ${columnsOf(spec, request.sort)} from ${table} indexed by ${quoted(index)}`
      return read(db, concat(fragment(from), whereAll(conditions), fragment(order), page), costOf(gatherCost))
    }
    // If the index of the sort lacks the filter columns, the narrow index has them: a lookup there costs a quarter of a lookup of the row.
    const narrow = `select 1 from ${table} as narrow indexed by ${quoted(large.sortIndexes.id)} where narrow.id = walked.id and`
    const tests = isCovered
      ? facets
      : facets.map(({ sql, parameters }) => ({ sql: `exists (${narrow} ${sql})`, parameters }))
    const from = fragment(`select id from ${table} as walked${by}`)
    const ids = concat(from, whereAll([...tests, ...passed]), fragment(order), page)
    return read(db, rowsOfIds(plan, ids, reversed), costOf(walkCost))
  }
  return { total, rows }
}
