import type { Reads } from '../../core/context.ts'
import { toLine } from '../../core/csv.ts'
import { inBatches } from '../../http/lists/batches.ts'
import { concat, fragment, read, whereAll } from '../../http/lists/fragment.ts'
import { parseUnpaged } from '../../http/lists/request.ts'
import { orderBy } from '../../http/lists/slice.ts'
import { filterConditions } from '../../http/lists/spec.ts'
import { jobErrorList } from './jobs.list.ts'
import type { JobErrorRow } from './jobs.table.ts'

const batch = 1_000

/** The errors of a job as CSV, with the filters and the sort of the list, read piece by piece. */
export function streamJobErrors({ db }: Reads, jobId: number, query: URLSearchParams): AsyncGenerator<string> {
  const { filters, sort } = parseUnpaged(jobErrorList, query)
  const after = sort[0]?.descending === true ? '<' : '>'
  const conditions = [fragment('job_id = ?', jobId), ...filterConditions(jobErrorList.filters, filters, db)]

  const rowsAfter = (last?: JobErrorRow): Promise<JobErrorRow[]> =>
    read(
      db,
      concat(
        fragment('select * from job_errors'),
        whereAll(last === undefined ? conditions : [...conditions, fragment(`id ${after} ?`, last.id)]),
        fragment(`${orderBy(sort, false)} limit ${batch}`),
      ),
    )

  async function* lines(): AsyncGenerator<string> {
    yield toLine(['line', 'field', 'code', 'message'])
    for await (const rows of inBatches(batch, rowsAfter))
      yield rows.map((row) => toLine([row.line, row.field, row.code, row.message])).join('')
  }
  return lines()
}
