import { toLine } from '../../core/csv.ts'
import { avatarUrl } from '../avatar-files/avatar-url.ts'

/* Makes the text of an export; also loaded by a thread that knows nothing of the rest of the server. */

export type ExportFormat = 'csv' | 'ndjson'

export interface RenderOptions {
  readonly format: ExportFormat
  readonly fields: readonly string[]
  readonly publicUrl: string
}

type Value = string | number | null

/** What a column is shown as, where that is not what is stored. */
const shown = (field: string, value: Value, { format, publicUrl }: RenderOptions): unknown => {
  if (field === 'avatar') return avatarUrl(value as string | null, { publicUrl })
  if (field === 'two_factor_options' && value !== null) {
    const { enabled, channel } = JSON.parse(String(value)) as { enabled: boolean; channel: string }
    return format === 'csv' ? JSON.stringify({ enabled, channel }) : { enabled, channel }
  }
  return value
}

export function createRenderer(options: RenderOptions): (row: Readonly<Record<string, unknown>>) => string {
  const { format, fields } = options
  const cellOf = (row: Readonly<Record<string, unknown>>, field: string) => shown(field, row[field] as Value, options)
  if (format === 'csv') return (row) => toLine(fields.map((field) => cellOf(row, field) as Value))
  return (row) => `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, cellOf(row, field)])))}\n`
}
