import { toCell } from '../../core/csv.ts'
import { avatarUrl } from '../avatar-files/avatar-url.ts'

/* Makes the text of an export; also loaded by a thread that knows nothing of the rest of the server. */

export type ExportFormat = 'csv' | 'ndjson'

export interface RenderOptions {
  readonly format: ExportFormat
  readonly fields: readonly string[]
  readonly publicUrl: string
}

type Row = Record<string, unknown>

/** A stored object, without what the API does not show. */
function factorOf(stored: unknown): { enabled: boolean; channel: string } | null {
  if (stored === null) return null
  const { enabled, channel } = JSON.parse(String(stored)) as { enabled: boolean; channel: string }
  return { enabled, channel }
}

/** Changes what is shown as something else than what is stored. */
function toShown({ fields, publicUrl }: RenderOptions): (row: Row) => void {
  const hasAvatar = fields.includes('avatar')
  const hasFactor = fields.includes('two_factor_options')
  return (row) => {
    if (hasAvatar) row.avatar = avatarUrl(row.avatar as string | null, { publicUrl })
    if (hasFactor) row.two_factor_options = factorOf(row.two_factor_options)
  }
}

const cellOf = (value: unknown): string =>
  toCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | null))

/** Makes a line of a row, whose columns are the fields in their order. */
export function createRenderer(options: RenderOptions): (row: Row) => string {
  const show = toShown(options)
  if (options.format === 'ndjson') {
    return (row) => {
      show(row)
      return `${JSON.stringify(row)}\n`
    }
  }
  return (row) => {
    show(row)
    return `${Object.values(row).map(cellOf).join(',')}\r\n`
  }
}
