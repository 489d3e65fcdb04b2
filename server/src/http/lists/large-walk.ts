import { manyRows } from '../../db/direct.ts'
import { concat, type Fragment, fragment, limitTo, quoted, read, whereAll } from './fragment.ts'
import { costOf, type Plan, rowsOfIds } from './large-plan.ts'
import { beyond, orderBy, type Slice, sortValues } from './slice.ts'

/** What a walk looks at in each row, named `walked`, and what that costs. */
interface Look {
  readonly tests: readonly Fragment[]
  readonly stepCost: number
}

/**
 * Walks the index of the sort and tests its rows, but no more than `steps` of them: however many match, they may all lie at
 * the other end, as those of a first name do in the order of first names, or the youngest users in the order of the last change.
 * Undefined if it did not reach its end.
 */
export async function walk<Row>(
  plan: Plan<Row>,
  index: string,
  { after, reversed, skip, limit }: Slice,
  steps: number,
  { tests, stepCost }: Look,
): Promise<Row[] | undefined> {
  const { db, spec, request } = plan
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
    whereAll([...conditions, ...before, ...tests]),
    order,
    limitTo(limit, skip),
  )
  const rows = await read<Row>(db, rowsOfIds(plan, ids, reversed), costOf(steps * stepCost))
  return rows.length === limit || end === undefined ? rows : undefined
}
