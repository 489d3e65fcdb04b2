import { concat, type Fragment, fragment, limitTo, quoted, read, whereAll } from './fragment.ts'
import { lookupCost, type Plan, rowsOfIds, walkedIndex } from './large-plan.ts'
import type { SearchIndex, SearchSource } from './large-table.ts'
import { walk } from './large-walk.ts'
import { readRows } from './rows.ts'
import { beyond, columnsOf, type ListReader, orderBy, type Slice } from './slice.ts'

/** Up to this many matches: fetch the ids once, then count and page from them. */
const fewMatches = 400

/** A search in a large list; `plan.facets` narrow it further. */
export async function createSearchReader<Row>(
  plan: Plan<Row>,
  index: SearchIndex,
  terms: readonly string[],
): Promise<ListReader<Row>> {
  const { db, rowCount } = plan
  const source = await index.source(db, terms, rowCount)
  const cost = source.isCostly ? 'costly' : 'unsure'
  const found = await read<{ id: number }>(db, matchingIds(plan, source, limitTo(fewMatches + 1)), cost)
  if (found.length <= fewMatches) {
    return readFew(
      plan,
      found.map(({ id }) => id),
    )
  }
  const [row] = await read<{ total: number }>(db, selectMatches(plan, source, 'count(*) as total'), cost)
  return readMany(plan, source, row?.total ?? 0)
}

/** From the matches, with the other filters, if any. */
function selectMatches<Row>(
  { spec, large, facets }: Plan<Row>,
  { table, id, matches }: SearchSource,
  selected: string,
  more: readonly Fragment[] = [],
): Fragment {
  const rows = quoted(spec.table)
  // The narrow index is enough. Since the matches are ordered by id, it is read from front to back.
  const narrowed = `cross join ${rows} indexed by ${quoted(large.sortIndexes.id)} on ${rows}.id = ${quoted(table)}.${id}`
  return concat(
    fragment(`select ${selected} from ${quoted(table)}${facets.length === 0 ? '' : ` ${narrowed}`}`),
    whereAll([matches, ...facets, ...more]),
  )
}

const matchingIds = <Row>(plan: Plan<Row>, source: SearchSource, end: Fragment, more: readonly Fragment[] = []) =>
  concat(selectMatches(plan, source, `${quoted(source.table)}.${source.id} as id`, more), end)

function readFew<Row>(plan: Plan<Row>, ids: readonly number[]): ListReader<Row> {
  const { spec, request } = plan
  const rows = async ({ after, reversed, skip, limit }: Slice): Promise<Row[]> => {
    if (ids.length === 0) return []
    const among = fragment('id in (select value from json_each(?))', JSON.stringify(ids))
    const conditions = after === null ? [among] : [among, beyond(request.sort, after, reversed)]
    return readRows(
      plan,
      concat(
        fragment(`select ${columnsOf(spec, request.sort)} from ${quoted(spec.table)}`),
        whereAll(conditions),
        fragment(orderBy(request.sort, reversed)),
        limitTo(limit, skip),
      ),
    )
  }
  return { total: ids.length, rows }
}

function readMany<Row>(plan: Plan<Row>, source: SearchSource, total: number): ListReader<Row> {
  const { request, rowCount } = plan
  const walked = walkedIndex(plan)
  const isById = request.sort[0]?.column === 'id'
  const rows = async (slice: Slice): Promise<Row[]> => {
    if (isById) return readById(plan, source, slice)
    const steps = (slice.skip + slice.limit) * (rowCount / total)
    if (walked !== undefined && steps * lookupCost < total * lookupCost + source.scanCost) {
      const look = { tests: [...plan.facets, source.check], stepCost: lookupCost }
      const found = await walk(plan, walked, slice, Math.min(total, rowCount), look)
      if (found !== undefined) return found
    }
    return gather(plan, source, slice)
  }
  return { total, rows }
}

/** The search index returns its matches in ascending or descending order of their ids. */
const readById = <Row>(plan: Plan<Row>, source: SearchSource, { after, reversed, skip, limit }: Slice) => {
  const id = `${quoted(source.table)}.${source.id}`
  const isDescending = plan.request.sort[0]?.descending !== reversed
  const more = after === null ? [] : [fragment(`${id} ${isDescending ? '<' : '>'} ?`, after[0])]
  const end = concat(fragment(`order by ${id}${isDescending ? ' desc' : ''}`), limitTo(limit, skip))
  return readRows<Row>(plan, rowsOfIds(plan, matchingIds(plan, source, end, more), reversed), 'costly')
}

/** All matches, sorted. */
const gather = <Row>(plan: Plan<Row>, source: SearchSource, { after, reversed, skip, limit }: Slice) => {
  const { spec, request, facets } = plan
  const table = quoted(spec.table)
  const conditions = after === null ? facets : [...facets, beyond(request.sort, after, reversed, spec.table)]
  return readRows<Row>(
    plan,
    concat(
      fragment(`select ${columnsOf(spec, request.sort)} from ${quoted(source.table)}`),
      fragment(`cross join ${table} on ${table}.id = ${quoted(source.table)}.${source.id}`),
      whereAll([source.matches, ...conditions]),
      fragment(orderBy(request.sort, reversed, spec.table)),
      limitTo(limit, skip),
    ),
    'costly',
  )
}
