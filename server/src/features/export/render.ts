import { toCell } from '../../core/csv.ts'
import { avatarUrl } from '../avatar-files/avatar-url.ts'

/* Makes the text of an export; also loaded by a thread that knows nothing of the rest of the server. */

export type ExportFormat = 'csv' | 'ndjson'

export interface RenderOptions {
  readonly format: ExportFormat
  readonly fields: readonly string[]
  readonly publicUrl: string
}

type Value = string | number | null
/** Writes a value of one column. */
type WriteValue = (value: Value) => string

/** Numbers and null are JSON as they are. */
const toJson: WriteValue = (value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** A stored object, without what the API does not show. */
function factorJson(value: Value): string | null {
  if (value === null) return null
  const { enabled, channel } = JSON.parse(String(value)) as { enabled: boolean; channel: string }
  return JSON.stringify({ enabled, channel })
}

/** How a column is written. Only these two are shown as something else than what is stored. */
function writerOf(field: string, { format, publicUrl }: RenderOptions): WriteValue {
  const write = format === 'csv' ? toCell : toJson
  if (field === 'avatar') return (value) => write(avatarUrl(value as string | null, { publicUrl }))
  if (field === 'two_factor_options')
    return format === 'csv' ? (value) => toCell(factorJson(value)) : (value) => String(factorJson(value))
  return write
}

/**
 * Makes a line of the values of a row, in the order of the fields. What does not depend on the row (names, separators, how a
 * column is written) is decided once.
 */
export function createRenderer(options: RenderOptions): (row: readonly unknown[]) => string {
  const { format, fields } = options
  const isCsv = format === 'csv'
  const columns = fields.map((field, at) => {
    const separator = at === 0 ? '' : ','
    return { start: isCsv ? separator : `${separator}${JSON.stringify(field)}:`, write: writerOf(field, options) }
  })
  const [start, end] = isCsv ? ['', '\r\n'] : ['{', '}\n']
  return (row) => {
    let line = start
    for (const [at, column] of columns.entries()) line += column.start + column.write(row[at] as Value)
    return line + end
  }
}
