import type { ReadDb } from '../../db/database.ts'
import { read } from './fragment.ts'
import type { ListRequest } from './request.ts'
import type { ListSpec } from './spec.ts'

/** Up to this many matches are read and sorted. With more, a walk along the index of the sort soon fills a page. */
const fewMatches = 20_000
const maxRemembered = 10_000
/** Longer search terms are not remembered. */
const longestKey = 200

/** How many rows matched a filter when it was last counted. It only decides how to read. */
const remembered = new WeakMap<ReadDb, Map<string, number>>()

/**
 * True if the request has a filter with `gather` and few rows match it. PostgreSQL assumes that the matches are spread evenly over
 * the sort and walks its index, but they may all stand at the far end. Measured in docs/decisions/0018-search-and-stream.md.
 */
export async function hasFewMatches<Row>(
  db: ReadDb,
  { filters }: ListSpec<Row>,
  request: ListRequest,
  total: Promise<number>,
): Promise<boolean> {
  const [name = '', values = []] = [...request.filters].find(([name]) => filters[name]?.gather !== undefined) ?? []
  const counted = filters[name]?.total?.(values, db)
  if (counted === undefined) return false
  const counts = remembered.get(db) ?? new Map<string, number>()
  remembered.set(db, counts)
  const key = JSON.stringify([name, values])
  const note = (count: number): number => {
    if (counts.size >= maxRemembered) counts.clear()
    if (key.length <= longestKey) counts.set(key, count)
    return count
  }
  const isAlone = request.filters.size === 1
  const known = counts.get(key)
  if (known !== undefined) {
    if (isAlone) total.then(note).catch(() => {}) // whoever awaits the total handles its failure
    return known <= fewMatches
  }
  if (isAlone) return note(await total) <= fewMatches
  const [row] = await read<{ total: number }>(db, counted)
  return note(row?.total ?? 0) <= fewMatches
}
