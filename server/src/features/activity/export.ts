import { Readable } from 'node:stream'
import type { Context } from '../../core/context.ts'
import { validationFailed } from '../../core/errors.ts'
import { concat, fragment, read, toFragment, whereAll } from '../../http/lists/fragment.ts'
import { parseListRequest } from '../../http/lists/request.ts'
import { activityList } from './activity.list.ts'
import type { ActivityRow } from './activity.table.ts'
import { sequenceAll } from './sequencer.ts'

const batch = 1_000

interface ExportedRow extends ActivityRow {
  readonly position: number
  readonly hash: string
}

export const exportFormats = {
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', file: 'activity.ndjson' },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', file: 'activity.csv' },
} as const
export type ExportFormat = keyof typeof exportFormats

/** The `format` of a query; throws `validation_failed`. */
export function exportFormatOf(query: URLSearchParams): ExportFormat {
  const format = query.get('format') || 'ndjson'
  if (format === 'ndjson' || format === 'csv') return format
  throw validationFailed({ format: ['The format field must be one of ndjson, csv.'] })
}

/** The fields of a line in their order. */
const toLine = ({ position: _, ...row }: ExportedRow) => ({
  id: row.id,
  event: row.event,
  actor_id: row.actor_id,
  api_key_id: row.api_key_id,
  subject_type: row.subject_type,
  subject_id: row.subject_id,
  details: row.details === null ? null : JSON.parse(row.details),
  ip_address: row.ip_address,
  user_agent: row.user_agent,
  request_id: row.request_id,
  created_at: row.created_at,
  hash: row.hash,
})

const columns = ['id', 'event', 'actor_id', 'api_key_id', 'subject_type', 'subject_id', 'details', 'ip_address']
const lastColumns = ['user_agent', 'request_id', 'created_at', 'hash']
const csvColumns = [...columns, ...lastColumns]

/** A spreadsheet would run what begins like a formula. */
const csvCell = (value: unknown): string => {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const writers: Readonly<Record<ExportFormat, { head: string; line: (row: ExportedRow) => string }>> = {
  ndjson: { head: '', line: (row) => `${JSON.stringify(toLine(row))}\n` },
  csv: {
    head: `${csvColumns.join(',')}\r\n`,
    line: (row) => `${Object.values(toLine(row)).map(csvCell).join(',')}\r\n`,
  },
}

/** The audit log in its order, with the hash of each row, as a stream that needs little memory. */
export async function exportActivity(ctx: Context, query: URLSearchParams): Promise<Readable> {
  const { head, line } = writers[exportFormatOf(query)]
  const { filters } = parseListRequest(activityList, query)
  const conditions = [...filters].map(([name, values]) => {
    const filter = activityList.filters[name as keyof typeof activityList.filters]
    return toFragment(filter.where(values, ctx.db), ctx.db)
  })
  await sequenceAll(ctx)

  const rowsAfter = (position: number): Promise<ExportedRow[]> =>
    read(
      ctx.db,
      concat(
        fragment('select activity.*, position, hash from activity_chain join activity on activity.id = activity_id'),
        whereAll([fragment('position > ?', position), ...conditions]),
        fragment(`order by position limit ${batch}`),
      ),
    )

  async function* lines(): AsyncGenerator<string> {
    yield head
    for (let rows = await rowsAfter(0); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.position ?? 0)) {
      yield rows.map(line).join('')
      if (rows.length < batch) return
    }
  }
  return Readable.from(lines(), { objectMode: false })
}
