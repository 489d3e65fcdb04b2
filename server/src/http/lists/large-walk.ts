import { manyRows } from '../../db/direct.ts'
import { concat, type Fragment, fragment, quoted, read, whereAll } from './fragment.ts'
import { costOf, type Plan, rowsOfIds } from './large-plan.ts'
import { readRows } from './rows.ts'
import { beyond, idAndSort, type Slice, selectSlice, sortValues } from './slice.ts'

/** What a walk looks at in each row, named `walked`, and what that costs. */
interface Look {
  readonly tests: readonly Fragment[]
  readonly stepCost: number
}

/**
 * Walks the index of the sort and tests its rows, at most `steps` of them: however many match, all of them may be at the other
 * end. Users with one first name are next to each other in the order of first names, and new users are the last ones in the
 * order of the last change. Undefined if that did not fill the slice.
 */
export async function walk<Row>(
  plan: Plan<Row>,
  index: string,
  slice: Slice,
  steps: number,
  { tests, stepCost }: Look,
): Promise<Row[] | undefined> {
  const { db, spec, request } = plan
  const from = `from ${quoted(spec.table)} as walked indexed by ${quoted(index)}`
  const selecting = (more: readonly Fragment[]) => (conditions: readonly Fragment[]) =>
    concat(fragment(`select ${idAndSort(request.sort)} ${from}`), whereAll([...conditions, ...more]))
  const last = { ...slice, skip: steps, limit: 1 }
  const [end] = await read<Record<string, string | number>>(
    db,
    selectSlice(request.sort, last, selecting([])),
    steps > manyRows ? 'costly' : 'unsure',
  )
  const before = end === undefined ? [] : [beyond(request.sort, sortValues(request.sort, end), !slice.reversed)]
  const ids = selectSlice(request.sort, slice, selecting([...before, ...tests]))
  const rows = await readRows<Row>(plan, rowsOfIds(plan, ids, slice.reversed), costOf(steps * stepCost))
  return rows.length === slice.limit || end === undefined ? rows : undefined
}
