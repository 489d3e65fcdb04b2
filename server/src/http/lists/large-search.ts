import { manyRows } from '../../db/direct.ts'
import { concat, type Fragment, fragment, limitTo, quoted, read, whereAll } from './fragment.ts'
import { costOf, lookupCost, type Plan, rowsOfIds, walkedIndex } from './large-plan.ts'
import type { SearchIndex, SearchSource } from './large-table.ts'
import { beyond, columnsOf, type ListReader, orderBy, type Slice, sortValues } from './slice.ts'

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
  const { db, spec, request } = plan
  const rows = async ({ after, reversed, skip, limit }: Slice): Promise<Row[]> => {
    if (ids.length === 0) return []
    const among = fragment('id in (select value from json_each(?))', JSON.stringify(ids))
    const conditions = after === null ? [among] : [among, beyond(request.sort, after, reversed)]
    return read(
      db,
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
      const found = await walk(plan, source, walked, slice, Math.min(total, rowCount))
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
  return read<Row>(plan.db, rowsOfIds(plan, matchingIds(plan, source, end, more), reversed), 'costly')
}

/** All matches, sorted. */
const gather = <Row>(plan: Plan<Row>, source: SearchSource, { after, reversed, skip, limit }: Slice) => {
  const { db, spec, request, facets } = plan
  const table = quoted(spec.table)
  const conditions = after === null ? facets : [...facets, beyond(request.sort, after, reversed, spec.table)]
  return read<Row>(
    db,
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

/**
 * Walks the index of the sort and checks each text, for at most `steps` rows. The walk may be long if the matches are close
 * together, as those of a first name are in the order of first names. Undefined if it did not reach its end.
 */
async function walk<Row>(
  plan: Plan<Row>,
  source: SearchSource,
  index: string,
  { after, reversed, skip, limit }: Slice,
  steps: number,
): Promise<Row[] | undefined> {
  const { db, spec, request, facets } = plan
  const order = fragment(orderBy(request.sort, reversed))
  const from = `from ${quoted(spec.table)} as walked indexed by ${quoted(index)}`
  const conditions = after === null ? [] : [beyond(request.sort, after, reversed)]
  const columns = request.sort.map(({ column }) => quoted(column)).join(', ')
  const [end] = await read<Record<string, string | number>>(
    db,
    concat(fragment(`select ${columns} ${from}`), whereAll(conditions), order, limitTo(1, steps)),
    steps > manyRows ? 'costly' : 'unsure',
  )
  const before = end === undefined ? [] : [beyond(request.sort, sortValues(request.sort, end), !reversed)]
  const ids = concat(
    fragment(`select id ${from}`),
    whereAll([...conditions, ...before, ...facets, source.check]),
    order,
    limitTo(limit, skip),
  )
  const rows = await read<Row>(db, rowsOfIds(plan, ids, reversed), costOf(steps * lookupCost))
  return rows.length === limit || end === undefined ? rows : undefined
}
