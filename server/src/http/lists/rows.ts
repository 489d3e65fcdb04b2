import type { Cost } from '../../db/direct.ts'
import { concat, type Fragment, fragment, quoted, read } from './fragment.ts'
import type { Plan } from './large-plan.ts'

/** A row that the database wrote as JSON, and its values of the sort. */
export interface JsonRow {
  readonly json: Uint8Array
  readonly [sorted: string]: unknown
}

type Asked<Row> = Pick<Plan<Row>, 'db' | 'spec' | 'request'>

/** Runs the query that selects a page with `columnsOf`. */
export async function readRows<Row>(asked: Asked<Row>, query: Fragment, cost?: Cost): Promise<Row[]> {
  if (asked.spec.json === undefined) return read<Row>(asked.db, query, cost)
  return (await readJson(asked, query, cost)) as Row[]
}

/** One blob has all items: SQLite joins rows in the order in which the query gives them. */
async function readJson<Row>({ db, request }: Asked<Row>, query: Fragment, cost?: Cost): Promise<JsonRow[]> {
  const columns = request.sort.map(({ column }) => column)
  const found = `json_group_array(json_array(octet_length(json), ${columns.map(quoted)}))`
  const joined = `select cast(group_concat(json) as blob) as items, ${found} as found from (`
  const [page] = await read<{ items: Uint8Array; found: string }>(
    db,
    concat(fragment(joined), query, fragment(')')),
    cost,
  )
  if (page?.items == null) return []
  const { items } = page
  let start = 0
  return (JSON.parse(page.found) as [number, ...unknown[]][]).map(([length, ...values]) => {
    const row: { json: Uint8Array; [sorted: string]: unknown } = { json: items.subarray(start, start + length) }
    columns.forEach((column, index) => {
      row[column] = values[index]
    })
    start += length + 1
    return row
  })
}
