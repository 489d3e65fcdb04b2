import { Readable } from 'node:stream'
import type { Context } from '../../core/context.ts'
import { toLine } from '../../core/csv.ts'
import { formatOf } from '../../http/format-parameter.ts'
import { inBatches } from '../../http/lists/batches.ts'
import { concat, fragment, read, whereAll } from '../../http/lists/fragment.ts'
import { parseUnpaged } from '../../http/lists/request.ts'
import { filterConditions } from '../../http/lists/spec.ts'
import { activityList } from './activity.list.ts'
import type { ActivityRow } from './activity.table.ts'
import { chainedFields } from './chain.ts'
import { sequenceAll } from './sequencer.ts'

const batch = 1_000

interface ExportedRow extends ActivityRow {
  readonly position: number
  readonly hash: string
}

const types = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8; header=present' } as const
type ExportFormat = keyof typeof types

/** The fields of a line in their order. */
function toFields(row: ExportedRow) {
  const { request_id, created_at, ...before } = chainedFields(row)
  const { ip_address, user_agent, hash } = row
  return { ...before, ip_address, user_agent, request_id, created_at, hash }
}

const csvColumns = [
  ...['id', 'event', 'actor_id', 'api_key_id', 'subject_type', 'subject_id', 'details', 'ip_address'],
  ...['user_agent', 'request_id', 'created_at', 'hash'],
]

const writers: Readonly<Record<ExportFormat, { head: string; line: (row: ExportedRow) => string }>> = {
  ndjson: { head: '', line: (row) => `${JSON.stringify(toFields(row))}\n` },
  csv: { head: toLine(csvColumns), line: (row) => toLine(Object.values(toFields(row))) },
}

/** The audit log in its order, with the hash of each row, as a stream that needs little memory. */
export async function exportActivity(ctx: Context, query: URLSearchParams) {
  const format = formatOf(query, ['ndjson', 'csv'])
  const { head, line } = writers[format]
  const { filters } = parseUnpaged({ ...activityList, sorts: {}, defaultSort: '' }, query)
  const conditions = filterConditions(activityList.filters, filters, ctx.db)
  await sequenceAll(ctx)

  const rowsAfter = (last?: ExportedRow): Promise<ExportedRow[]> =>
    read(
      ctx.db,
      concat(
        fragment('select activity.*, position, hash from activity_chain join activity on activity.id = activity_id'),
        whereAll([fragment('position > ?', last?.position ?? 0), ...conditions]),
        fragment(`order by position limit ${batch}`),
      ),
    )

  async function* lines(): AsyncGenerator<string> {
    yield head
    for await (const rows of inBatches(batch, rowsAfter)) yield rows.map(line).join('')
  }
  const stream = Readable.from(lines(), { objectMode: false })
  return { name: `activity.${format}`, type: types[format], stream }
}
